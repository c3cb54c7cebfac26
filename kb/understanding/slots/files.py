"""So many files of one size: sixty models of 140 GB, 40 个 200GB 的 checkpoint."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.numbers.numerals import ANY_WORD, scan
from kb.understanding.numbers.units import memory_unit
from kb.understanding.slots.resources import GIGABYTES

SIZE = r"(?P<{0}size>\d{{1,6}}(?:\.\d{{1,3}})?)\s?(?P<{0}unit>[mgtp]i?b?)(?![a-z/])"
PILES = (
    re.compile(
        rf"(?<![\d.a-z])(?P<n>\d{{1,6}}|{ANY_WORD}) (?:[a-z0-9.-]{{1,16}} ){{0,2}}"
        r"(?:models|checkpoints|ckpts|files|data ?sets|snapshots|copies|images|archives|backups|saves)"
        rf"(?:,? ?(?:of|at|with|x|@|about|around|each|every|that are|are|:))*,? ?{SIZE.format('')}"
    ),
    re.compile(
        r"(?<![\d.a-z])(?P<n>\d{1,6}|[一二两三四五六七八九十百]{1,4})\s?(?:个|份|套|组|张)\s?(?:大小)?(?:为|约)?\s?"
        rf"{SIZE.format('')}\s?(?:左右|大小)?的?\s?(?:完整)?(?:模型|checkpoints?|ckpts?|检查点|存档|权重|文件|数据集|镜像|备份)"
    ),
    re.compile(
        r"(?<![\d.a-z])(?P<n>\d{1,6}|[一二两三四五六七八九十百]{1,4})\s?(?:个|份|套|组)\s?(?:完整的?)?"
        r"(?:模型|checkpoints?|ckpts?|检查点|存档|权重|文件|数据集|镜像|备份)[,，]?\s?(?:各|每[个份]|一[个份]|平均|都是|大小)[^,，。;?\d]{0,4}"
        rf"{SIZE.format('')}"
    ),
)


def read_files(slots: dict[str, Any], clause: str) -> None:
    """Fill in, in place, how many files there are and how large one is; what was taken for memory or cards is theirs."""
    found = next((m for pattern in PILES if (m := pattern.search(clause))), None)
    if found is None or not (count := scan(found["n"])) or not count[0].value:
        return
    size = float(found["size"]) * GIGABYTES[memory_unit(found["unit"])]
    for slot in ("size_gb", "storage_gb", "memory_gb", "own_memory_gb", "host_ram_gb"):
        if slots.get(slot) == size:
            slots.pop(slot)
    if slots.get("gpu_count") == count[0].value:
        slots.pop("gpu_count")
    slots |= {"copies": int(count[0].value), "size_gb": size}
