"""What every game shares: states, decisions, chance, events, views, notation, records, verifiable dice, matches."""
