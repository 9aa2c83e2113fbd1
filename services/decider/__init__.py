"""What every decider of requests is made of: outcomes, the parts of a state, the memory of requests. Knows no game."""
