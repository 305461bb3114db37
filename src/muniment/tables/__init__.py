"""Hosted play: tables, seats, invitations, clocks, bots, storage and the live feed. It holds no rule of any game."""
