"""Numerals with what stands around them: amounts with their units, money, counts of cards and machines."""
