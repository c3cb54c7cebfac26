"""Answers from the spec tables: lookups, comparisons, filters, prices."""
