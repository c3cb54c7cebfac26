"""How many people a service is for: those who may use it, or those of them who do at the same time."""

from __future__ import annotations

import math
import re
from typing import Any

from kb.understanding.numbers.numerals import WORDS, scan

NUMBER = (
    r"(?<![\d.a-z$¥€£])(?P<n>\d{1,3}(?:,\d{3}){1,2}|\d{1,7}(?:\.\d)?\s?(?:k(?![a-z])|[百千万])?"
    rf"|(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})(?: hundred| thousand| dozen)?(?![a-z])|[一二两三四五六七八九十百千万]{{1,6}})"
)
OF_A_KIND = (
    r"(?:(?:or so|active|daily|internal|registered|software|ml|data|our|my|of (?:my|our|the)|phd|grad(?:uate)?|sales|support|office"
    r"|remote|full-time|university|college|of them) ){0,2}"
)
PERSON = (
    r"(?:employees|staff(?: members)?|students(?! models?)|pupils|engineers|dev(?:eloper)?s|programmers|coders|customers|clients(?! libr)"
    r"|colleagues|co-?workers|team ?mates|researchers|scientists|analysts|doctors|nurses|teachers|lawyers|visitors|guests"
    r"|people|ppl|persons|folks"
    r"|guys|seats)"
)
GROUP = r"(?:team|company|lab|startup|group|office|organi[sz]ation|org|firm|department|shop|class|school|agency|business)"
ACTIVE = (
    r"(?:[日周月]活跃?(?:用户)?(?:数|量)?|(?<![a-z])(?:[dwm]au|(?:daily|weekly|monthly)(?: active)? users"
    r"|active users (?:a|per) (?:day|week|month))(?![a-z]))"
)
OF_ACTIVE = re.compile(ACTIVE)
MILLIONS = {"m": 1e6, "million": 1e6, "billion": 1e9, "亿": 1e8}
SAID = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{ACTIVE}[^,，。;?\d]{{0,8}}?{NUMBER}\s?(?P<s>m(?![a-z])|million|billion|亿)?(?![\s\d.万千]?(?:tokens?|[万千次条]|请求|queries|requests|k(?![a-z])))",
        rf"{NUMBER}\s?(?P<s>m(?![a-z])|million|billion|亿)?\s?(?:个|的)?\s?{ACTIVE}",
        rf"{NUMBER}[ -]{OF_A_KIND}{PERSON}(?![a-z])",
        r"(?<![\d.a-z$¥€£])(?P<n>\d{1,3}(?:,\d{3}){1,2}|\d{1,4}(?:\.\d)?\s?k) users"
        r"(?! ?(?:at once|at the same time|simultaneous|concurrent))",
        rf"{NUMBER}[ -]?(?:persons?|people|ppl|seats?|users?|man|dev(?:eloper)?s?|employees?)[ -]{GROUP}(?![a-z])",
        rf"(?<![a-z]){GROUP} (?:with|of|has|have) (?:about |around |~ ?)?{NUMBER}"
        r"(?=\s*(?:[,.;?!]|$|(?:who|and|that|wants?|to|needs?|on|with|using|for|in|at)(?![a-z])))",
        rf"{NUMBER}\s?(?:多|余|来)?\s?(?:个|名|位|人的?)?\s?(?:左右的?|内部|公司|技术|在校|活跃|注册){{0,2}}"
        r"(?:员工|职工|同事|同学|学生(?!模型)|研究生|老师|教师|教职工|研发(?:人员|团队|工程师)?|工程师|开发(?:者|人员|工程师|团队)(?!套件)|程序员"
        r"|客户(?!端)|医生|律师|研究员|客服(?!机器人|系统|助手|问答)|坐席|座席|人(?![工类民均脸机像物形生力月天日次格称家设份]|/))",
    )
)
ALTOGETHER = re.compile(
    r"^[^,，。;?]{0,20}?"
    r"(?:(?<![a-z])(?:at (?:once|the same time|a time)|concurrent(?:ly)?|simultaneous(?:ly)?|in parallel)(?![a-z])|同时|并发|一起)"
)
BEFORE = re.compile(
    r"(?:同时(?:有|支持|服务|在线)?|并发|高峰(?:期)?|峰值|(?<![a-z])(?:concurrent|simultaneous))[^,，。;?]{0,4}$"
)
PART = re.compile(
    r"(?P<share>\d{1,2}(?:\.\d)?) ?% ?(?:of (?:them|these|people|users)|的人)?[^,，。;?\d]{0,10}?"
    r"(?:(?<![a-z])(?:at (?:once|the same time|a time|peak)|concurren\w+|simultaneous\w*|active)|同时|并发|在线)"
    r"|(?:并发率|同时在线率|concurrency (?:rate|of|is))\s?(?:约|为|是|按)?\s?(?P<rate>\d{1,2}(?:\.\d)?) ?%"
)


# Each with a run of his own.
EACH = re.compile(
    r"每(?:个)?(?:人|学生|员工|同学|位)|各自|独立|人手|(?<![a-z])(?:each|every (?:one|student|person)|their own|independently)(?![a-z])"
)


def read_people(low: str) -> dict[str, Any]:
    """`people` who may use a service, or `concurrency` where they are said to do so at the same time; nothing where none are spoken of."""
    found = next((m for pattern in SAID if (m := pattern.search(low))), None)
    count = scan(found["n"]) if found else []
    many = (count[0].value or 0) * (1000 if found and found["n"].endswith("k") else 1) if count else 0
    if found is None or not 1 < many <= 1e9:
        return {}
    if part := PART.search(low):
        return {"concurrency": max(1, math.ceil(many * float(part["share"] or part["rate"]) / 100))}
    if OF_ACTIVE.search(found.group()):
        return {
            "active_users": int(many * MILLIONS.get(found.groupdict().get("s") or "", 1)),
            "people_said": found.group().strip(" -"),
        }
    at_once = ALTOGETHER.match(low[found.end() :]) or BEFORE.search(low[: found.start()])
    own = {"runs": int(many)} if EACH.search(low) else {}
    return own | {"concurrency" if at_once else "people": int(many), "people_said": found.group().strip(" -")}
