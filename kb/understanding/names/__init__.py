"""Names in a text: of cards, models and systems; misspelt ones, and well-formed ones that no table has."""
