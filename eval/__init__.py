"""Question sets, measures of answers, and runs that can be compared."""
