"""Play at a terminal: boards drawn from views, and sessions that never lose a game."""
