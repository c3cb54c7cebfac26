"""A question's parts: clauses that ask something, each with its intent, its own slots and what it asks for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.types.question import Part
from kb.types.specs import SpecBook
from kb.understanding.asks import manner
from kb.understanding.asks.columns import DENSE, LINK_COLUMNS, MODEL_COLUMNS, columns_of, sparse
from kb.understanding.asks.intent import DEVICES, HOW_MANY_OF_THEM, Ask, ask_of, intent_of
from kb.understanding.asks.wanted import wanted_of
from kb.understanding.context import ASKED_OF, SPECS, TABLE_OF, Context, beliefs, entities_of, of_unknown
from kb.understanding.found import Found
from kb.understanding.meant import leads_to
from kb.understanding.names.cards import is_unified
from kb.understanding.premises.stated import settles
from kb.understanding.slots.clause import read_slots
from kb.understanding.slots.flags import read_flags
from kb.understanding.slots.merging import MODEL_SLOTS, first_wins, merge
from kb.understanding.symptoms import OUT_OF_MEMORY
from kb.understanding.text.clauses import ALSO, ASKING, COUNTED, HAVING, MINIMUM, NEEDED, clauses
from kb.understanding.turns import continuing, counted
from kb.understanding.turns.peak import at_peak
from kb.understanding.turns.way_out import tried, way_out

SEGMENT = re.compile(r"[,、]|(?<![a-z])and(?![a-z])|另外|以及")
OPEN = re.compile(
    r"(?:吗|么)\s*[?。]?\s*$|怎么|是什么|什么意思|是不是|会不会|要不要|能不能|^\s*(?:does|do|is|are|can|will|should|how|why|what)(?![a-z])"
)
QUESTION = re.compile(
    r"(?:[?]|[吗么呢]\s*[,。]?)\s*$|什么|怎么|咋|为啥"
    r"|^\W*(?:(?:and|but|so|also|then)[, ]+)*(?:what|how|why|which|is|are|does|do|can|will)(?![a-z])"
)
CHOICE = re.compile(r"选|买|哪[个张款]|(?<![a-z])(?:which|should|buy|pick|choose|better|get)(?![a-z])")
DIFFERENT = re.compile(
    r"(?<![a-z])what(?:'?s| is| are)? (?:the )?(?:actual(?:ly)?|real(?:ly)?|exactly)?\s?(?:different|differences?)"
    r"|(?<![a-z])what else (?:is )?(?:different|differs)"
    r"|(?<![a-z])what (?:has |have )?(?:actually |really )?(?:changed|changes|improved|improves)(?![a-z])"
    r"|(?<![a-z])what(?:'?s| is| are) (?:actually )?(?:new|better)(?![a-z])"
    r"|(?:到底|究竟)?(?:改|变|升级|提升|改进)了(?:什么|哪些|啥|哪里)"
    r"|how (?:do|does) (?:they|it) differ|差在哪|区别在哪|(?:有)?(?:什么|哪些)(?:区别|差别|不同)"
)
TAG = re.compile(
    r"^\W*(?:(?:这|这个|这话|那)?(?:是|说得?)?(?:对|是|好|行|可以|真|真的|正确|靠谱|对不对|是不是|是吧|真的假的|谢谢)(?:吗|吧|么)?"
    r"|(?:(?:is|are) (?:that|this|it|he|she|they) |really )?(?:right|ok(?:ay)?|correct|true|wrong|legit)|thanks?"
    r"|how (?:long|many (?:seconds|minutes|hours|days))(?: for)?(?: each| respectively| both)?"
    r"|thank you|any (?:ideas?|advice|help|suggestions?)|help|please|yes|no|or (?:not|what)|really|see|why"
    r"|how(?: (?:come|big|large|much))?)\W*$"
    r"|^\W*(?:这样?|这么慢|这个速度|慢得?离谱|太慢)?(?:算|是)?(?:不)?正常(?:吗|么|嘛)\W*$|^\W*(?:is (?:that|this|it) )?normal\W*$"
    r"|^\W*有?(?:没有)?(?:个|什么)?(?:经验值?|参考值?|公式|数|推荐|说法|讲究)(?:吗|么)?\W*$"
)
CHOICES = re.compile(r"^\W*\d+ ?(?:gb?|tb)?(?:\s?(?:or|还是|或者?|/)\s?\d+ ?(?:gb?|tb)?)+\W*$")  # figures to choose from
ELLIPTIC = re.compile(r"\?\s*$|呢\s*[?。]?\s*$")
# What a question further on supposes for itself (`and with fp8?`, `64 at once?`), and the one before does not.
SUPPOSED = frozenset(
    ["optimizer", "concurrency", "quantization", "precision", "kv_precision", "offload", "context_len", "seq_len", "micro_batch",
     "recompute", "zero_stage", "lora_rank", "requests_per_second", "tensor_parallel"]
)  # fmt: skip
OF_MEMORY = ("memory_per_gpu",)
JOBS = frozenset(["memory_gb", *(c for c, _ in MODEL_COLUMNS)])  # columns of which a job has a value, or a model
FIGURE = re.compile(r"(?<![\d.])\d{2,6}(?:\.\d{1,2})?(?![\d.])")
SPARSITY, ROUNDED = "sparsity_factor", 0.005  # the column by which sparse rates follow from dense ones; of such a rate
SUBJECT = frozenset({"model", "parameters"})
LENGTHS = frozenset({"seq_len", "context_len"})
EXPERIENCE = frozenset({"model", "parameters", "gpu_count", *LENGTHS})
OF_A_JOB = SUBJECT | {"parameters_list", "gpu_count", "nodes", "gpus_per_node"}  # what is another's of another job
HELD_IN = frozenset(
    {"memory_gb", "gpu_count", "gpu", "quantization", "kv_precision", "concurrency"}
)  # what bounds a context beside the model
LINK_SPEED, PER_LINK = "interconnect_gb_s", dict(LINK_COLUMNS)["per_link_raw"]
SPEEDS = frozenset({"interconnects", "storage_and_memory"})


def read_parts(c: Context) -> tuple[tuple[Part, ...], dict[str, Any]]:
    """(parts, slots of the whole turn)."""
    masked, strangers = c.reading.entities.low, c.reading.entities.unknown
    if (out := way_out(c) or at_peak(c)) is not None:
        return (out,), dict(out.slots)
    parts: list[Part] = []
    slots: dict[str, Any] = counted.bare_count(c)
    told: dict[str, Any] = dict(slots)  # what holds of every part: what a later part supposes for itself does not
    for start, end in clauses(c.low, c.reading.found):
        found = read_slots(masked, c.low, start, end, c.reading.found, {**c.carried, **slots})
        past = _past(slots, found, c.low[start:end])
        before = {k: slots[k] for k in sorted(past & slots.keys()) if k in EXPERIENCE}
        slots, told = ({k: v for k, v in known.items() if k not in past} for known in (slots, told))
        slots = merge(slots, found, same_turn=True) | (
            {"past": before} if "gpu_count" in before and NEEDED.search(c.low, 0, start) else {}
        )
        here = [f for f in c.reading.found if start <= f.start < end]
        known = merge(c.carried, slots)
        entities = continuing.of_server(c, here, known) or entities_of(here, known)
        if c.earlier and sum(f.quantity == "method" for f in here) > 1 and not any(f.quantity in TABLE_OF for f in here):
            entities = ()  # methods are told apart, not the cards spoken of before
        if together := continuing.together(c, start, end, here):
            ids = [id for _, id in together]
            entities, known = (
                (*together, *(e for e in entities if e[0] == "models")),
                {**known, "gpus": ids, "gpu": ids[0], "each": ("gpu", ids)},
            )
        tables = frozenset(t for t, _ in entities) or ASKED_OF & {TABLE_OF.get(s.kind, "accelerators") for s in strangers}
        named = Counter(t for t, _ in entities)
        paired = next((t for t in ("accelerators", *named) if named[t] > 1), None)
        ask = ask_of(c.low, masked, start, end, here, known, tables, c.words, c.book, paired)
        if (
            together
            and c.earlier
            and c.earlier.intent == "size"
            and not (ask.wanted or ask.columns or ask.verdict or ask.decisions)
        ):
            ask = replace(ask, wanted=c.earlier.wanted, verdict=c.earlier.asks_verdict)  # the same of another card
        part = _part(c, start, end, ask, known, entities)
        if (
            part is not None
            and part.intent in SPECS
            and HAVING.match(c.low, start, end)
            and not ASKING.search(c.low[start:end])
        ):
            part = None  # what somebody has is told, not asked
        if parts and CHOICES.match(c.low[start:end]):
            continue  # the answer to what was asked before is one of them
        failed = parts and parts[-1].intent == "troubleshoot" and read_flags(c.low[start:end])[0]  # the command that did
        own = parts and not failed and (ASKING.search(c.low[start:end]) or ALSO.search(c.low[start:end]))
        told = merge(told, {k: v for k, v in found.items() if not (own and k in SUPPOSED)}, same_turn=True)
        if parts and parts[-1].intent == "size" and MINIMUM.fullmatch(c.low, start, end):
            parts[-1] = replace(parts[-1], wanted=parts[-1].wanted or ("memory_total",))
        elif part is not None:
            parts += _single_link(part, c.low[start:end], c.book)
            _append(parts, part, here)
            parts += _left_open(c, part, start, end, tables)
        elif parts and found and (ELLIPTIC.search(c.low[start:end]) or ALSO.search(c.low[start:end])):
            wanted = parts[-1].wanted
            if "kv_cache_per_token" in wanted and "context_len" in found:
                wanted = ("kv_cache",)
            parts.append(replace(parts[-1], text=c.source(start, end).strip(), slots=known, entities=entities, wanted=wanted))
        elif parts and parts[-1].intent == "compare" and DIFFERENT.search(c.low, start, end):
            parts[-1] = replace(parts[-1], columns=())  # in all, not only in what was named
        elif parts and (wider := _with_sparse(parts[-1], c.low[start:end], c.book)):
            parts[-1] = wider
        elif parts and QUESTION.search(c.low[start:end]) and not TAG.match(c.low[start:end]):
            _append(parts, Part("explain", c.source(start, end).strip(), known, entities), here)
    everything = merge(c.carried, slots)
    if c.earlier and "gpu_count" not in slots and "gpu_count" in (parts[-1].wanted if parts else c.earlier.wanted):
        everything.pop("gpu_count", None)  # how many it is to be is what is asked
        parts = [replace(p, slots={k: v for k, v in p.slots.items() if k != "gpu_count"}) for p in parts]
        c = replace(c, carried={k: v for k, v in c.carried.items() if k != "gpu_count"})
    if not parts:
        silent = continuing.silent(c, slots, everything)
        silent = tried(silent, c.earlier, c)
        return (replace(silent, settled=settles(beliefs(c, 0, len(c.low), everything), c.low)),), everything
    for i, part in enumerate(parts):
        earlier = parts[i - 1] if i else c.earlier
        parts[i] = tried(continuing.continued(part, earlier, c), None if i else c.earlier, c)
    shared = merge(c.carried, told)
    parts = [replace(p, slots=first_wins(p.slots, shared)) for p in parts]
    return tuple(parts[:6]), dict(first_wins(parts[0].slots, everything))


def _past(slots: Mapping[str, Any], found: Mapping[str, Any], clause: str) -> frozenset[str]:
    """The slots of a job of before, where a clause asks how many cards another one takes."""
    other = SUBJECT & slots.keys() and SUBJECT & found.keys() and "gpu_count" not in found and COUNTED.search(clause)
    return OF_A_JOB | (LENGTHS if LENGTHS & found.keys() else frozenset()) if other else frozenset()


def _part(
    c: Context, start: int, end: int, ask: Ask, slots: dict[str, Any], entities: tuple[tuple[str, str], ...]
) -> Part | None:
    subject, chips = slots, [e for e in entities if e[0] in DEVICES]
    if (
        c.earlier
        and chips
        and set(ask.columns) - JOBS
        and not any(start <= f.start < end and f.quantity in SUBJECT for f in c.reading.found)
    ):
        entities = tuple(chips)  # a property of the cards is asked for, whatever model they were spoken of with
        subject = {k: v for k, v in slots.items() if k not in MODEL_SLOTS}
    ask = _as_tabled(ask, slots, chips, c.book)
    priced = next((f.unit for f in c.reading.found if f.quantity == "money"), None)  # maybe further on
    intent = intent_of(ask, {"currency": priced, **subject} if priced else subject, entities)
    if intent is None:
        return None
    kept = ask.columns if intent in SPECS else ()
    if of_unknown(c, slots, entities) and (intent in ("size", "lookup", "compare") or ask.columns):
        intent, entities, kept = "explain", (), ask.columns  # for when the name is put right
    if intent == "explain" and c.reading.entities.unknown and entities and ask.comparing and not (ask.how or ask.why):
        intent = "lookup"  # of two things compared one is unknown
    sizing, short = intent == "size", intent == "troubleshoot" and OUT_OF_MEMORY.search(c.low, start, end)
    columns = _published(kept, entities, c.book)
    decisions = tuple(d if d[0] in columns or d[0] not in kept else (columns[0], d[1], columns[:1]) for d in ask.decisions)
    return Part(
        intent=intent,
        text=c.source(start, end).strip(),
        slots=slots,
        entities=entities,
        columns=columns,
        wanted=_for_slots(tuple(w for w in ask.wanted if w != "hardware" or not (chips and ask.verdict)), slots)
        if sizing or (set(ask.wanted) == {"cost"} and not ask.published)
        else OF_MEMORY
        if short
        else (),
        conditions=ask.conditions if intent == "filter" else decisions if intent == "compare" else (),
        pointing=ask.pointing and not ask.trouble,
        settled=settles(beliefs(c, start, end, slots), c.low[start:end]),
        asks_verdict=sizing and (ask.verdict or (slots.get("each", ("",))[0] in ("gpu", "parameters") and not ask.wanted)),
    )


def _single_link(part: Part, clause: str, book: SpecBook) -> list[Part]:
    """Of cards whose link is asked for link by link: what one carries, and how many make up the bandwidth of the card."""
    if part.intent not in SPECS or not {LINK_SPEED, "interconnect_name"} & {*part.columns} or not PER_LINK.search(clause):
        return []
    cards = [row for table, id in part.entities if table == "accelerators" and (row := book.row(table, id))]
    totals = {_plain(row.text("interconnect_name") or ""): row.number(LINK_SPEED) for row in cards}
    links = [r for r in book.rows("interconnects") if _plain(r.name) in totals and r.text("per_link_raw")]
    whole = all(r.number("gb_s_bidirectional") == totals[_plain(r.name)] for r in links)  # none of them was cut off
    columns = ("per_link_raw", "links_per_gpu") if whole else ("per_link_raw",)
    entities = tuple(("interconnects", r.id) for r in links)
    return [replace(part, intent="lookup", entities=entities, columns=columns)] if links else []


def _plain(link: str) -> str:
    """The name of a link without what stands in brackets behind it."""
    return link.partition(" (")[0]


def _with_sparse(part: Part, clause: str, book: SpecBook) -> Part | None:
    """A part that asks for a dense rate, with the sparse one beside it, where a clause asks after just that figure."""
    figures = {float(n) for n in FIGURE.findall(clause)} if part.intent in SPECS else set()
    rows = [row for table, id in part.entities if (row := book.row(table, id))]
    for column in (n for n in part.columns if n in DENSE) if figures else ():
        rates = [(row.number(column) or 0.0) * (row.number(SPARSITY) or 0.0) for row in rows]
        if any(rate and abs(figure - rate) <= ROUNDED * rate for figure in figures for rate in rates):
            return replace(part, columns=tuple(dict.fromkeys((*part.columns, sparse(column)))))
    return None


def _as_tabled(ask: Ask, slots: Mapping[str, Any], chips: Sequence[tuple[str, str]], book: SpecBook) -> Ask:
    """What is asked like a value to compute, and stands in a table: a length that nothing bounds, the RAM that is the chip's memory."""
    if ask.wanted == ("max_context_len",) and slots.get("model") and not (chips or slots.keys() & HELD_IN):
        return replace(ask, wanted=(), columns=("context",), verdict=False)
    rows = [r for t, i in chips if (r := book.row(t, i))]
    if "host_ram" in ask.wanted and rows and all(is_unified(r) for r in rows):
        wanted = tuple(n for n in ask.wanted if n != "host_ram")
        return replace(ask, wanted=wanted, columns=ask.columns or ("memory_gb",))
    return ask


