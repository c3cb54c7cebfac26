"""A request together with all that it refers to: what is given, what the tables say, what is assumed.

The numbers of a layout may be arrays, one entry for each of many candidates that share everything else: the recipes of `plans` then
give arrays as they give numbers. Only `kb.sizing.search` makes such cases; their requests never leave it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kb.sizing.chip import Chip
from kb.sizing.elementwise import greatest, is_array, least
from kb.sizing.prices import Offer
from kb.sizing.shape import Shape
from kb.types.assumptions import Assumptions
from kb.types.derivation import Assumption, Fact, Given, Node
from kb.types.sizing import SizingRequest
from kb.types.specs import Bilingual, Row
from kb.types.units import base_of, to_base

PER_SERVER = 8  # GPUs, where nothing is said of it
# Units in which request fields are stated, where they are not counts.
STATED = {
    "tokens": "token", "input_tokens": "token", "generated_tokens": "token",
    "days": "day", "gpu_hours": "GPU-h", "global_batch_tokens": "token", "power_kw": "kW", "power_w": "W",
    "psu_w": "W", "circuit_a": "A", "circuit_v": "V", "rack_w": "W", "server_kw": "kW", "storage_gb": "GB",
    "memory_mt_s": "MT/s", "link_gb_s": "GB/s", "every_hours": "h", "seconds": "s", "mtbf_hours": "h", "token_bytes": "B",
    "step_seconds": "s", "items_per_second": "item/s", "temperature_rise": "K",
    "tokens_per_day": "token/day", "tokens_per_second": "1/s", "demanded_tokens_per_second": "1/s", "host_ram_gb": "GiB",
    "gpu_power_w": "W", "gpu_memory_gb": "GB", "size_gb": "GB", "disk_gb_s": "GB/s", "bandwidth_gb_s": "GB/s", "network_gbps": "Gbit/s",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """`asked` is the request as it came, `request` with defaults filled in. Variants of a case share model and chip."""

    asked: SizingRequest
    request: SizingRequest
    assumptions: Assumptions
    shape: Shape | None
    chip: Chip | None
    published: str = ""  # the precision in which the model's weights are published
    link: Node | None = None  # bandwidth of the network that was named, one way
    offer: Offer | None = None  # of the price table, where the asker says no price
    server: Row | None = None  # of the table of systems: the one that is named, or the usual one of these GPUs
    processor: Row | None = None  # the one that is named
    host_bandwidth: Node | None = None  # of the memory of the processors that are named or described

    def but(self, **changes: Any) -> Case:
        """The same case with another request; what the asker did not say stays an assumption."""
        return dataclasses.replace(self, request=dataclasses.replace(self.request, **changes))

    def constant(self, id: str) -> Assumption:
        return self.assumptions.constants[id]

    def field(self, name: str, unit: str = "1") -> Node:
        """A field of the request as a node, in base units; an assumption when the asker did not say it. `unit` "token" turns a
        count of positions or sequences into tokens. Raises KeyError for a field that is neither said nor filled in."""
        value = getattr(self.request, name)
        if value is None:
            raise KeyError(name)
        stated = STATED.get(name)
        number, base = (to_base(value, stated), base_of(stated)) if stated else (1.0 * value, unit)
        if getattr(self.asked, name) is not None:
            return Given(name, number, base)
        default = self.assumptions.constants.get(self.default(name))
        if default is None:
            return Given(name, number, base)
        return Assumption(name, number, base, name, default.reason, default.evidence)

    def default(self, name: str) -> str:
        """The assumption that fills in a field."""
        if name == "concurrency" and (self.request.people or self.request.active_users):
            return "people.at_once" if self.request.people else "people.active_at_once"
        return f"default.{name}"

    @cached_property
    def _made(self) -> dict[str, Node]:
        return {}

    def once(self, name: str, make: Callable[[], Node]) -> Node:
        """A node that several recipes of this case share, made at the first use, so that it stands in the derivation once."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def group(self, count: int) -> Node:
        """A number of GPUs that come together."""
        return Given("group", float(count), "1")

    @cached_property
    def training(self) -> bool:
        return self.request.workload in ("pretrain", "full_finetune", "lora", "qlora")

    @cached_property
    def engine(self) -> str | None:
        """The key of the engine of which something is assumed: the one of whose names, set apart by |, the request's text has one."""
        text = (self.request.engine or "").lower()
        names = {c.value: id.removeprefix("engine.") for id, c in self.assumptions.choices.items() if id.startswith("engine.")}
        return next((key for value, key in names.items() if any(name in text for name in value.split("|"))), None)

    @property
    def own_trainer(self) -> str | None:
        """The library that trains on the chips of a vendor where those written for the others do not run."""
        own = self.assumptions.choices.get(f"default.trainer_of_{self.chip.vendor}") if self.chip else None
        return own.value if own else None

    @property
    def apart(self) -> bool:
        """Whether what libraries for other chips do to save memory cannot be had on this one."""
        return self.chip is not None and f"apart.{self.chip.vendor}" in self.assumptions.constants

    @property
    def in_one_piece(self) -> bool:
        """Whether it runs on one computer whose chip is no card: its memory is that of the processor."""
        return self.chip is not None and self.chip.unified and self.gpu_count == 1

    @property
    def splits_layers(self) -> bool:
        """Whether the engine spreads a model over GPUs layer by layer."""
        return f"layer_split.{self.engine}" in self.assumptions.constants

    @property
    def board_power(self) -> Node | None:
        """What one GPU draws: the limit it is set to, or its rated power."""
        if self.request.gpu_power_w is not None:
            return self.field("gpu_power_w")
        return self.chip.get("tdp") if self.chip else None

    @property
    def server_power(self) -> Node | None:
        """What one server draws at most: as said, or as the table has it of the one that was named."""
        if self.request.server_kw is not None:
            return self.field("server_kw")
        whole = (
            self.request.whole_server and self.server and self.gpu_count % (self.server.number("accelerator_count") or 1) == 0
        )
        return self.rated_server if self.request.system or whole else None

    @property
    def rated_server(self) -> Node | None:
        """The highest power of the server that was named; of one that is usual for these GPUs, as an assumption."""
        rated = self.server.number("power_max_kw") if self.server else None
        if self.server is None or rated is None:
            return None
        watts, evidence = to_base(rated, "kW"), self.server.evidence("power_max_kw")
        if self.request.system == self.server.id:
            return Fact("server_power", watts, "W", evidence)
        reason = Bilingual(
            f"The server is not named: {self.server.name}, {rated:g} kW at most.",
            f"未指明服务器型号：按 {self.server.name} 计，最大功耗 {rated:g} kW。",
        )
        return Assumption("server_power", watts, "W", "server_kw", reason, evidence)

    @property
    def processor_power(self) -> Node:
        """What the processor beside the GPUs draws: as said, as the table has it, or what is usual for its kind."""
        if self.request.power_w is not None:
            return self.field("power_w")
        rated = self.processor.number("tdp_w") if self.processor else None
        if self.processor and rated:
            return Fact("processor", rated, "W", self.processor.evidence("tdp_w"))
        return self.constant(
            "processor_power.desktop" if self.request.processor in (None, "desktop") else "processor_power.server"
        )

    @property
    def available_memory(self) -> Node | None:
        return self.chip.get("memory") if self.chip else None

    @property
    def adapted(self) -> bool:
        return self.request.workload in ("lora", "qlora")

    def degree(self, name: str) -> int:
        """A count of the layout; 1 when nothing is said."""
        value = getattr(self.request, name)
        return 1 if value is None else value

    @property
    def gpu_count(self) -> int:
        return self.degree("gpu_count")

    @property
    def model_parallel(self) -> int:
        return self.degree("tensor_parallel") * self.degree("pipeline_parallel") * self.degree("context_parallel")

    @property
    def data_parallel(self) -> int:
        return greatest(1, self.gpu_count // self.model_parallel)  # type: ignore[return-value]  # whole like both of them

    @property
    def model_width(self) -> int:
        """GPUs of a server that hold different parts of a layer, or of a sequence."""
        return self.degree("tensor_parallel") * self.degree("context_parallel")

    @property
    def shares(self) -> Node:
        """The GPUs that hold one replica between them."""
        return Given("shares", 1.0 * self.model_parallel, "1")

    @property
    def holders(self) -> int:
        """The GPUs that hold the same part of the model, or a shard of it: replicas, and context-parallel ranks."""
        return self.data_parallel * self.degree("context_parallel")

    @property
    def sharded_over(self) -> int:
        """The GPUs that divide one copy by sharding: all that hold the same part, or a group of them (hybrid sharding)."""
        group = self.request.shard_degree
        return self.holders if group is None else least(group, self.holders)  # type: ignore[return-value]  # whole like both

    @property
    def linked_gpus(self) -> int:
        """GPUs joined by a link of their own: of a server, or of a larger domain where the table has one."""
        domain = self.chip.get("linked_gpus") if self.chip else None
        return max(self.request.gpus_per_node or PER_SERVER, int(domain.value) if domain else 0)

    @property
    def mixture(self) -> bool:
        """Whether tokens use only part of the model."""
        return self.shape is not None and self.shape["active_parameters"].value < self.shape["parameters"].value

    @property
    def replicas(self) -> Node:
        return Given("replicas", 1.0 * self.data_parallel, "1")

    @property
    def several_servers(self) -> bool:
        """Whether the GPUs are more than one server holds."""
        return self.gpu_count > (self.request.gpus_per_node or PER_SERVER)


def either(condition: bool, yes: Node, no: Node) -> Node:
    """The one node or the other; for an array of conditions their values entry by entry. Both are in the same unit."""
    if not is_array(condition):
        return yes if condition else no
    return Given("either", np.where(condition, yes.value, no.value), yes.unit)  # type: ignore[arg-type]
