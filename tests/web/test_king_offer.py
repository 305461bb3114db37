"""An offer of a trade on the King page: one form that holds all the game allows (K53)."""

from muniment.games.king import King
from muniment.tables.values import Choice
from muniment.web.king_ask import Ask, ask_of
from tests.king.scripts import Table, part, player

NAMES = ("Ada", "Ben")


def asked(t: Table) -> Ask:
    game: King = t.game
    legal = game.legal_actions(t.state, 0)
    return ask_of(game.view(t.state, 0), [Choice(a, a.notation, game.sentence(a), a.rule) for a in legal], NAMES)


def offering() -> Table:
    t = Table(
        player("forest-1 forest-2", hand="golem", army="pixies-f1 pixies-f1", gold=1),
        player("swamp-1 swamp-2", hand="city", army="crocodile-2 arch-mage", gold=2),
        frames=part(4, ["war", 0]), turn=2, phase=4, options={"trading": True},
    )  # fmt: skip
    return t.do("give golem 1").do("trade 1")


def test_the_form_holds_what_was_seen_of_the_other_and_nothing_else() -> None:
    ask = asked(offering())
    assert ask.offer is not None
    give, want = ask.offer.sides
    assert (give.gold, want.gold) == (("give-gold", 1), ("ask-gold", 2))
    assert [notation for notation, _ in give.lands] == ["give-land forest-1", "give-land forest-2"]
    assert [notation for notation, _ in give.tiles] == ["give-tile pixies-f1", "give-tile pixies-f1"]
    assert [notation for notation, _ in want.tiles] == ["ask-special golem", "ask-special arch-mage"]
    assert not ask.groups
    assert not ask.singles


def test_all_ticked_is_an_offer() -> None:
    """The fields in the form's order are the engine's order, so that one sequence makes the offer."""
    t = offering()
    ask = asked(t)
    assert ask.offer is not None
    for side in ask.offer.sides:
        t.do(f"{side.gold[0]} {side.gold[1]}", *[n for n, _ in side.lands], "done", *[n for n, _ in side.tiles], "done")
    assert t.asks == ("deal", 1)


def test_an_offer_begun_one_by_one_goes_on_so() -> None:
    t = offering().do("give-gold 1")
    ask = asked(t)
    assert ask.offer is None
    assert [group.word for group in ask.groups] == ["give-land"]
