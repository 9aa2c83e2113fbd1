"""What the services and every floor system share: events, house rules, limits, the codec and the names of streams."""
