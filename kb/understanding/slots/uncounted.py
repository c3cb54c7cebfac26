"""What a question says of a job that no rule takes into account: named with the answer, so that nobody thinks it was counted."""

from __future__ import annotations

import re

N = r"(?<![\d.a-z])(?:\d{1,6}|[一二两三四五六七八九十百千]{1,5})"
UNCOUNTED = re.compile(
    r"(?<![a-z])dp[ -]?attention(?![a-z])|(?<![a-z])attention[ -]dp(?![a-z])|数据并行注意力"
    rf"|{N}\s?(?:多)?页(?!面|表)(?:的)?(?:pdf|文档|文件|论文|报告|书|合同)?"
    rf"|{N}[ -]?pages?(?![a-z])(?: (?:pdf|document|report|paper|book|contract)s?)?"
    r"|冻结(?:了)?视觉(?:编码器|塔|部分)?|(?<![a-z])(?:freez\w+|frozen) (?:the )?(?:vision|image) (?:encoder|tower|part)"
    r"|前缀缓存|(?<![a-z])prefix[ -]cach(?:e|ing)(?![a-z])"
)


def uncounted(clause: str) -> tuple[str, ...]:
    """The phrases of a clause that no calculation uses, as they are written."""
    return tuple(dict.fromkeys(m.group().strip() for m in UNCOUNTED.finditer(clause)))
