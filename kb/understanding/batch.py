"""A batch of documents that a model works off: how many, how long each, what is written, and by when."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.types.question import Part
from kb.understanding.numbers.numerals import scan
from kb.understanding.slots.known import tells_card, tells_model
from kb.understanding.slots.texts import tokens_of
from kb.understanding.slots.workload import PRETRAIN, TRAIN, TUNE

SCALE = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9, "w": 1e4,
    "trillion": 1e12,
}  # fmt: skip
N = (
    r"(?<![\d.a-z])(?:(?P<h>(?:\d{1,5}(?:\.\d)?\s?)?[一二两三四五六七八九十百千万亿]{1,6})"
    r"|(?P<n>\d{1,3}(?:,\d{3})+|\d(?:\.\d{1,2})?e\d{1,2}|\d{1,9}(?:\.\d{1,3})?)\s?(?P<s>thousand|million|billion|trillion|mn|mio"
    r"|bn|[kmw](?![a-z]))?(?![\d.]))"
)
OF = (
    r"(?:(?!(?:context|ctx|tokens?|words?|length|gb|output|input|prompt|parameter|param|gpus?|per|an?|in|on|with|of|and)(?![a-z]))"
    r"[a-z-]{2,16} ){0,2}"
)
ITEM = (
    r"(?:documents?|docs?|texts?|reviews?|e-?mails?|tickets?|records?|rows|items?|articles?|abstracts?|papers?|pages?|comments?"
    r"|tweets?|posts?|prompts?|requests?|reqs?|quer(?:y|ies)|messages?|files?|chats?|transcripts?|conversations?|sentences?"
    r"|paragraphs?|descriptions?|reports?|pdfs?|contracts?|invoices?|resumes?|cvs|products?|entries|snippets?|questions?"
    r"|ads|chunks?|passages?|images?|imgs?|photos?|pictures?|screenshots?|jobs?|stories|listings?|judgments?|patents?|books?"
    r"|calls?|dialog(?:ue)?s?)(?![a-z])"
)
PIECES = r"(?:次|个|条|篇|份|封|段|件|通|则|句|页|本)"
THINGS = (
    r"(?:评论|文档|文本|文章|论文|邮件|短信|工单|新闻|记录|数据|对话|日志|商品|标题|问题|请求|问答|合同|病历|网页|推文|帖子|简历|报告"
    r"|弹幕|句子|段落|消息|资料|条目|图书|发票|专利|裁判文书|文书|评价|公告|文件)"
)
MANY = re.compile(
    rf"{N}\s?(?:{OF}{ITEM}|{PIECES}(?:[^\W\d_a-z]{{0,4}}?{THINGS})?|(?!个?(?:汉|中文)?字)[^\W\d_a-z]{{0,4}}?{THINGS})"
)
ALL = re.compile(
    rf"{N}\s?(?:的|个)?\s?(?P<kind>(?:input|prompt|output|generated|synthetic|输入|输出|合成)\s?)?(?:tokens?|toks?|词元)(?![a-z/])"
)
WORK = re.compile(
    r"(?<![a-z])(?:classif\w+|summari[sz]\w+|translat\w+|label(?:s|ling|ing|led)?|tag(?:s|ging|ged)?|annotat\w+|extract\w*"
    r"|process\w*|scor(?:e|ing)"
    r"|rewrit\w+|clean\w*|moderat\w+|categori[sz]\w+|analy[sz]\w+|through|offline|batch (?:job|inference|processing|run)|generat\w+"
    r"|caption\w*|paraphras\w+|judg(?:e|ing)|filter\w*|pars(?:e|ing)|answer\w*)(?![a-z])"
    r"|分类|摘要|总结|翻译|打标|标注|抽取|提取|处理|清洗|改写|审核|分析|跑完|跑一遍|过一遍|批量|离线|打分|生成|合成|润色|校对|筛选"
)
LABELS = re.compile(
    r"(?<![a-z])(?:classif\w+|label\w*|tag(?:s|ging|ged)?|moderat\w+|categori[sz]\w+|scor(?:e|ing)|yes/no|true/false|binary"
    r"|one[- ]word|single[- ]token)(?![a-z])"
    r"|分类|是否|是非|打标|标注|审核|打分"
)
WRITES = re.compile(r"(?<![a-z])(?:generat\w+|synthetic|synthesi[sz]\w+|output)(?![a-z])|生成|合成|输出")
A_DAY = re.compile(r"\s?(?:(?:/|per|an?|each|every) ?day(?![a-z])|daily|每天|/天)")
DAILY = re.compile(
    r"(?:每天|每日|日均|单日|日(?=请求|调用|提问|查询|访问)|一天|(?<![a-z])(?:daily|every day|each day|per day)[, ])[^,，。;?]{0,12}$"
)
REQUESTS = re.compile(
    r"(?:requests?|reqs?|quer(?:y|ies)|messages?|chats?|conversations?|prompts?|questions?|calls?|dialog(?:ue)?s?)$|次|请求|对话|问题|消息"
)
DAYS_OF = (
    (
        1.0,
        re.compile(
            r"(?<![a-z])(?:(?:by|until|before|for) (?:tomorrow|tmrw|tmr)|(?:in|within) (?:a|one) day)(?![a-z])"
            r"|明天(?:之?前|要)?|一天(?:之?内)"
        ),
    ),
    (0.5, re.compile(r"(?<![a-z])(?:over ?night|tonight|by (?:the )?morning)(?![a-z])|一(?:个)?晚上?|一夜|今晚|过夜")),
    (2.0, re.compile(r"(?<![a-z])(?:over|by|for|this) (?:the )?weekend(?![a-z])|周末")),
    (7.0, re.compile(r"(?<![a-z])(?:in|within) (?:a|one) week(?![a-z])|一(?:周|星期)(?:之?内)")),
)
K = r"(\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d)?)\s?(k)?"
TOKENS = r"\s?-?(?:个)?\s?(?:tokens?|toks?|词元)"
WRITTEN = r"(?:out(?:puts?)?|generated|answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|completions?)"
OUT = (
    re.compile(rf"(?<![\d.a-z]){K}(?:{TOKENS})?[ -]?(?:of )?{WRITTEN}(?![a-z])"),
    re.compile(
        rf"(?:(?<![a-z]){WRITTEN}|输出|生成|回答|回复|摘要)(?:\s?(?:约|大约|平均|每条|长度|of|about|around|avg|each|is|are|as|是"
        rf"|为|各|:|,)){{0,3}}\s?{K}(?:{TOKENS}|\s?字|(?=\s?[,，。;)）]|\s*$))"
    ),
    re.compile(rf"(?<![\d.a-z]){K}(?:{TOKENS})?\s?(?:的)?(?:输出|回答|回复|摘要|出(?![现来]))"),
)
WORDS_OUT = re.compile(
    r"(?<![a-z])(?:into|in|to) (?P<en>\d[\d,]{1,5}) words|(?P<en2>\d[\d,]{1,5})[ -]words? (?:summar|answer|repl|description"
    r"|abstract)"
    r"|(?P<zh>\d{2,5})\s?字(?:左右|以内)?的?(?:摘要|总结|概要|回复)|(?:摘要|总结|概要|回复)(?:约|为|在|控制在|不超过){0,2}\s?"
    r"(?P<zh2>\d{2,5})\s?字"
)
IN = (
    re.compile(rf"(?<![\d.a-z]){K}(?:{TOKENS})?\s?(?:的)?(?:输入|进(?![行去来]))"),
    re.compile(
        rf"(?:(?<![a-z])(?:input|prompt)s?|输入|提示词?)(?:\s?(?:约|大约|平均|长度|of|about|avg|is|are|是|为|:|,|=)){{0,3}}\s?{K}(?!\d)"
    ),
    re.compile(rf"(?<![\d.a-z]){K}(?:{TOKENS})?[ -]?(?:in|input|prompt)(?:s)?(?![a-z])"),
    re.compile(rf"(?<![\d.a-z]){K}{TOKENS}(?![a-z/]|\s?(?:per|a) ?s)"),
    re.compile(
        rf"(?:(?<![a-z])(?:each|avg|average|averaging)|每{PIECES}|平均)\s?(?:of |about |约|大约|是|有|为)?\s?{K}(?=\s?[,，。;)）]|\s*$)"
    ),
    re.compile(rf"(?<![\d.a-z]){K} (?:each|apiece|on average)(?![a-z])|(?<![a-z])(?:of|at) {K}(?=[,.;)]|\s*$)"),
)
FEWEST, LONGEST, FEWEST_TOKENS = 1000, 200_000, 1e7  # documents, tokens of one, tokens of all
REPLACED = frozenset(
    ["tokens", "context_len", "seq_len", "task", "hours", "days", "concurrency", "people", "prompt_tokens", "output_tokens", "each",
     "active_users",
     "requests_per_second", "tokens_per_day", "demanded_tokens_per_second",
     "parameters_list", "micro_batch", "always_on", "time_unit", "per_gpu_hour", "own_memory_gb", "size_gb",
     "workloads"]
)  # fmt: skip
ANSWERED = frozenset(
    ["gpu_count", "nodes", "training_time", "gpu_hours", "hardware", "memory_total",
     "memory_per_gpu", "decode_tokens_per_second", "tokens_per_second",
     "tokens_per_second_per_gpu", "max_concurrency", "gpus_for_load", "max_context_len", "dataset_size", "storage", "time_to_first_token"]
)  # fmt: skip
JOB = "job_time"
COUNTED = re.compile(r"(?<![a-z])(?:number of|how many|count (?:for|of))(?![a-z])|(?:几|多少)(?:张|块|卡)")
EACH_DAY = re.compile(r"[^,，。;?]{0,32}?(?:(?:/|per|an?|each|every) ?day(?![a-z])|daily)")


def batched(parts: Sequence[Part], low: str, slots: Mapping[str, Any]) -> tuple[tuple[Part, ...], dict[str, Any]]:
    """The parts and the slots of the turn, where a model is to work off a batch: one part that is sized, and what else is asked."""
    known = {**slots, **{k: v for p in parts for k, v in p.slots.items()}}
    said = _said(low, known)
    if said is None:
        carried = [p for p in parts if {"documents", "input_tokens", "generated_tokens"} & p.slots.keys()]
        return tuple(_wanting(p) if p in carried and not set(p.wanted) - ANSWERED - {JOB} else p for p in parts), dict(slots)
    own = known.get("parameters") not in (said.get("input_tokens"), said.get("generated_tokens"), said.get("documents"))
    kept = {k: v for k, v in known.items() if k not in REPLACED and (own or k != "parameters")}
    whole = kept | said | {"workload": "inference"}
    about = [p for p in parts if p.intent in ("size", "filter", "explain", "lookup", "compare", "out_of_scope")]
    if not about or not (tells_model(whole) or whole.get("layers")):
        return tuple(parts), dict(slots)
    others = [p for p in about[1:] if set(p.wanted) - ANSWERED]
    first = _wanting(replace(about[0], intent="size", slots=whole, columns=(), conditions=(), text=_all_of(about, low)))
    rest = [p for p in parts if p not in about]
    return (first, *(replace(p, slots=whole) for p in others), *rest), {**whole}


def _all_of(parts: Sequence[Part], low: str) -> str:
    return " ".join(p.text for p in parts) or low


def _wanting(part: Part) -> Part:
    """The part asking for the time and the GPUs of the batch, or which GPUs, where none is named."""
    named = tells_card(part.slots)
    further = tuple(n for n in part.wanted if n not in ANSWERED and n != JOB)
    alone = part.slots.get("gpu_count") == 1 and COUNTED.search(part.text.lower())
    counted = {"gpu_count", "nodes"} & set(part.wanted) or alone
    slots = {k: v for k, v in part.slots.items() if k != "gpu_count"} if counted else part.slots
    return replace(part, intent="size", slots=slots, wanted=((JOB,) if named else ("hardware",)) + further)


def _said(low: str, slots: Mapping[str, Any]) -> dict[str, Any] | None:
    """The slots of a batch that a text tells of, or None."""
    if slots.get("workload") not in (None, "inference") or any(p.search(low) for p in (PRETRAIN, TUNE, TRAIN)):
        return None
    if slots.get("tokens_per_second"):
        return None  # a speed that was measured is the one that counts
    found = next((m for m in MANY.finditer(low) if (_count(m) or 0) >= FEWEST), None)
    work = WORK.search(low)
    out: dict[str, Any]
    if found is None:
        total = next((m for m in ALL.finditer(low) if (_count(m) or 0) >= FEWEST_TOKENS), None)
        if total is None or not work or A_DAY.match(low, total.end()):
            return None
        writes = WRITES.search(total["kind"] or "") or (not total["kind"] and WRITES.search(low))
        out = {"generated_tokens" if writes else "input_tokens": _count(total)}
        return out | ({} if writes else {"labelled": True}) | _deadline(low, slots)
    rest = low[: found.start()] + " " * (found.end() - found.start()) + low[found.end() :]
    daily = EACH_DAY.match(low, found.end()) or DAILY.search(low[: found.start()])
    lengths = _lengths(rest, slots)
    until = {"days": 1.0, "daily": True} if daily else _deadline(rest, slots)
    served = daily and REQUESTS.search(low, found.start(), found.end())
    if not (served or (lengths and (work or until)) or (work and until)):
        return None
    out = {"documents": _count(found)} | lengths | until
    return out | ({"labelled": True} if LABELS.search(low) and "output_tokens" not in out else {})


def _deadline(low: str, slots: Mapping[str, Any]) -> dict[str, Any]:
    """Days that there are: as a number, or as people say them."""
    if slots.get("days") or slots.get("hours"):
        return {"days": float(slots.get("days") or slots["hours"] / 24)}
    found = ((days, m) for days, pattern in DAYS_OF if (m := pattern.search(low)))
    return next(({"days": days, "days_in_words": m.group()} for days, m in found), {})


def _lengths(low: str, slots: Mapping[str, Any]) -> dict[str, Any]:
    """Tokens read and written for one document."""
    found: dict[str, Any] = {}
    for slot, patterns in (("output_tokens", OUT), ("prompt_tokens", IN)):
        for m in (m for pattern in patterns if (m := pattern.search(low))):
            number, kilo = next((m[i], m[i + 1]) for i in range(1, len(m.groups()) + 1, 2) if m[i])
            tokens = float(number.replace(",", "")) * (1000 if kilo else 1)
            if 1 <= tokens <= LONGEST:
                found[slot] = int(tokens)
                low = low[: m.start()] + " " * (m.end() - m.start()) + low[m.end() :]
                break
    written = WORDS_OUT.search(low)
    if "output_tokens" not in found and written and written.lastgroup:
        found["output_tokens"] = tokens_of(written.lastgroup[:2], written[written.lastgroup].replace(",", ""))
    told = slots.get("tokens_of_text")  # said in words or characters
    if told and told[2] == slots.get("output_tokens"):
        found.setdefault("output_tokens", told[2])
    elif told and not (written and told[1] in written.group()):
        found.setdefault("prompt_tokens", told[2])
    return found


def _count(m: re.Match[str]) -> float | None:
    if m["h"]:
        numbers = scan(m["h"].replace(" ", ""))
        return numbers[0].value if numbers else None
    return float(m["n"].replace(",", "")) * SCALE.get(m["s"] or "", 1.0)