def _left_open(c: Context, part: Part, start: int, end: int, tables: frozenset[str]) -> list[Part]:
    """What a clause asks beside columns or computed values: a question of its own, which none of them answers."""
    if not (part.columns if part.intent == "lookup" else part.intent in ("compare", "size")):
        return []
    out, at = [], start
    for cut in (*(m.span() for m in SEGMENT.finditer(c.low, start, end)), (end, end)):
        low, masked = c.low[at : cut[0]], c.reading.entities.low[at : cut[0]]
        here = [f for f in c.reading.found if at <= f.start < cut[0]]
        told = any(
            f.quantity in ("bandwidth", "memory", "power") for f in here
        )  # whether it is as much as that, the figure says
        told = told or TAG.match(low) is not None or bool(wanted_of(low, masked)) or manner.asks_verdict(low, masked)
        told = told or (
            part.intent == "compare" and bool(manner.COMPARE.search(low) or CHOICE.search(low) or DIFFERENT.search(low))
        )
        told = told or _with_sparse(part, low, c.book) is not None
        told = told or ("gpu_count" in part.wanted and HOW_MANY_OF_THEM.search(low) is not None)
        if OPEN.search(low) and not told and not columns_of(low, masked, here, tables):
            out.append(
                replace(
                    part,
                    intent="explain",
                    text=c.source(at, cut[0]).strip(),
                    columns=(),
                    wanted=(),
                    conditions=(),
                    asks_verdict=False,
                )
            )
        at = cut[1]
    return [p for p in out if p.text != part.text][:1]


