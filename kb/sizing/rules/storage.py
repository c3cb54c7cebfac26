"""Checkpoints, datasets and the host beside the GPUs."""

from __future__ import annotations

from kb.sizing.elementwise import whole
from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Byte, BytePerSecond, ItemPerSecond, Ratio, Second


@rule(
    "storage.checkpoint",
    cites=("zero-2020#sec. 3.1", "ml-engineering#training/checkpoints"),
    label=Bilingual("checkpoint", "检查点"),
)
def checkpoint(*, weights: Byte, optimizer_states: Byte) -> Byte:
    """What is needed to resume: weights and optimizer states; gradients are not kept."""
    return weights + optimizer_states


@rule("storage.dataset", cites=("tokens-2024",), label=Bilingual("tokenized dataset", "分词后的数据集"))
def dataset(*, tokens: Ratio, element: Byte) -> Byte:
    """Token ids, two or four bytes each."""
    return tokens * element


@rule("storage.capacity", cites=("ml-engineering#storage",), label=Bilingual("storage", "存储容量"))
def capacity(*, checkpoint: Byte, kept: Ratio, dataset: Byte) -> Byte:
    """A few checkpoints to resume from, and the dataset."""
    return kept * checkpoint + dataset


@rule("storage.write_time", cites=("ml-engineering#storage",), label=Bilingual("time to write a checkpoint", "写检查点时间"))
def write_time(*, checkpoint: Byte, bandwidth: BytePerSecond) -> Second:
    """Bytes over the bandwidth of all writers."""
    return checkpoint / bandwidth


@rule("storage.transfer_time", cites=("ml-engineering#storage",), label=Bilingual("time of the transfer", "传输时间"))
def transfer_time(*, size: Byte, bandwidth: BytePerSecond) -> Second:
    """Bytes over the speed of the drive or link that carries them: the least time there can be."""
    return size / bandwidth


@rule("storage.copies", cites=("ml-engineering#storage",), label=Bilingual("checkpoints kept", "全部检查点"))
def copies(*, size: Byte, kept: Ratio) -> Byte:
    """So many of one size."""
    return kept * size


@rule("storage.side_by_side", cites=("ml-engineering#storage",), label=Bilingual("files side by side", "各版本合计"))
def side_by_side(*, size: Byte, further: Byte) -> Byte:
    """Files of one model in several formats."""
    return size + further


@rule("storage.files", cites=("ml-engineering#storage",), label=Bilingual("all files", "全部文件"))
def files(*, size: Byte, count: Ratio) -> Byte:
    """So many files of one size."""
    return count * size


@rule("storage.read_rate", cites=("ml-engineering#storage",), label=Bilingual("read bandwidth", "读带宽"))
def read_rate(*, each: ItemPerSecond, size: Byte, gpu_count: Ratio) -> BytePerSecond:
    """So many files a second on every GPU, none of them read before."""
    return each * size * gpu_count


@rule("storage.bandwidth", cites=("ml-engineering#storage",), label=Bilingual("bandwidth needed", "所需带宽"))
def bandwidth(*, size: Byte, time: Second) -> BytePerSecond:
    """Bytes over the time that they may take."""
    return size / time


@rule("storage.saves", cites=("ml-engineering#training/checkpoints",), label=Bilingual("checkpoints written", "检查点份数"))
def saves(*, time: Second, every: Second) -> Ratio:
    """How often a checkpoint is written in the time."""
    return whole(time / every)


@rule(
    "storage.saves_of_steps",
    cites=("ml-engineering#training/checkpoints",),
    label=Bilingual("checkpoints written", "检查点份数"),
)
def saves_of_steps(*, steps: Ratio, every: Ratio) -> Ratio:
    """How often a checkpoint is written in so many steps."""
    return whole(steps / every)


