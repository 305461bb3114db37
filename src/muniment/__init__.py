"""The digital home of two tabletop games, 9 Card Siege and King of the Tabletop."""

__version__ = "0.1.0"