def _published(columns: tuple[str, ...], entities: tuple[tuple[str, str], ...], book: SpecBook) -> tuple[str, ...]:
    """Of the ways to state the speed of a link or a drive those that some row holds; all, when none does."""
    if not entities or any(table not in SPEEDS for table, _ in entities):
        return columns
    rows = [row for table, id in entities if (row := book.row(table, id))]
    return tuple(c for c in columns if any((cell := r.cells.get(c)) and cell.status != "unknown" for r in rows)) or columns


def _for_slots(wanted: tuple[str, ...], slots: Mapping[str, Any]) -> tuple[str, ...]:
    """What is asked for, given what was said: per-card memory of several ZeRO stages is the states', which is all that the stages
    change; how many servers a model takes depends on how many GPUs it takes."""
    if slots.get("each", ("",))[0] == "lora_rank" and not wanted:
        return ("memory_total",)
    if slots.get("each", ("",))[0] == "zero_stage" and (slots.get("gpu_count") or 0) > 1:
        wanted = tuple("model_states_per_gpu" if w == "model_states" else w for w in wanted)
    if not wanted and {"tokens", "gpu", "gpu_count"} <= slots.keys() and slots.keys() & {"days", "hours"}:
        return ("training_time",)  # whether it is enough is a matter of the time that was said
    if slots.get("workload") == "inference":
        pace = (
            "tokens_per_second",
            *(("training_time",) if slots.get("output_tokens") else ()),
        )  # of the answer that is written
        wanted = tuple(dict.fromkeys("decode_tokens_per_second" if w in pace else w for w in wanted))
    counted = "gpu_count" in wanted or slots.keys() & {"gpu_count", "nodes"}
    if "nodes" in wanted and not counted and slots.keys() & {"model", "parameters"}:
        wanted = ("gpu_count", *wanted)
    if "memory_per_gpu" in wanted and slots.get("each", ("",))[0] == "zero_stage":
        return tuple("model_states_per_gpu" if w == "memory_per_gpu" else w for w in wanted)
    return wanted


