"""Boards, cards, dice and plots as SVG, drawn from views alone."""
