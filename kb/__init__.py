"""Sizewright: cited answers about hardware for large language models. The public names; each is imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb import errors
    from kb.api import KnowledgeBase, build
    from kb.types.plain import plain

__all__ = ["KnowledgeBase", "build", "errors", "plain"]
_HOMES = {"KnowledgeBase": "kb.api", "build": "kb.api", "plain": "kb.types.plain"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in __all__:
        return import_module(f"kb.{name}")
    raise AttributeError(f"module 'kb' has no attribute {name!r}")