def _append(parts: list[Part], part: Part, here: Sequence[Found]) -> None:
    """Add a part, unless it only says again what the one before asks."""
    parts[:] = [p for p in parts if not leads_to(p, part)]
    last = parts[-1] if parts else None
    if last and "pcie_lanes" in last.wanted and part.intent in ("explain", "filter") and not here:
        return  # who has them is told with their number
    told = ((), ("cost",), *([] if SUBJECT & part.slots.keys() else [("training_time",)]))
    if any("break_even" in p.wanted for p in parts) and part.wanted in told and part.intent in ("size", "explain"):
        return  # what the rent is, which is cheaper and when, belongs to rent or purchase
    if last and last.intent == "troubleshoot" and part.intent == "size":
        if not (SUBJECT | {"layers"}) & part.slots.keys():
            return  # a line of its log
        if last.wanted == OF_MEMORY and read_flags(part.text.lower())[0]:  # the command that ran out of memory
            parts[-1] = replace(last, text=f"{last.text} {part.text}", slots=part.slots, entities=part.entities)
            return
    if last and last.intent == part.intent == "lookup" and last.text[-1:] in ",，" and last.entities == part.entities:
        columns = tuple(dict.fromkeys((*last.columns, *part.columns)))
        parts[-1] = replace(part, text=f"{last.text}{part.text}", columns=columns)
    elif last and part.intent == "explain" and not here and last.intent in ("troubleshoot", "explain"):
        parts[-1] = replace(last, text=f"{last.text} {part.text}")
    elif (
        last
        and part.intent == last.intent == "size"
        and part.wanted
        and not (last.wanted or last.asks_verdict)
        and part.entities == last.entities
    ) or (last and part.intent == last.intent == "troubleshoot"):
        parts[-1] = replace(part, text=f"{last.text} {part.text}")
    elif (
        last
        and last.intent == part.intent == "compare"
        and last.entities == part.entities
        and part.conditions
        and not part.columns
    ):
        parts[-1] = replace(last, conditions=(*last.conditions, *part.conditions))
    elif (last and part.intent in SPECS and not part.columns and last.intent in SPECS and last.entities == part.entities) or (
        last
        and (last.intent, last.columns, last.wanted, last.entities, dict(last.slots))
        == (part.intent, part.columns, part.wanted, part.entities, dict(part.slots))
        and part.intent in ("lookup", "compare", "size")
    ):
        return
    else:
        parts.append(part)
