"""Answers that the rules compute: figures, verdicts, choices, and what stands beneath them."""
