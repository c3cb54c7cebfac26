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
    "shared_expert_ffn": "moe_shared_expert_ffn",
    "moe_layer_step": "moe_layer_step",
    "dense_layers": "dense_first_layers",
    "kv_lora_rank": "kv_lora_rank",
    "q_lora_rank": "q_lora_rank",
    "qk_rope_head_dim": "qk_rope_head_dim",
    "qk_nope_head_dim": "qk_nope_head_dim",
    "v_head_dim": "v_head_dim",
    "o_lora_rank": "o_lora_rank",
    "o_groups": "o_groups",
    "context": "context",
    "sliding_window": "sliding_window",
    "full_attention_layers": "full_attention_layers",
    "linear_key_width": "linear_key_width",
    "linear_value_width": "linear_value_width",
    "learned_positions": "learned_positions",
}
FLAGS = {"tied": "tied_embeddings", "gated": "gated_mlp", "attention_gate": "attention_gate"}


def _expert_fraction(s: Shape) -> Node:
    """Counted by layers; where the experts of all layers would be more than there is, since some layers have none, by what is active."""
    none = s.typical("none_of_them")
    each = count.experts(
        hidden=s["hidden"], width=s["expert_ffn"], matrices=s["matrices"], routed=s["experts"], shared_width=none, router=none
    )
    counted = count.expert_fraction(
        experts=each, layers=s["layers"], dense_layers=_without_experts(s), parameters=s["parameters"]
    )
    if counted.value <= 1:
        return counted
    return count.expert_fraction_of_active(
        parameters=s["parameters"], active=s["active_parameters"], routed=s["experts"], top_k=s["top_k"]
    )


class Shape:
    """`shape["layers"]` is a node whatever is known; `shape.known(...)` says whether it was stated rather than derived or typical."""

    def __init__(
        self,
        known: Mapping[str, Node],
        assumptions: Assumptions,
        *,
        name: str | None = None,
        tied: bool | None = None,
        gated: bool | None = None,
        attention_gate: bool | None = None,
    ) -> None:
        self._known, self._made = dict(known), dict(known)
        self.tied, self.gated, self.attention_gate = tied, gated, attention_gate
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
    return _flagged(known, {c: row.cells[c].value for c in FLAGS.values() if c in row.cells}, assumptions, row.name)


def from_figures(figures: ModelShape, assumptions: Assumptions) -> Shape:
    """The model as the asker describes it."""
    known: dict[str, Node] = {n: Given(n, float(v), "1") for n in COLUMNS if (v := getattr(figures, n, None)) is not None}
    return Shape(known, assumptions, tied=figures.tied_embeddings, gated=figures.gated_mlp)


def counted(columns: Mapping[str, object], assumptions: Assumptions) -> dict[str, int]:
    """Parameters in all and per token, counted from the columns of a model row."""
    known: dict[str, Node] = {
        n: Given(n, float(v), "1")
        for n, c in COLUMNS.items()
        if isinstance(v := columns.get(c), int | float) and (v or n in ("shared_experts", "dense_layers"))
    }
    shape = _flagged(known, columns, assumptions)
    return {"params_total": round(shape["parameters"].value), "params_active": round(shape["active_parameters"].value)}


def _flagged(
    known: Mapping[str, Node], columns: Mapping[str, object], assumptions: Assumptions, name: str | None = None
) -> Shape:
    flags = {f: v if isinstance(v := columns.get(c), bool) else None for f, c in FLAGS.items()}
    return Shape(known, assumptions, name=name, **flags)


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
        shared_width=s["shared_width"],
        router=s["experts"],
    )
    return count.moe_total(
        layers=s["layers"], dense_layers=_without_experts(s), attention=s["attention"], feed_forward=s["feed_forward"],
        experts=experts, embedding=s["embedding"], hidden=s["hidden"],
    )  # fmt: skip


def _without_experts(s: Shape) -> Node:
    if not s.known("moe_layer_step"):
        return s["dense_layers"]
    return count.dense_layers(layers=s["layers"], first=s["dense_layers"], step=s["moe_layer_step"])


def _attention(s: Shape) -> Node:
    full = _full_attention(s)
    if not s.known("linear_key_width", "linear_value_width", "full_attention_layers"):
        return full
    linear = count.linear_attention(hidden=s["hidden"], key_width=s["linear_key_width"], value_width=s["linear_value_width"])
    return count.mixed_attention(full=full, linear=linear, layers=s["layers"], full_layers=s["full_attention_layers"])


