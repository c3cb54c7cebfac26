"""The order of rules for each kind of question, read top to bottom like a recipe."""
