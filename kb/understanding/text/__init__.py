"""The text itself: folded, its language, its clauses."""
