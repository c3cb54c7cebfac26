"""Sums over figures that stand in a question: the words that ask for one, and the fields that its figures fill."""
