"""Turns of a conversation: what a question builds on, and what it leaves to the one before."""
