"""Exactly-once steps: read, decide, commit, own pits. Knows no game."""

VERSION = "0.1.0"
