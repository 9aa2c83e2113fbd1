"""Exact chances and house edges of a rule set, by the production rules and settlement code."""
