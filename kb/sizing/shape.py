"""A model as nodes: what the asker or the table says, and what follows from it or is typical when they do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kb.sizing.rules import parameters as count
from kb.types.assumptions import Assumptions
from kb.types.derivation import Fact, Given, Node
from kb.types.sizing import ModelShape
from kb.types.specs import Row

# Field of a request's model, column of the model table.
COLUMNS = {
    "parameters": "params_total",
    "active_parameters": "params_active",
    "layers": "layers",
    "hidden": "hidden",
    "ffn": "ffn",
    "heads": "heads",
    "kv_heads": "kv_heads",
    "head_dim": "head_dim",
    "vocab": "vocab",
    "experts": "moe_experts",
    "top_k": "moe_top_k",
    "expert_ffn": "moe_expert_ffn",
    "shared_experts": "moe_shared_experts",
    "dense_layers": "dense_first_layers",
    "kv_lora_rank": "kv_lora_rank",
    "q_lora_rank": "q_lora_rank",
    "qk_rope_head_dim": "qk_rope_head_dim",
    "qk_nope_head_dim": "qk_nope_head_dim",
    "v_head_dim": "v_head_dim",
    "context": "context",
    "sliding_window": "sliding_window",
    "full_attention_layers": "full_attention_layers",
}


class Shape:
    """`shape["layers"]` is a node whatever is known; `shape.known(...)` says whether it was stated rather than derived or typical."""

    def __init__(
        self,
        known: Mapping[str, Node],
        tied: bool | None,
        gated: bool | None,
        assumptions: Assumptions,
        name: str | None = None,
    ) -> None:
        self._known, self._made, self.tied, self.gated = dict(known), dict(known), tied, gated
        self._constants, self.name = assumptions.constants, name

    def known(self, *names: str) -> bool:
        return all(n in self._known for n in names)

    def __getitem__(self, name: str) -> Node:
        if name not in self._made:
            self._made[name] = DERIVE[name](self)
        return self._made[name]

    def typical(self, id: str) -> Node:
        return self._constants[id]

    @property
    def is_moe(self) -> bool:
        return self.known("experts") and self["experts"].value > 1

    @property
    def is_latent(self) -> bool:
        return self.known("kv_lora_rank", "qk_rope_head_dim")


def from_row(row: Row, assumptions: Assumptions) -> Shape:
    """The model as its row of the table has it; a width of 0 means no such block."""
    known: dict[str, Node] = {}
    for name, column in COLUMNS.items():
        value = row.number(column)
        if value or (value is not None and name in ("shared_experts", "dense_layers", "full_attention_layers")):
            known[name] = Fact(name, value, "1", row.evidence(column))
    flags = {c: row.cells[c].value for c in ("tied_embeddings", "gated_mlp") if c in row.cells}
    return Shape(known, _flag(flags.get("tied_embeddings")), _flag(flags.get("gated_mlp")), assumptions, row.name)


def from_figures(figures: ModelShape, assumptions: Assumptions) -> Shape:
    """The model as the asker describes it."""
    known: dict[str, Node] = {n: Given(n, float(v), "1") for n in COLUMNS if (v := getattr(figures, n, None)) is not None}
    return Shape(known, figures.tied_embeddings, figures.gated_mlp, assumptions)


def counted(columns: Mapping[str, object], assumptions: Assumptions) -> dict[str, int]:
    """Parameters in all and per token, counted from the columns of a model row."""
    known: dict[str, Node] = {
        n: Given(n, float(v), "1")
        for n, c in COLUMNS.items()
        if isinstance(v := columns.get(c), int) and (v or n in ("shared_experts", "dense_layers"))
    }
    flags = (_flag(columns.get("tied_embeddings")), _flag(columns.get("gated_mlp")))
    shape = Shape(known, *flags, assumptions)
    return {"params_total": round(shape["parameters"].value), "params_active": round(shape["active_parameters"].value)}


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _parameters(s: Shape) -> Node:
    return (
        _total(s, s["experts"])
        if s.is_moe
        else count.dense_total(
            layers=s["layers"],
            attention=s["attention"],
            feed_forward=s["feed_forward"],
            embedding=s["embedding"],
            hidden=s["hidden"],
        )
    )


def _active(s: Shape) -> Node:
    if not s.is_moe:
        return s["parameters"]
    return _total(s, s["top_k"])


def _total(s: Shape, routed: Node) -> Node:
    experts = count.experts(
        hidden=s["hidden"],
        width=s["expert_ffn"],
        matrices=s["matrices"],
        routed=routed,
        shared=s["shared_experts"],
        router=s["experts"],
    )
    return count.moe_total(
        layers=s["layers"], dense_layers=s["dense_layers"], attention=s["attention"], feed_forward=s["feed_forward"],
        experts=experts, embedding=s["embedding"], hidden=s["hidden"],
    )  # fmt: skip


def _attention(s: Shape) -> Node:
    if not s.is_latent or not s.known("qk_nope_head_dim", "v_head_dim"):
        return count.attention(hidden=s["hidden"], heads=s["heads"], kv_heads=s["kv_heads"], head_dim=s["head_dim"])
    dims = {"nope_dim": s["qk_nope_head_dim"], "rope_dim": s["qk_rope_head_dim"]}
    query: Node = (
        count.compressed_query(hidden=s["hidden"], heads=s["heads"], rank=s["q_lora_rank"], **dims)
        if s.known("q_lora_rank")
        else count.query(hidden=s["hidden"], heads=s["heads"], **dims)
    )
    return count.latent_attention(
        hidden=s["hidden"], heads=s["heads"], query=query, kv_rank=s["kv_lora_rank"], value_dim=s["v_head_dim"], **dims
    )


def _hidden(s: Shape) -> Node:
    return count.hidden_from_layers(layers=s["layers"], width_per_layer=s.typical("typical.width_per_layer"))


def _layers(s: Shape) -> Node:
    return count.layers_from_size(
        parameters=s["parameters"], block=s.typical("typical.block"), width_per_layer=s.typical("typical.width_per_layer")
    )


def _heads(s: Shape) -> Node:
    return count.heads_from_hidden(hidden=s["hidden"], head_dim=s["head_dim"])


def _head_dim(s: Shape) -> Node:
    return (
        count.head_dim_from_hidden(hidden=s["hidden"], heads=s["heads"]) if s.known("heads") else s.typical("typical.head_dim")
    )


DERIVE: dict[str, Callable[[Shape], Node]] = {
    "parameters": _parameters,
    "active_parameters": _active,
    "layers": _layers,
    "hidden": _hidden,
    "heads": _heads,
    "head_dim": _head_dim,
    "kv_heads": lambda s: s["heads"] if s.known("heads") else s.typical("typical.kv_heads"),
    "ffn": lambda s: count.width_from_hidden(hidden=s["hidden"], ratio=s.typical("typical.ffn_ratio")),
    "expert_ffn": lambda s: s["ffn"],
    "live_width": lambda s: (
        count.live_width(top_k=s["top_k"], shared=s["shared_experts"], width=s["expert_ffn"]) if s.is_moe else s["ffn"]
    ),
    "vocab": lambda s: s.typical("typical.vocab"),
    "top_k": lambda s: s.typical("none_of_them"),
    "shared_experts": lambda s: s.typical("none_of_them"),
    "dense_layers": lambda s: s.typical("none_of_them"),
    "matrices": lambda s: s.typical("plain_matrices" if s.gated is False else "gated_matrices"),
    "maps": lambda s: s.typical("plain_maps" if s.gated is False else "gated_maps"),
    "attention": _attention,
    "feed_forward": lambda s: count.feed_forward(hidden=s["hidden"], width=s["ffn"], matrices=s["matrices"]),
    "embedding": lambda s: count.embedding(
        vocab=s["vocab"], hidden=s["hidden"], copies=s.typical("copies.tied" if s.tied else "copies.untied")
    ),
    "input_embedding": lambda s: count.embedding(vocab=s["vocab"], hidden=s["hidden"], copies=s.typical("copies.input")),
    "multiplied": lambda s: (
        s["active_parameters"]
        if s.tied or not s.known("vocab", "hidden")
        else count.multiplied(active=s["active_parameters"], input_embedding=s["input_embedding"])
    ),
    "expert_fraction": lambda s: count.expert_fraction(
        experts=count.experts(
            hidden=s["hidden"],
            width=s["expert_ffn"],
            matrices=s["matrices"],
            routed=s["experts"],
            shared=s.typical("none_of_them"),
            router=s.typical("none_of_them"),
        ),
        layers=s["layers"],
        dense_layers=s["dense_layers"],
        parameters=s["parameters"],
    ),
}