def _full_attention(s: Shape) -> Node:
    if s.known("o_lora_rank", "o_groups", "q_lora_rank"):
        dims = {"nope_dim": s["head_dim"], "rope_dim": s.typical("none_of_them")}
        return count.grouped_latent_attention(
            query=_query(s, dims), hidden=s["hidden"], heads=s["heads"], head_dim=s["head_dim"], groups=s["o_groups"],
            output_rank=s["o_lora_rank"],
        )  # fmt: skip
    if s.is_latent and s.known("qk_nope_head_dim", "v_head_dim"):
        dims = {"nope_dim": s["qk_nope_head_dim"], "rope_dim": s["qk_rope_head_dim"]}
        return count.latent_attention(
            hidden=s["hidden"],
            heads=s["heads"],
            query=_query(s, dims),
            kv_rank=s["kv_lora_rank"],
            value_dim=s["v_head_dim"],
            **dims,
        )
    attention = count.gated_attention if s.attention_gate else count.attention
    return attention(hidden=s["hidden"], heads=s["heads"], kv_heads=s["kv_heads"], head_dim=s["head_dim"])


def _query(s: Shape, dims: Mapping[str, Node]) -> Node:
    if s.known("q_lora_rank"):
        return count.compressed_query(hidden=s["hidden"], heads=s["heads"], rank=s["q_lora_rank"], **dims)
    return count.query(hidden=s["hidden"], heads=s["heads"], **dims)


def _embedding(s: Shape) -> Node:
    copies = s.typical("copies.tied" if s.tied else "copies.untied")
    words = count.embedding(vocab=s["vocab"], hidden=s["hidden"], copies=copies)
    if not s.known("learned_positions"):
        return words
    return count.with_positions(embedding=words, positions=s["learned_positions"], hidden=s["hidden"])


def _hidden(s: Shape) -> Node:
    return count.hidden_from_layers(layers=s["layers"], width_per_layer=s.typical("typical.width_per_layer"))


def _layers(s: Shape) -> Node:
    return count.layers_from_size(
        parameters=s["parameters"], block=s.typical("typical.block"), width_per_layer=s.typical("typical.width_per_layer")
    )


def _heads(s: Shape) -> Node:
    return count.heads_from_hidden(hidden=s["hidden"], head_dim=s["head_dim"])


def _head_dim(s: Shape) -> Node:
    if s.is_latent and s.known("qk_nope_head_dim"):
        return count.latent_head_dim(nope_dim=s["qk_nope_head_dim"], rope_dim=s["qk_rope_head_dim"])
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
    "score_width": lambda s: (
        count.score_width(head_dim=s["head_dim"], value_dim=s["v_head_dim"]) if s.known("v_head_dim") else s["head_dim"]
    ),
    "kv_heads": lambda s: s["heads"] if s.known("heads") else s.typical("typical.kv_heads"),
    "ffn": lambda s: count.width_from_hidden(hidden=s["hidden"], ratio=s.typical("typical.ffn_ratio")),
    "expert_ffn": lambda s: s["ffn"],
    "live_width": lambda s: (
        count.live_width(top_k=s["top_k"], width=s["expert_ffn"], shared_width=s["shared_width"]) if s.is_moe else s["ffn"]
    ),
    "vocab": lambda s: s.typical("typical.vocab"),
    "top_k": lambda s: s.typical("none_of_them"),
    "routed_experts": lambda s: s["experts"] if s.is_moe else s.typical("typical.experts"),
    "active_experts": lambda s: s["top_k"] if s.is_moe else s.typical("typical.top_k"),
    "shared_experts": lambda s: s.typical("none_of_them"),
    "shared_width": lambda s: (
        s["shared_expert_ffn"]
        if s.known("shared_expert_ffn")
        else count.shared_width(shared=s["shared_experts"], width=s["expert_ffn"])
    ),
    "dense_layers": lambda s: s.typical("none_of_them"),
    "matrices": lambda s: s.typical("plain_matrices" if s.gated is False else "gated_matrices"),
    "maps": lambda s: s.typical("plain_maps" if s.gated is False else "gated_maps"),
    "attention": _attention,
    "feed_forward": lambda s: count.feed_forward(hidden=s["hidden"], width=s["ffn"], matrices=s["matrices"]),
    "embedding": _embedding,
    "input_embedding": lambda s: count.embedding(vocab=s["vocab"], hidden=s["hidden"], copies=s.typical("copies.input")),
    "multiplied": lambda s: (
        s["active_parameters"]
        if s.tied or not s.known("vocab", "hidden")
        else count.multiplied(active=s["active_parameters"], input_embedding=s["input_embedding"])
    ),
    "expert_fraction": _expert_fraction,
}
