"""Exact chances and house edges of a rule set, computed with the code of the rules and settlement services."""
