"""The intent of a clause, from what it asks for and what is known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kb.types.question import Intent
from kb.types.specs import SpecBook
from kb.understanding.asks import manner, vague
from kb.understanding.asks.columns import MODEL_COLUMNS, SO_MANY_T, SPEED, SPEED_OF_CARD, columns_of, formats_alone
from kb.understanding.asks.conditions import (
    LIST,
    SHAPED_CARDS,
    SHORT_LIST,
    SOUGHT,
    SUPPORTING,
    UNPLUGGED,
    Condition,
    conditions_of,
)
from kb.understanding.asks.decisions import Decision, decisions_of
from kb.understanding.asks.needs import needs_link
from kb.understanding.asks.ranking import ranking_of
from kb.understanding.asks.wanted import wanted_of
from kb.understanding.found import Found
from kb.understanding.names.entities import SUBJECT
from kb.understanding.slots.known import tells_model
from kb.understanding.slots.running import SURCHARGE
from kb.understanding.symptoms import FEARED, TROUBLE

# Values whose words may equally mean a column of the spec table.
LIKE_COLUMNS = frozenset([
    "write_bandwidth", "memory_total", "power", "weights", "network_bandwidth", "host_ram", "storage", "memory_per_gpu", "psu",
    "cost", "pcie_lanes", "decode_tokens_per_second",
])  # fmt: skip
OF_MODEL_TABLE = frozenset(column for column, _ in MODEL_COLUMNS)
DEVICES = frozenset({"accelerators", "systems"})
OF_BOXES = frozenset({"gpu_count", "cpu_cores", "nodes", "kv_cache"})  # what a server has, not what a job needs
OF_MODELS = frozenset({"trainable_parameters", "weights", "kv_cache", "memory_total", "memory_per_gpu", "gpu_count"})
AROUND = frozenset({"host_ram", "storage", "cpu_cores", "network_bandwidth"})
PRICED = ("currency", "gpu_hours", "hours", "days", "price_per_gpu_hour", "gpu_count", "electricity_price", "power_w", "tokens")
PAID = ("purchase_price", "price_per_hour", "price_per_month", "budget")
TAKEN = frozenset({"training_time", "gpu_hours", "cost", "gpu_count"})  # what is told of a run that is over
RUN = ("gpu_count", "nodes", "tokens", "mfu", "days", "price_per_gpu_hour")  # what describes a run that is planned
# What two things that are said of prices leave to ask, however it is put.
OF_PRICES = {
    "api_break_even": ("price_per_million_tokens", "price_per_gpu_hour"),
    "storage_cost": ("price_per_gb_month", "days"),
}
COLLECTIVES = frozenset({"all_gather_time", "reduce_scatter_time", "all_to_all_time"})
ENOUGH = re.compile(
    r"够不够|够[吗么]|(?<![a-z])(?:is|are|will|would) (?:\w{1,8} )?(?:\d{1,3}|one|two|three|four|eight) (?:\w{1,8} )?(?:be )?enough"
)
KIND = (
    r"(?:(?<![a-z])(?:tp|pp|dp|ep|cp|sp|fsdp|ddp|zero(?:[- ]?[123])?|(?:tensor|pipeline|data|expert|sequence|context)[- ]parallel\w*)"
    r"[ -]?\d{0,3}(?![a-z])|(?:张量|流水线|数据|专家|序列|上下文)并行)"
)
PARALLEL = re.compile(rf"{KIND}[ ,]{{0,2}}(?:or|vs\.?|versus|还是|或者?)[ ]?(?:用|use |with )?{KIND}")
HOLDS_SO_MUCH = re.compile(r"能?(?:放|开|跑|撑|存|装|塞|支持)(?:得)?(?:下|到|住)?(?=多[长少大]|几)|能(?=(?:训|跑|练)完)")
# 跑 13B, 16G 的卡: a card described, behind what it is to hold.
OWN_CARD = re.compile(
    r"[,，、 ]\s?(?:用|就|只有|手上)?\s?(?:一张|一块|单张)?\s?\d{1,3} ?gb?\s?(?:显存)?\s?的\s?(?:显?卡|gpu)\s?[?。!]?\s*$"
)
ANY_FASTER = re.compile(r"(?<![a-z])any (?:faster|slower|better|quicker|good|use)(?![a-z])")
# The cards that were named before.
HOW_MANY_OF_THEM = re.compile(
    r"(?<![a-z])how many(?: of (?:them|those|these))?(?=\s*(?:[?.!]|$|(?:for|to (?:run|serve|host|hold|fit|train|fine-?tune|use))(?![a-z])"
    r"|(?:do|would|will|should) (?:i|we|you) (?:need|take|want)))|(?:要|需要|得)(?:用)?(?:几|多少)个?\s*[?。]?\s*$"
)
APART = re.compile(r"分别|各自?(?:是|有|为)?多少|(?<![a-z])respective(?:ly)?(?![a-z])")
AND_HOW_MANY = re.compile(
    r"(?<![a-z])(?:which|what) (?:kind of |type of |sort of )?(?:gpus?|(?:graphics |video )?cards?)[^,.;?]{0,12}?"
    r"(?:,? (?:and|&|\+) |, )how many(?![a-z])"
)
STATED = ("mtbf_hours", "memory_gb", "host_ram_gb", "psu_w", "size_gb", "layers")


@dataclass(frozen=True, slots=True)
class Ask:
    """What a clause asks. `reason`: it asks why; `how`: it asks how to, or what is advisable; `link`: whether a link or
    a measure is needed, or which kind of parallelism;
    `decisions`: what a comparison of several chips is to decide; `effect`: what a measure saves or costs; `pointing`: whether a card
    that it only points at is good or enough; `published`: what a run that is over took; `enough`:
    whether a number of cards is; `gain`: what a way of serving brings; `about`: what a card is, and nothing else."""

    wanted: tuple[str, ...]
    columns: tuple[str, ...]
    conditions: tuple[Condition, ...]
    decisions: tuple[Decision, ...]
    verdict: bool
    listing: bool
    apart: bool
    comparing: bool
    trouble: bool
    why: bool
    reason: bool
    how: bool
    defines: bool
    link: bool
    effect: bool
    pointing: bool
    published: bool
    enough: bool
    supporting: bool = False
    gain: bool = False
    about: bool = False


def ask_of(
    low: str, masked: str, start: int, end: int, here: Sequence[Found], slots: Mapping[str, Any],
    tables: frozenset[str], words: Mapping[str, Sequence[str]], book: SpecBook, paired: str | None = None,
) -> Ask:  # fmt: skip
    """What the clause low[start:end] asks; `here` are its quantities, `paired`: the table of several things it is about. Rates are
    blanked: 1 TB/s is no rate of tokens, and one that is stated is not asked for."""
    text, hidden = _blanked(low, start, end, here), _blanked(masked, start, end, here)
    named = sum(f.quantity == "gpu" for f in here) > 1
    listing = bool(
        LIST.search(text)
        or LIST.search(hidden)
        or SHORT_LIST.search(masked[start:end])
        or (not named and (SHAPED_CARDS.search(text) or UNPLUGGED.search(text)))
        or SUPPORTING.search(hidden)
        or (SOUGHT.search(hidden) and not (slots.get("model") or slots.get("parameters")))
    )
    listing = listing or bool(
        (named or not tables & DEVICES) and (found := ranking_of(text, named)) and (not named or not found.count)
    )
    if named and manner.EITHER.search(hidden) and not ranking_of(text, named):
        listing = False  # one of those named is to be chosen
    if any(f.quantity == "gpu" for f in here) and ANY_FASTER.search(text):
        listing = False  # of those that are named
    if OWN_CARD.search(text) and any(f.quantity in ("model", "parameters") for f in here):
        listing = False  # it is what the model is to run on
    wanted = wanted_of(text, hidden)
    if slots.get("with_optimizer") and {"checkpoint_size", "storage"} & set(wanted):
        wanted = tuple(n for n in wanted if n != "optimizer_states")  # what the file holds
    if AND_HOW_MANY.search(text) and (slots.get("model") or slots.get("parameters")):
        wanted, listing = tuple(dict.fromkeys(("gpu_count", "hardware", *wanted))), False
    listing = listing or ("hardware" in wanted and "gpu_count" not in wanted)
    if (
        any(f.quantity == "money" for f in here)
        and manner.HOW_MUCH.search(text)
        and not set(wanted) - {"memory_total", "memory_per_gpu"}
    ):
        wanted = ("cost",)
    if slots.get("concurrency") and not re.search(r"最多|最大|max|how many", text):
        wanted = tuple(n for n in wanted if n != "max_concurrency")  # so many there are
    columns = columns_of(text, hidden, here, tables) if tables else ()
    if not columns and tables == {"accelerators"} and not (slots.get("model") or slots.get("parameters")):
        columns = formats_alone(hidden, low, here, bool(paired))
    of_card = tables == {"accelerators"} and not paired and not slots.get("workload")  # and of no model that is to run on it
    if of_card and wanted == ("decode_tokens_per_second",) and SPEED_OF_CARD.search(hidden):
        wanted, columns = (), tuple(dict.fromkeys((*columns, *SPEED)))
    if tables == {"accelerators"} and SO_MANY_T.search(text) and any(f.quantity == "precision" for f in here):
        wanted = tuple(n for n in wanted if n != "checkpoint_size")
    several = (slots.get("gpu_count") or 0) > 1 if "tdp_w" in columns else slots.get("nodes", 1) > 1
    if several and {"tdp_w", "power_max_kw"} & set(columns) and not {"power", "psu", "energy", "cost"} & set(wanted):
        wanted = (*wanted, "power")
    job = slots.get("model") or slots.get("parameters")
    if not wanted and job and (slots.get("gpu") or slots.get("memory_gb")) and HOW_MANY_OF_THEM.search(text):
        wanted = ("gpu_count",)
    wanted = _as_said(wanted, slots)
    if needs_link(text) and not set(wanted) - {"memory_total", "network_bandwidth"}:
        wanted, columns = ("network_bandwidth",), ()
    return Ask(
        published=bool(manner.PUBLISHED.search(text)),
        enough=bool(ENOUGH.search(text)),
        supporting=bool(SUPPORTING.search(hidden)) and listing,
        about=SUBJECT.match(hidden) is not None,
        wanted=wanted,
        columns=columns,
        conditions=conditions_of(low, start, end, here, slots, words, book) if listing else (),
        decisions=decisions_of(hidden, columns, here, cards=paired == "accelerators") if paired else (),
        verdict=manner.asks_verdict(*(_of_amount(text, hidden) if wanted else (text, hidden)))
        or (not wanted and manner.names_a_fit(hidden) and not (manner.WORTH.search(text) or PARALLEL.search(text))),
        listing=listing,
        apart=bool(APART.search(text)),
        comparing=bool(manner.COMPARE.search(text) or manner.EITHER.search(hidden)),
        trouble=bool(TROUBLE.search(SURCHARGE.sub(" ", text))) and not FEARED.search(text),
        why=bool(manner.WHY.search(text)),
        reason=bool(manner.REASON.search(text)),
        how=bool(manner.HOWTO.search(text)),
        defines=bool(manner.DEFINES.search(text)),
        link=bool(manner.OF_A_LINK.search(text) or PARALLEL.search(text) or manner.WORTH.search(text)),
        effect=bool(manner.EFFECT.search(text)),
        gain=bool(manner.GAIN.search(text)),
        pointing=bool(vague.POINTED.search(text)) and bool(vague.OPINION.search(text) or manner.asks_verdict(text, hidden)),
    )


def _as_said(wanted: tuple[str, ...], slots: Mapping[str, Any]) -> tuple[str, ...]:
    """What is asked for, given what is said: a bandwidth that follows from a time, and what power feeds."""
    out = dict.fromkeys(("checkpoint_size",) if slots.get("checkpoint_why") else wanted)
    if not (slots.get("size_gb") and (slots.get("bandwidth_gb_s") or slots.get("network_gbps"))):
        out = {n: None for n in out if n not in COLLECTIVES}  # of which a time is no matter
    out = dict.fromkeys(_of_files(tuple(out), slots))
    if slots.get("full_price_per_gpu_hour"):
        out = dict.fromkeys(
            "saving" if n in ("cost", "break_even") else n for n in out
        )  # of two prices: which, and by how much
    elif "saving" in out and not (slots.get("discount") and slots.get("price_per_gpu_hour")):
        out.pop("saving")
    for value, stated in OF_PRICES.items():
        if all(slots.get(s) for s in stated):
            out = {value: None} | {n: None for n in out if n not in ("cost", "break_even", "cost_per_million_tokens")}
    if slots.get("size_gb") and len(out) > 1:
        out.pop("weights", None)  # which are said
    if not (slots.get("seconds") or slots.get("hours")):
        out.pop("write_bandwidth", None)  # which is that of a drive, or follows from a time
    if any(slots.get(s) for s in ("model", "parameters", "layers")) or not (
        slots.get("rack_w") or slots.get("power_w") or slots.get("circuit_a")
    ):
        return tuple(out)
    servers = {"nodes", "server_count"} & set(out) or ("gpu_count" in out and slots.get("gpus_per_node"))
    if servers:
        return tuple(dict.fromkeys("server_count" if n in ("nodes", "gpu_count", "server_count") else n for n in out))
    return tuple("gpus_on_power" if name == "gpu_count" else name for name in out)


def _of_files(wanted: tuple[str, ...], slots: Mapping[str, Any]) -> tuple[str, ...]:
    """What is asked of files of a size that is said: the room for so many, the link that carries one in the time that is said."""
    sized = slots.get("size_gb") and not slots.get("gpu")
    if sized and slots.get("copies") and {"capacity", "storage"} & set(wanted):
        kept = (
            n for n in wanted if n not in ("capacity", "storage", "checkpoint_size", "memory_total", "weights", "dataset_size")
        )
        wanted = ("storage", *kept)
    several = len(slots.get("formats", ())) > 1 and (slots.get("model") or slots.get("parameters"))
    if several and {"capacity", "storage"} & set(wanted) and slots.get("workload") in (None, "inference"):
        return ("storage",)  # of all of them together
    timed = sized and (slots.get("seconds") or slots.get("hours")) and "write_bandwidth" not in wanted
    if "transfer_bandwidth" in wanted and timed:
        return tuple(n for n in wanted if n == "storage" or n == "transfer_bandwidth")
    return tuple(n for n in wanted if n not in ("capacity", "transfer_bandwidth"))


def _of_amount(text: str, hidden: str) -> tuple[str, str]:
    """A clause that asks how many, or how long a context is held, without the `can` of its question, which is no question of fit."""
    text, hidden = HOLDS_SO_MUCH.sub(" ", text), HOLDS_SO_MUCH.sub(" ", hidden)
    if not manner.HOW_MANY.match(text):
        return text, hidden
    return re.sub(r"(?<![a-z])can(?![a-z])", "   ", text), re.sub(r"(?<![a-z])can(?![a-z])", "   ", hidden)


def _blanked(text: str, start: int, end: int, here: Sequence[Found]) -> str:
    out = text[start:end]
    for f in here:
        if f.quantity == "bandwidth" or f.extra.get("per") == "second":
            out = out[: f.start - start] + " " * (f.end - f.start) + out[f.end - start :]
    return out


def intent_of(ask: Ask, slots: Mapping[str, Any], entities: Sequence[tuple[str, str]]) -> Intent | None:
    """The intent, or None for a clause that asks nothing."""
    subject = tells_model(slots) or bool(slots.get("layers") or slots.get("model_family"))
    chips = [e for e in entities if e[0] in ("accelerators", "systems")]
    specific = set(ask.wanted) - {"memory_total", "decode_tokens_per_second", "weights", "cost"}
    if ask.defines and not entities and not subject and not ask.conditions:
        return "explain"
    if (ask.wanted == ("storage",) and subject and len(slots.get("formats", ())) > 1) or (
        subject and slots.get("checkpoint_why")
    ):
        return "size"
    if ask.reason:
        return "troubleshoot" if ask.trouble else "explain"
    weighed = slots.get("each", ("",))[0] == "optimizer" and subject and not (ask.why or ask.trouble)
    if weighed and (ask.wanted or ask.effect or ask.comparing):
        return "size"  # optimizers are compared by what they take
    if ask.published and slots.get("model") and TAKEN & set(ask.wanted) and not any(slots.get(k) for k in RUN):
        return "explain"
    bought = slots.get("purchase_price") or slots.get("budget")
    if "saving" in ask.wanted or ("pcie_lanes" in ask.wanted and (slots.get("gpu_count") or slots.get("drives"))):
        return "size"
    if {"cost", "break_even"} & set(ask.wanted) and bought and slots.get("per_gpu_hour") and slots.get("days"):
        return "size"  # what an hour comes to of what is bought for so many years
    if slots.get("each", ("",))[0] == "lora_rank" and subject and not ask.why:
        return "size"  # whether it matters, the difference says
    if (ask.gain and not chips) or (ask.effect and not subject and not ask.trouble):
        return "explain"
    if ask.trouble and (ask.why or (ask.how and not specific) or not (ask.wanted or ask.verdict)):
        return "troubleshoot"
    if ask.about and len(chips) == 1 and not subject:
        return "lookup"
    if ask.columns and ask.apart and len(chips) > 1 and not subject:
        return "compare"  # how much each has, whatever it is worth
    if "hardware" in ask.wanted and subject and not chips and _loaded(slots):
        return "size"
    if slots.get("circuit_a") and (chips or slots.get("power_w") or slots.get("server_kw")) and not (ask.why or ask.how):
        return "size"
    if ask.decisions and not ask.supporting and not specific and (slots.get("gpu_count") or 1) == 1:
        return "compare"
    listed = not ask.supporting and len(chips) > 1 and ask.comparing and all(op == "has" for _, op, _ in ask.conditions)
    counted = subject and "gpu_count" in ask.wanted and (chips or slots.get("memory_gb"))  # of cards that are described
    placed = subject and ask.verdict and (chips or (slots.get("memory_gb") and slots.get("gpu_count")))
    spent = (
        subject and slots.get("budget") and slots.get("task") and not chips
    )  # on what tunes or trains a model, which weights do not tell
    sizes = slots.get("each", ("",))[0] == "parameters" and (chips or slots.get("memory_gb"))
    if sizes and ask.listing and not (ask.wanted or ask.columns):
        return "size"  # which of the models does it, and no card
    if ask.listing and ask.conditions and not (listed or counted or placed or spent):
        return "filter"
    if "layout" in ask.wanted and subject and chips:
        return "size"
    if subject and len(slots.get("workloads", ())) > 1 and ask.comparing and not ask.why:
        return "size"  # methods are compared by what they take
    if (ask.why and not ask.wanted and not ask.columns) or (ask.link and not ask.wanted):
        return "explain"
    if (subject or slots.get("of_each")) and len(chips) > 1 and slots.get("each", ("",))[0] == "gpu" and not ask.columns:
        return "size"  # for a model, or by what is said of each, cards are compared by what they do with it
    if len(chips) > 1 and ask.comparing and not (subject and (ask.wanted or ask.verdict)):
        return "compare"
    if chips and {"server_count", "gpus_on_power", "heat"} & set(ask.wanted) and not subject:
        return "size"
    if set(ask.wanted) == {"network_bandwidth"} and not (subject or ask.columns):
        return "explain"
    if ask.columns and (found := _spec_question(ask, slots, entities, chips, subject)):
        return found
    if ask.wanted or ask.verdict:
        return _sized(ask, slots, subject, bool(chips))
    if ask.comparing and len(entities) > 1:
        return "compare"
    if ask.how or ask.why or ask.listing or ask.comparing:
        return "explain"
    return "troubleshoot" if ask.trouble else "explain" if ask.pointing else None


def _loaded(slots: Mapping[str, Any]) -> bool:
    """Whether a job is described by which hardware can be chosen: a workload, a service for many, or what may be spent on it."""
    said = slots.get("task") or slots.get("workload") or slots.get("budget")
    return bool(said or (slots.get("concurrency") or 1) > 1 or slots.get("requests_per_second") or slots.get("tokens"))


def _spec_question(
    ask: Ask, slots: Mapping[str, Any], entities: Sequence[tuple[str, str]], chips: Sequence[tuple[str, str]], subject: bool
) -> Intent | None:
    boxed = any(t == "systems" for t, _ in chips) and slots.get("nodes", 1) == 1
    several = (slots.get("gpu_count") or 0) > 1 and not boxed
    links = [e for e in entities if e[0] in ("interconnects", "cpus", "storage_and_memory")]
    if boxed and not subject and not ask.verdict and not set(ask.wanted) - LIKE_COLUMNS - OF_BOXES:
        return "compare" if len(chips) > 1 else "lookup"
    if links and not chips and not subject and not ask.verdict and not set(ask.wanted) - LIKE_COLUMNS - {"cpu_cores"}:
        return "compare" if len(links) > 1 else "lookup"
    if (chips or links) and not subject and not set(ask.wanted) - LIKE_COLUMNS and not (ask.verdict and slots.get("workload")):
        if {"psu", "host_ram", "storage"} & set(ask.wanted) or (
            several and {"power", "memory_total", "cost", "pcie_lanes"} & set(ask.wanted)
        ):
            return "size"
        return "compare" if len(chips or links) > 1 else "lookup"
    models = [e for e in entities if e[0] == "models"]
    if (
        models
        and not chips
        and set(ask.columns) & OF_MODEL_TABLE
        and not set(ask.wanted) & OF_MODELS
        and (set(ask.columns) != {"context"} or not ask.wanted)
    ):
        return "compare" if len(models) > 1 else "lookup"
    return None


def _sized(ask: Ask, slots: Mapping[str, Any], subject: bool, chips: bool) -> Intent | None:
    if ask.comparing and not (subject or chips or any(slots.get(k) for k in STATED)) and set(ask.wanted) & OF_MODELS:
        return "explain"  # two ways of doing something, of no model in particular
    placed = subject and (chips or slots.get("memory_gb"))
    served = {"workload"} if slots.get("workload") == "inference" else set()
    if ask.how and not ask.wanted and not (ask.verdict and placed and (slots.get("workload") or ask.enough)):
        return "explain"
    if set(ask.wanted) == {"cost"} and not any(slots.get(k) for k in PRICED):
        return "explain"
    if set(ask.wanted) == {"break_even"} and chips and not any(slots.get(k) for k in (*PRICED, *PAID)):
        return "explain"
    if ask.how and not (subject or chips or any(slots.get(k) for k in (*PRICED, *STATED))):
        return "explain"
    if set(ask.wanted) == {"network_bandwidth"} and not subject:
        return "explain"  # which adapters a cluster takes is advice
    filed = "host_ram" in ask.wanted and slots.get("size_gb")
    if (
        ask.how
        and ask.wanted
        and set(ask.wanted) <= AROUND
        and not filed
        and not {"workload", "task", "offload"} & slots.keys() - served
    ):
        return "explain"  # what a server wants around its cards is a list of advice
    if set(ask.wanted) == {"pipeline_bubble"} and not (slots.get("pipeline_parallel") and slots.get("micro_batches")):
        return "explain"
    grounds = subject or chips or slots.get("memory_gb") or slots.get("workload") or slots.get("task")
    grounds = grounds or any(
        slots.get(k)
        for k in ("power_w", "rack_w", "server_kw", "host_ram_gb", "psu_w", "gpu_count", "size_gb", "micro_batches")
    )
    if not ask.wanted and not subject and (slots.get("tensor_parallel") or slots.get("network_gbps")):
        return "explain"
    if not ask.wanted and not grounds:
        return "explain"
    return "size"
