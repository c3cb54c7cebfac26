"""Questions to the tables: servers, links, processors, drives and models by name, and rankings of cards and models."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "row", "columns"),
    [
        ("DGX B200 整机多少千瓦", "dgx-b200", ("power_max_kw",)),
        ("how much host memory does an HGX H100 have", "hgx-h100-8", ("ram_gb",)),
        ("GB300 NVL72 裡有幾顆 GPU", "gb300-nvl72", ("accelerator_count",)),
        ("p4d.24xlarge network bandwidth", "aws-p4d.24xlarge", ("network_gbps_total",)),
        ("NVLink 3 每张卡有几条链路", "nvlink3", ("links_per_gpu",)),
        ("NVLink 4 bidirectional bandwidth", "nvlink4", ("gb_s_bidirectional",)),
        ("XDR InfiniBand 单端口线速", "ib-xdr", ("raw_gbps_per_port",)),
        ("25 GbE in gigabytes per second", "eth-25g", ("gb_s_per_direction",)),
        ("PCIe 5.0 頻寬", "pcie5-x16", ("gb_s_per_direction", "gb_s_bidirectional")),
        ("EPYC 9755 有多少核心", "epyc-9755", ("cores",)),
        ("how many memory channels does a Xeon 8480+ have", "xeon-8480plus", ("memory_channels",)),
        ("DDR5-5600 单通道带宽", "ddr5-5600", ("gb_s_per_channel",)),
        ("Gen5 NVMe sequential write speed", "nvme-gen5x4", ("seq_write_gb_s",)),
        ("DBRX 每个 token 用几个专家", "dbrx", ("moe_top_k",)),
        ("how many parameters does Qwen3-30B-A3B activate", "qwen3-30b-a3b", ("params_active",)),
        ("L4 几瓦", "l4", ("tdp_w",)),
        ("context length and KV heads of Llama 3.1 8B", "llama3.1-8b", ("kv_heads", "context")),
        ("Qwen2.5-7B 几层几个头，上下文最长多少", "qwen2.5-7b", ("heads", "layers", "context")),
        ("total and active params of DeepSeek-V3", "deepseek-v3", ("params_active", "params_total")),
        ("HDR 多少 Gbps，换算成 GB/s", "ib-hdr", ("raw_gbps_per_port", "gb_s_per_direction")),
        ("A30 有 FP8 吗，显存带宽多少", "a30", ("fp8_dense_tflops", "memory_bandwidth_gb_s")),
        ("B300 的記憶體容量跟頻寬", "b300-sxm-270gb", ("memory_bandwidth_gb_s", "memory_gb")),
        ("process node of the L4", "l4", ("process_node",)),
        ("memory bandwidth of the A40 vs its capacity", "a40", ("memory_bandwidth_gb_s", "memory_gb")),
        ("MI300X 的带宽和容量各是多少", "mi300x", ("memory_bandwidth_gb_s", "memory_gb")),
        ("EDR InfiniBand in GB/s", "ib-edr", ("raw_gbps_per_port", "gb_s_per_direction")),
    ],
)
def test_a_question_to_a_table_names_its_row_and_column(reader: Reader, text: str, row: str, columns: tuple[str, ...]) -> None:
    (part,) = reader.read(text).parts
    assert (part.intent, part.entities[0][1], part.columns) == ("lookup", row, columns)


@pytest.mark.parametrize(
    ("text", "own"),
    [("DGX B200 功耗，必须液冷吗", "必须液冷吗"), ("TDP of the L4 and does it need a fan", "does it need a fan")],
)
def test_what_no_column_answers_is_a_question_of_its_own(reader: Reader, text: str, own: str) -> None:
    lookup, rest = reader.read(text).parts
    assert (lookup.intent, rest.intent, rest.text) == ("lookup", "explain", own)


@pytest.mark.parametrize("text", ["how much faster is the MI300X's memory than the A100's", "MI300X 显存比 A100 快多少"])
def test_what_is_fast_of_memory_is_its_bandwidth(reader: Reader, text: str) -> None:
    (part,) = reader.read(text).parts
    assert (part.intent, part.columns) == ("compare", ("memory_bandwidth_gb_s",))


SPARSE_FP8 = "fp8_dense_tflops*sparsity_factor"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("H200 sparse FP8", (SPARSE_FP8, "fp8_dense_tflops")),
        ("L40S 的 FP8 稠密和稀疏算力", (SPARSE_FP8, "fp8_dense_tflops")),
        ("FP8 rate of the H200 without sparsity", ("fp8_dense_tflops",)),
        ("FP8 TFLOPS of the L4, without the sparsity trick", ("fp8_dense_tflops",)),
        ("B200 的 FP8 算力，不算稀疏", ("fp8_dense_tflops",)),
        ("MI300X FP8 稠密算力多少？稀疏呢", (SPARSE_FP8,)),
        ("FP8 dense rate of the L4? And sparse?", (SPARSE_FP8,)),
    ],
)
def test_a_sparse_rate_is_asked_of_the_format_spoken_of(reader: Reader, text: str, columns: tuple[str, ...]) -> None:
    assert reader.read(text).parts[-1].columns == columns


def test_lanes_beside_a_bus_are_kept_for_the_answer(reader: Reader) -> None:
    assert reader.read("PCIe 4.0 x8 vs x16 bandwidth").parts[0].slots["lanes"] == [8, 16]
    assert "lanes" not in reader.read("PCIe 4.0 x16 bandwidth").parts[0].slots


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("top 5 GPUs by memory bandwidth", {("memory_bandwidth_gb_s", "top", 5)}),
        ("显存最大的两张卡", {("memory_gb", "top", 2)}),
        ("哪张 48G 的卡功耗最低", {("memory_gb", "==", 48.0), ("tdp_w", "bottom", 1)}),
        ("which 24 GB card has the highest bandwidth", {("memory_gb", "==", 24.0), ("memory_bandwidth_gb_s", "top", 1)}),
        ("cheapest card with at least 24GB", {("memory_gb", ">=", 24.0), ("msrp_usd", "bottom", 1)}),
        ("英伟达 fp8 算力最高的三款卡", {("vendor", "in", ("NVIDIA",)), ("fp8_dense_tflops", "top", 3)}),
        ("AMD's newest accelerator", {("vendor", "in", ("AMD",)), ("release_year", "top", 1)}),
        ("哪個模型參數最多", {("params_total", "top", 1)}),
        ("单卡 BF16 算力最高的前两名是谁", {("bf16_dense_tflops", "top", 2)}),
        ("lowest power (lowest TDP) GPU with 48GB or more", {("memory_gb", ">=", 48.0), ("tdp_w", "bottom", 1)}),
        ("数据中心卡按功耗从低到高排一下", {("tdp_w", "rising", 0)}),
        ("rank A100, L40S and MI300X by memory bandwidth", {("memory_bandwidth_gb_s", "falling", 0)}),
        ("top 4 GPUs by bandwidth per watt", {("memory_bandwidth_gb_s/tdp_w", "top", 4)}),
        ("哪张消费级显卡每瓦 FP8 算力最高", {("fp8_dense_tflops/tdp_w", "top", 1)}),
        ("which GPU is the cheapest per GB", {("msrp_usd/memory_gb", "bottom", 1)}),
        ("按显存从高到低排前四的显卡", {("memory_gb", "top", 4)}),
        ("sort the top 3 GPUs by TDP", {("tdp_w", "top", 3)}),
        ("show every card you have with at least 96GB drawing under 400W", {("memory_gb", ">=", 96.0), ("tdp_w", "<", 400.0)}),
        ("把所有显存 80G 以上、功耗低于 400W 的卡给我", {("memory_gb", ">=", 80.0), ("tdp_w", "<", 400.0)}),
        ("which GPUs have more memory bandwidth than an H100 SXM? highest first", {("memory_bandwidth_gb_s", ">", 3350.0)}),
        ("哪些显卡的显存比 A100 40G 小", {("memory_gb", "<", 40.0)}),
        ("比 RTX 4090 显存更大的显卡有哪些", {("memory_gb", ">", 24.0)}),
        ("list GPUs that draw less power than an RTX 3090", {("tdp_w", "<", 350.0)}),
    ],
)
def test_a_superlative_ranks_the_table(reader: Reader, text: str, conditions: set[tuple[str, str, object]]) -> None:
    (part,) = reader.read(text).parts
    assert part.intent == "filter"
    assert {c for c in part.conditions if c[0] != "kind"} == conditions


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("哪张显卡带宽最高", 4),
        ("which card has the most memory", 5),
        ("which accelerator has the most memory", 0),
        ("NVIDIA 游戏卡里显存最大的", 1),
        ("top 3 data center GPUs by TDP", 1),
        ("哪款 TPU 带宽最高", 0),
    ],
)
def test_a_gpu_is_no_cloud_chip_and_a_class_is_a_condition(reader: Reader, text: str, kinds: int) -> None:
    (part,) = reader.read(text).parts
    assert len(next((v for c, _, v in part.conditions if c == "kind"), ())) == kinds


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("总参数超过 200B、激活参数不到 20B 的开源模型有哪些", {("params_total", ">", 2e11), ("params_active", "<", 2e10)}),
        ("which models activate under 5B parameters", {("params_active", "<", 5e9)}),
        ("哪些模型的上下文不低于 256k", {("context", ">=", 256000.0)}),
        ("list MoE models with over 300B total parameters", {("params_total", ">", 3e11), ("moe_experts", "has", None)}),
    ],
)
def test_models_are_chosen_by_their_own_columns(reader: Reader, text: str, conditions: set[tuple[str, str, object]]) -> None:
    (part,) = reader.read(text).parts
    assert (part.intent, set(part.conditions)) == ("filter", conditions)


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("48GB cards that don't have NVLink", "interconnect_gb_s"),
        ("哪些显卡没有 NVLink，显存 24G 以上", "interconnect_gb_s"),
        ("which data centre GPUs do not support FP8", "fp8_dense_tflops"),
        ("不支持 BF16 的 NVIDIA 卡", "bf16_dense_tflops"),
    ],
)
def test_what_a_card_must_not_have_is_a_condition(reader: Reader, text: str, lacking: str) -> None:
    (part,) = reader.read(text).parts
    assert part.intent == "filter" and (lacking, "lacks", None) in part.conditions


@pytest.mark.parametrize(
    "text", ["24G 显卡最大能跑多大的模型", "最多能支持多少并发，8B 模型，一张 4090", "largest batch size for 7B lora on a 3090"]
)
def test_a_superlative_of_what_a_card_can_run_ranks_nothing(reader: Reader, text: str) -> None:
    assert "filter" not in reader.read(text).intents


def test_domestic_cards_are_those_of_the_makers_on_file(reader: Reader) -> None:
    (part,) = reader.read("哪款国产卡显存最大").parts
    makers = next(value for column, _, value in part.conditions if column == "vendor")
    assert "Huawei" in makers and "NVIDIA" not in makers


@pytest.mark.parametrize(
    "text", ["出口合规版里哪些卡有 80G 显存", "Which export-compliant GPUs have at least 80 GB of memory?"]
)
def test_export_variants_are_cut_from_another_card(reader: Reader, text: str) -> None:
    (part,) = reader.read(text).parts
    assert ("derived_from", "has", None) in part.conditions


INFER, TRAIN = (
    ("memory_bandwidth_gb_s", "bf16_dense_tflops", "memory_gb"),
    ("bf16_dense_tflops", "memory_bandwidth_gb_s", "interconnect_gb_s", "memory_gb"),
)


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("A30 和 A10 哪个训练快", ("training", "best", TRAIN)),
        ("L40S or A40, which is better for fine-tuning?", ("training", "best", TRAIN)),
        ("4080 跟 3090 哪張跑 8B 推論快", ("inference", "best", INFER)),
        ("which is better for serving a 13B, A6000 or L40S", ("inference", "best", INFER)),
        ("which is faster, MI300X or H200?", ("speed", "best", INFER)),
        ("L4 和 A10 哪个省电，功耗呢", ("tdp_w", "least", ("tdp_w",))),
        ("which has better flops per watt, L4 or T4", ("bf16_dense_tflops/tdp_w", "most", ("bf16_dense_tflops/tdp_w",))),
        ("4090 还是 3090 微调 7B 好", ("training", "best", TRAIN)),
        ("3090 是不是比 4080 适合推理", ("memory_bandwidth_gb_s", ">", ("memory_bandwidth_gb_s",))),
        ("which has more parameters, DeepSeek-V3 or Kimi K2", ("params_total", "most", ("params_total",))),
        ("NVLink 4 和 PCIe 5 哪个快", ("gb_s_per_direction", "most", ("gb_s_per_direction",))),
        ("HBM3 和 HBM3e 哪个快", ("gb_s_total", "most", ("gb_s_total",))),
        ("DGX H100 的功耗比 DGX A100 高吗", ("power_max_kw", ">", ("power_max_kw",))),
        ("is the A30's bandwidth higher than the A10's", ("memory_bandwidth_gb_s", ">", ("memory_bandwidth_gb_s",))),
        ("L40S 的功耗比 A40 低吗", ("tdp_w", "<", ("tdp_w",))),
        ("B200 和 B300 带宽一样吗", ("memory_bandwidth_gb_s", "==", ("memory_bandwidth_gb_s",))),
        ("does the H200 have twice the memory of the H100", ("memory_gb", "x2", ("memory_gb",))),
    ],
)  # fmt: skip
def test_a_comparison_knows_what_it_is_to_decide(reader: Reader, text: str, decision: tuple[object, ...]) -> None:
    (part,) = reader.read(text).parts
    assert part.intent == "compare" and decision in part.conditions


@pytest.mark.parametrize("text", ["A40 vs L40S 的显存", "RTX 4090 和 RTX 3090 的区别", "4 张 L40S 和 1 张 H100 哪个训练快"])
def test_a_comparison_without_a_choice_of_one_card_decides_nothing(reader: Reader, text: str) -> None:
    assert all(not part.conditions for part in reader.read(text).parts)


@pytest.mark.parametrize(
    "text",
    [
        "qlora a 34b on a single 24gb card, is that realistic",
        "单张 24G 的卡 QLoRA 微调 34B 现实吗",
        "LoRA rank 32 on Qwen2.5 7B: how much GPU memory do I need",
        "Qwen2.5-7B 做 rank 32 的 LoRA 显存要多少",
    ],
)
def test_what_a_job_takes_is_no_list_of_cards(reader: Reader, text: str) -> None:
    assert reader.read(text).intents == ("size",)


@pytest.mark.parametrize("text", ["H100 的 NVLink 4.0 带宽是多少", "A800 NVLink 3 带宽多大", "NVLink 5 bandwidth of the B200"])
def test_a_version_between_a_link_and_its_bandwidth_leaves_it_that_of_the_link(reader: Reader, text: str) -> None:
    (part,) = reader.read(text).parts
    assert (part.intent, part.columns) == ("lookup", ("interconnect_gb_s",))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("哪些显卡的显存正好是 40GB", ("memory_gb", "==", 40.0)),
        ("有哪些卡刚好 32G 显存", ("memory_gb", "==", 32.0)),
        ("which GPUs have precisely 24 GB", ("memory_gb", "==", 24.0)),
        ("有没有单卡就超 80G 显存的，都列出来", ("memory_gb", ">", 80.0)),
        ("which GPUs have more than 64 GB", ("memory_gb", ">", 64.0)),
        ("哪些卡至少 64GB", ("memory_gb", ">=", 64.0)),
    ],
)
def test_exactly_and_more_than_are_not_at_least(reader: Reader, text: str, condition: tuple[str, str, float]) -> None:
    assert condition in reader.read(text).parts[0].conditions


@pytest.mark.parametrize(
    ("text", "makers"),
    [
        ("哪些卡显存大于 100GB，AMD 的也行", None),
        ("显存 48G 以上的卡有哪些，国产的也可以", None),
        ("which cards have over 100 GB? AMD is fine too", None),
        ("哪些 AMD 的卡显存大于 100GB", ("AMD",)),
        ("which AMD or NVIDIA cards have over 100 GB", ("NVIDIA", "AMD")),
    ],
)
def test_a_maker_that_would_do_too_is_no_condition(reader: Reader, text: str, makers: tuple[str, ...] | None) -> None:
    vendors = [tuple(v) for c, _, v in reader.read(text).parts[0].conditions if c == "vendor"]
    assert vendors == ([makers] if makers else [])


def test_how_two_differ_is_no_claim_and_what_holds_the_bigger_model_is_a_decision(reader: Reader) -> None:
    assert not reader.read("How does the H200 differ from the H100 SXM in memory capacity?").parts[0].conditions
    assert reader.read("Is the H20 different from the H100 in memory capacity?").parts[0].conditions
    for text in (
        "5090 or A6000, which one generates faster and which one holds the bigger model",
        "4090和A6000哪个推理快，哪个能跑更大的模型",
    ):
        assert [c[0] for c in reader.read(text).parts[0].conditions] == ["inference", "holding"]


def test_how_long_off_a_drive_is_a_time_to_load(reader: Reader) -> None:
    assert reader.read("a 70b in fp16, how long with an NVMe of 7 GB/s").parts[0].wanted == ("load_time",)
    assert "load_time" not in reader.read("how long to train a 7b on 1T tokens from an nvme drive on 8 H100").parts[0].wanted


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("哪些卡是 Hopper 架构的", {("family_architecture", "in", ("Hopper",))}),
        ("Ampere 架构显存 40GB 以上的卡有哪些", {("family_architecture", "in", ("Ampere",)), ("memory_gb", ">=", 40)}),
        ("安培架构的卡有哪些", {("family_architecture", "in", ("Ampere",))}),
        ("list ada lovelace workstation cards", {("family_architecture", "in", ("Ada",))}),
        ("which CDNA3 accelerators are there", {("family_architecture", "in", ("CDNA3",))}),
        ("which consumer cards have gddr7", {("memory_type", "one of", ("GDDR7",))}),
        ("哪些卡用 HBM3e", {("memory_type", "one of", ("HBM3e",))}),
        (
            "gpus with hbm that go into a normal pcie slot, 32 gb or more",
            {("memory_type", "in", ("HBM",)), ("form_factor", "in", ("PCIe",)), ("memory_gb", ">=", 32)},
        ),
        ("列一下显存大于等于80GB的加速卡", {("memory_gb", ">=", 80)}),
        ("显存小于或等于 12GB 的消费卡有哪些", {("memory_gb", "<=", 12)}),
        ("显存等于 12GB 的消费卡有哪些", {("memory_gb", "==", 12)}),
        ("HBM 带宽超过 3 TB/s 的卡有哪些", {("memory_bandwidth_gb_s", ">", 3000)}),
    ],
)
def test_what_a_card_is_made_of_is_a_condition(reader: Reader, text: str, conditions: set[tuple[str, str, object]]) -> None:
    part = reader.read(text).parts[0]
    assert part.intent == "filter"
    assert {c for c in part.conditions if c[0] != "kind"} == conditions


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("DGX Spark 内存带宽多少", ("memory_bandwidth_gb_s",)),
        ("M4 Max 内存多大", ("memory_gb",)),
        ("trn2 hbm n bw per chip??", ("memory_bandwidth_gb_s", "memory_gb")),
        ("board power of the Radeon AI PRO R9700", ("tdp_w",)),
        ("is the 4060 ti x8 or x16", ("pcie_lanes",)),
    ],
)
def test_a_property_is_read_however_it_is_called(reader: Reader, text: str, columns: tuple[str, ...]) -> None:
    part = reader.read(text).parts[0]
    assert (part.intent, part.columns) == ("lookup", columns)
