"""What an offer of a trade can hold (K53), and what undo does not cross: the questions that interfaces ask."""

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.game import Decision, Over
from muniment.games.king.trade import Wares, wares
from tests.king.scripts import Random, Table, king, part, player


def trade(*players: dict[str, object]) -> Table:
    return Table(*players, frames=part(4, ["war", 0]), turn=2, phase=4, options={"trading": True})


def test_k53_an_offer_can_ask_for_tiles_that_were_seen() -> None:
    """Own tiles one by one, equal ones too; of the other's the specials, and what is known to lie there (K2, K53)."""
    t = trade(
        player("forest-1 forest-2", hand="golem ruby", army="pixies-f1 pixies-f1", gold=3),
        player("swamp-1", hand="city", army="crocodile-2 arch-mage", gold=4),
    )
    t.do("give golem 1").do("trade 1")
    assert wares(t.state) == Wares(
        (3, 4), (("forest-1", "forest-2"), ("swamp-1",)), (("ruby", "pixies-f1", "pixies-f1"), ("golem", "arch-mage"))
    )


def test_wares_are_what_the_game_lets_an_offer_hold() -> None:
    """In random games: taking all there is, one by one, and the same from any table that looks alike to the seat."""
    game = king(trading=True, army_reserves=True)
    offers = 0
    for number in range(4):
        s, players = game.initial(2 + number % 3), Random(f"wares {number}")
        for _ in range(2500):
            pending = game.pending(s)
            if isinstance(pending, Over):
                break
            if isinstance(pending, Decision) and pending.kind == "offer" and not any(s.frames[-1].data[2:]):
                seat = pending.seats[0]
                found = wares(s)
                again = game.redeal(game.view(s, seat), RandomStream(seed_from_text(f"{number} {offers}")))
                assert wares(again) == found
                probe = s.copy()
                taken: list[object] = []
                for _ in range(6):
                    legal = game.legal_actions(probe, seat)
                    if legal[0].word.endswith("gold"):
                        amounts = [int(a.args[0]) for a in legal if a.word == legal[0].word]
                        taken.append(max(amounts))
                        game.apply(probe, legal[0], seat)
                        continue
                    lot: list[str] = []
                    while rest := [
                        a
                        for a in game.legal_actions(probe, seat)
                        if a.word in ("give-land", "give-tile", "ask-land", "ask-special")
                    ]:
                        lot.append(str(rest[0].args[0]))
                        game.apply(probe, rest[0], seat)
                    taken.append(tuple(lot))
                    if len(taken) < 6:
                        game.apply(probe, game.parse_action("done"), seat)
                assert taken == [part for side in (0, 1) for part in (x[side] for x in found)]
                offers += 1
            players.step(game, s)
    assert offers > 30
