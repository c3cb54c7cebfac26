"""Where a text falls into clauses: at the ends of sentences, and before a further question of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.understanding.found import Found

CLAUSE = re.compile(r"[?。!;\n]+|(?<=[a-z]{3})\.(?=\s|$)")
QUOTED = re.compile(
    r"“[^”?\n]{8,400}”|\"[^\"?\n]{8,400}\"|「[^」?\n]{8,400}」"
)  # a message, which is one thing whatever it says
COMMA = re.compile(
    r"(?<=[呢吗]),(?![^,。?]*呢)|,(?=\s?(?:另外|还有|以及|顺便|同时问|and (?:what|how|which|also|does|is|can) |also |带不带))"
)
CONFIG = re.compile(r"\s{0,8}(?:- )?[\"']?[a-z][\w.-]{1,40}[\"']?\s?[:=]\s?\S|\s{0,8}--?[a-z]|\s{0,8}[{}]")
FURTHER = re.compile(  # but of "which GPU and how many" one thing is asked
    r"(?<=[a-z0-9)])(?<![ht] gpu)(?<![ht] gpus)(?<![ht] card)(?<![ht] cards) and "
    r"(?=(?:how (?:much|many|long|fast|big|large)|what(?:'?s| is| are| would| will| does| do| did| am| can))(?![a-z]))"
)
# Behind an amount that is asked for, the reason of something.
WHY_TOO = re.compile(
    r",(?=\s?(?:[^,。?]{0,16}(?:为啥|为什么|为何|咋就|怎么还|怎么办|咋办|咋整)|(?:and |but |so )?why(?![a-z])))"
)
# Between what a job of before took, and another job that is asked about.
NEED_ZH = r"(?:需要|得要|至少要|起码要)(?:用|了)?(?=\s?\d)"
PAST = re.compile(
    rf"(?<![a-z])(?:needed|required|used|took|ran|run|trained|tuned|fine-?tuned|did|was|were)(?![a-z])|(?:用|跑|训|练|微调|花|占)[了过]|{NEED_ZH}"
)
NEEDED = re.compile(rf"(?<![a-z])(?:needed|required)(?![a-z])|{NEED_ZH}")
AFTER_PAST = re.compile(r"(?<!\d),|(?<=\d),(?!\d{3})|\.(?=\s)")
COUNTED = re.compile(
    r"几[张台卡块个]|多少 ?[张台卡块个]|(?:租|买|用|要)(?:什么|多少)|(?<![a-z])how many(?![a-z])"
    r"|(?<![a-z])what (?:should|do|would|must) (?:i|we) (?:rent|buy|get|need|use|take)(?![a-z])"
)
AMOUNT = re.compile(r"多少|多大|多久|几[张台卡块个天]|(?<![a-z])how (?:much|many|long|fast|big)(?![a-z])")
# A clause that asks, and may suppose something of its own.
ASKING = re.compile(
    r"\?\s*$|(?:吗|么|呢|多少|多大|多久|几张|几台)\s*[。?]?\s*$"
    r"|^\s*(?:(?:and|or|but|then|so|ok)[, ]+)*(?:what|how|would|will|can|could|is|are|does|do|if|which|should)(?![a-z])"
)
# What somebody has, told before what is asked.
HAVING = re.compile(
    r"\s*(?:(?:i|we)(?:'ve)? ?(?:have|got|own|am using|are using|use|run)?|got|have|my|there(?:'s| is| are)) (?!to )"
    r"|\s*(?:我|我们|咱|公司|实验室)?(?:手[上里]|现在|目前|这边)?有(?!没有|哪|什么|多少|几)"
)
# The question before, asked of something else.
ALSO = re.compile(
    r"^\s*(?:(?:and|or|but|ok)[, ]+)*(?:what|how) about(?![a-z])|^\s*and (?:for|with|on|in|at|a|an|the|as)(?![a-z])|^\s*(?:and )?what if"
    r"|^\s*(?:那|还有|换成|改成|换)"
)
# The least that would do, of what was asked before.
MINIMUM = re.compile(
    r"\W*(?:(?:and|or|so|if not|otherwise|else|then|what(?:'?s| is| are| would be)?|the|a|bare|absolute)[ ,]+)*(?:minimum|min)"
    r"(?:[ ,]+(?:otherwise|else|then|instead|needed|required|requirements?))*\W*"
    r"|\W*(?:那|不行的?话?|否则|不然|要是不行|如果不行|装不下的?话?|放不下的?话?)?[,]?(?:最低|最少|至少|起码)的?(?:要求|配置|需要|需|要|得)?是?(?:多少|多大|什么|啥)?\W*"
)
SUBJECT = frozenset({"model", "parameters"})
ANCHORS = frozenset({"gpu", "model", "parameters", "unknown", "row"})  # what a question is about


def clauses(low: str, found: Sequence[Found] = ()) -> list[tuple[int, int]]:
    """Spans of the clauses of a text, none of them blank; at most 60, the last holding the rest. A further question behind an `and` is a
    clause of its own where what it is about stands before it."""
    quotes = [m.span() for m in QUOTED.finditer(low)]
    ends = [
        m.span() for m in CLAUSE.finditer(low) if not _within_config(low, m) and not any(a < m.start() < b for a, b in quotes)
    ]
    ends += [m.span() for m in COMMA.finditer(low)]
    for also in FURTHER.finditer(low):
        begin = max((end for _, end in ends if end <= also.start()), default=0)
        if any(begin <= f.start < also.start() and f.quantity in ANCHORS for f in found):
            ends.append(also.span())
    for also in AFTER_PAST.finditer(low):
        begin = max((end for _, end in ends if end <= also.start()), default=0)
        end = min((start for start, _ in ends if start > also.start()), default=len(low))
        before, behind = (
            {f.quantity for f in found if a <= f.start < b} for a, b in ((begin, also.start()), (also.end(), end))
        )
        jobs = before & SUBJECT and behind & SUBJECT and "gpu_count" in before
        if jobs and PAST.search(low, begin, also.start()) and COUNTED.search(low, also.end(), end):
            ends.append(also.span())
            break
    for also in WHY_TOO.finditer(low):
        begin = max((end for _, end in ends if end <= also.start()), default=0)
        if AMOUNT.search(low, begin, also.start()):
            ends.append(also.span())
    cuts = sorted(ends)[:59]
    out, at = [], 0
    for start, end in [*cuts, (len(low), len(low))]:
        if low[at:start].strip():
            out.append((at, min(end, len(low))))
        at = max(at, end)
    return out


def _within_config(low: str, cut: re.Match[str]) -> bool:
    """Whether a line break stands between two configuration lines, or ends a line of a command that goes on."""
    if "\n" not in cut.group() or "?" in cut.group():
        return False
    before = low[max(0, cut.start() - 200) : cut.start()].rsplit("\n", 1)[-1]
    after = low[cut.end() : cut.end() + 200].split("\n", 1)[0]
    return before.rstrip().endswith("\\") or (CONFIG.match(before) is not None and CONFIG.match(after) is not None)
