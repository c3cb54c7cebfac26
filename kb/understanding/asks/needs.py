"""What a question has in mind that asks how much a job takes: the cheapest card for it, or the smallest that surely will do."""

from __future__ import annotations

import re

CHEAPEST = re.compile(r"便宜|省钱|(?<![a-z])(?:cheap\w*|lowest price|least expensive)(?![a-z])")
LEAST = re.compile(
    r"最[小低少]|至少|起码|多[大少]?\s?(?:显存|内存|g|gb|vram)?\s?的?(?:显?卡|gpu)|小卡|[才较更]稳|稳[妥定]?(?:吗|\W*$)|保险"
    r"|(?<![a-z])(?:what size|how big an?)(?![a-z])[^,.;?]{0,24}(?<![a-z])(?:gpus?|cards?)(?![a-z])"
    r"|(?<![a-z])(?:smallest|least|min(?:imum)?|lowest|at least|to be safe|safely|comfortabl[ey])(?![a-z])"
)
