"""The error tree.

    SizewrightError            say `en` or `zh` to the user; nothing was changed
    ├── InvalidInput           the caller's fault: names the field, the value and what would be allowed (HTTP 4xx, exit 2)
    │   └── UnknownEntity      a model, GPU, table or row that is not there: `nearest` are names that are
    ├── CorpusFault            the corpus does not read: `faults` lists all of them at once (exit 1)
    ├── IndexMissing           there is no index: build one (HTTP 503, exit 1)
    │   └── IndexMismatch      the index was built from something else: `field` says what differs
    └── DocumentFault          a file cannot be read as a document: names it and why (exit 1)

"Not in the corpus" and "not enough given" are answers, not exceptions.
"""

from __future__ import annotations

from typing import Any


class SizewrightError(Exception):
    """An error to show; `en` and `zh` each say what is wrong and what to do next."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.en, self.zh = en, zh


class InvalidInput(SizewrightError):
    def __init__(self, field: str, value: Any, en: str, zh: str) -> None:
        super().__init__(en, zh)
        self.field, self.value = field, value


class UnknownEntity(InvalidInput):
    def __init__(self, field: str, value: Any, nearest: tuple[str, ...] = (), note: tuple[str, str] = ("", "")) -> None:
        hint_en = f" Did you mean {', '.join(nearest)}?" if nearest else " `sizewright specs` lists what there is."
        hint_zh = f"您是指 {'、'.join(nearest)} 吗？" if nearest else "可用 `sizewright specs` 查看现有条目。"
        super().__init__(
            field,
            value,
            f"{field}: no entry named {value!r}.{hint_en}{note[0]}",
            f"{field}：表中没有“{value}”。{hint_zh}{note[1]}",
        )
        self.nearest = nearest


class CorpusFault(SizewrightError):
    def __init__(self, faults: tuple[str, ...]) -> None:
        listing = "\n".join(f"  - {f}" for f in faults)
        super().__init__(f"the corpus has {len(faults)} fault(s):\n{listing}", f"语料有 {len(faults)} 处错误：\n{listing}")
        self.faults = faults


class IndexMissing(SizewrightError):
    pass


class IndexMismatch(IndexMissing):
    def __init__(self, field: str, built: Any, current: Any) -> None:
        super().__init__(
            f"the index does not match: {field} was {built!r} when it was built and is {current!r} now. Run `sizewright build`.",
            f"索引不匹配：构建时 {field} 为 {built!r}，现在为 {current!r}。请运行 `sizewright build`。",
        )
        self.field = field


class DocumentFault(SizewrightError):
    pass