@rule("storage.job", cites=("ml-engineering#storage",), label=Bilingual("storage of the job", "任务所需存储"))
def job(*, weights: Byte, checkpoint: Byte, kept: Ratio) -> Byte:
    """The model to start from, and a few checkpoints to resume from."""
    return weights + kept * checkpoint


@rule("storage.checkpoint_interval", cites=("young-1974",), label=Bilingual("interval of checkpoints", "检查点间隔"))
def checkpoint_interval(*, write_time: Second, between_failures: Second) -> Second:
    """Young's optimum: lost work and writing cost the same."""
    return (2 * write_time * between_failures) ** 0.5  # type: ignore[no-any-return]


@rule("storage.between_failures", cites=("failures-2024#sec. 3.3.4",), label=Bilingual("time between failures", "平均故障间隔"))
def between_failures(*, per_gpu: Second, gpu_count: Ratio) -> Second:
    """More GPUs fail more often."""
    return per_gpu / gpu_count


@rule(
    "storage.host_ram",
    cites=("ml-engineering#compute/cpu-memory",),
    label=Bilingual("host memory per server", "单台服务器内存"),
)
def host_ram(*, gpus: Ratio, gpu_memory: Byte) -> Byte:
    """At least as much as the GPUs of the server have, so that what they hold can pass through."""
    return gpus * gpu_memory


@rule(
    "storage.offload_ram",
    cites=("offload-2021", "deepspeed-memory"),
    label=Bilingual("host memory for offloading", "卸载所需内存"),
)
def offload_ram(*, parameters: Ratio, held: Byte, slack: Ratio) -> Byte:
    """Optimizer states (and what else is offloaded) per parameter, with room for buffers."""
    return parameters * held * slack


@rule("storage.offloaded_states", cites=("offload-2021",), label=Bilingual("states that are offloaded", "卸载的状态"))
def offloaded_states(*, parameters: Ratio, held: Byte) -> Byte:
    """The same without room for buffers: the least that a host needs."""
    return parameters * held


@rule("storage.offloaded_adapters", cites=("zero-infinity#sec. 3",), label=Bilingual("model that is offloaded", "卸载的模型"))
def offloaded_adapters(*, model_states: Byte) -> Byte:
    """Frozen weights with what is trained of them, none of which stays on the GPUs under full sharding."""
    return model_states


@rule("storage.nvme_states", cites=("zero-infinity#sec. 3",), label=Bilingual("states on the drives", "NVMe 上的状态"))
def nvme_states(*, parameters: Ratio, held: Byte) -> Byte:
    """All model states stand on the drives; host memory holds buffers through which they pass."""
    return parameters * held


@rule(
    "storage.resident",
    cites=("ml-engineering#compute/cpu-memory",),
    label=Bilingual("host memory for the weights", "权重所需内存"),
)
def resident(*, parameters: Ratio, element: Byte) -> Byte:
    """Weights that a processor works on, or that pass through it, stand in its memory whole; the system comes on top."""
    return parameters * element


@rule(
    "storage.resident_file",
    cites=("ml-engineering#compute/cpu-memory",),
    label=Bilingual("host memory for the weights", "权重所需内存"),
)
def resident_file(*, size: Byte) -> Byte:
    """The same where the size of their file is known."""
    return size


@rule(
    "storage.cpu_cores", cites=("ml-engineering#compute/cpu",), label=Bilingual("CPU cores per server", "单台服务器 CPU 核数")
)
def cpu_cores(*, gpus: Ratio, per_gpu: Ratio, system: Ratio) -> Ratio:
    """A training process and its data workers for every GPU, and some for the system."""
    return gpus * per_gpu + system


@rule(
    "storage.writers",
    cites=("ml-engineering#storage",),
    label=Bilingual("write bandwidth of all servers", "全部服务器的写带宽"),
)
def writers(*, nodes: Ratio, per_node: BytePerSecond) -> BytePerSecond:
    """Every server writes its share."""
    return nodes * per_node
