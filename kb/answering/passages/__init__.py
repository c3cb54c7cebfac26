"""Answers quoted from passages."""
