"""Understanding: a question in Chinese or English becomes a standalone reading, deterministically and without a model."""

from kb.understanding.reader import Reader

__all__ = ["Reader"]
