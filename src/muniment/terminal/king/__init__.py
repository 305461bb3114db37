"""King of the Tabletop at the terminal: what is drawn, worded and typed, all from a seat's view."""
