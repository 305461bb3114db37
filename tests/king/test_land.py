"""Acquiring tiles: sections land-draw, purchase, free-draw; K23 to K27, K57, K58."""

import pytest

from tests.king.scripts import Table, part, player


def draw(*players: dict[str, object], **rest: object) -> Table:
    return Table(*players, frames=part(3, ["land-draw", 0], ["purchase", 0]), phase=3, **rest)  # type: ignore[arg-type]


def test_k23_a_land_that_costs_nothing_is_taken() -> None:
    """K23, K12, land-draw: the land is taken, and its characters may enter the army."""
    table = draw(player("forest-1", hand="sphinx-m4"), player("swamp-1")).draw("desert")
    assert table.lands() == ["forest-1", "desert-1"]
    table.do("muster sphinx-m4", "done")
    assert table.army() == ["sphinx-m4"]


def test_k23_the_last_instruction_counts() -> None:
    """K23: instructions stay out until a land comes; all but the last return at once, the last when it is done."""
    table = draw(player("forest-1", gold=3), player("swamp-1")).draw("land-fight", "land-auction", "for-sale-3")
    assert len(table.state.land_cup) == 54 - 2 - 3
    table.draw("desert")
    assert len(table.state.land_cup) == 54 - 2 - 2
    assert table.asks == ("for-sale", 0)
    table.do("buy")
    assert table.state.gold[0] == 0
    assert len(table.state.land_cup) == 54 - 3


def test_k23_no_land_left() -> None:
    """K23, K5: without a land in the cup nothing is drawn."""
    others = " ".join(f"{t}-{n}" for t in ("desert", "forest", "mountain", "plains", "swamp") for n in range(1, 9))
    table = draw(player("forest-1"), player(others.replace("forest-1 ", "")))
    assert table.asks == ("purchase", 0)


def test_k24_for_sale() -> None:
    """K24, land-draw.for-sale, K58: pay the price, a treasure cashed for it, or the land returns to the cup."""
    table = draw(player("forest-1", gold=2, hand="ruby"), player("swamp-1")).draw("for-sale-10", "desert")
    assert table.refused("buy") == "not-enough-gold"
    table.do("cash ruby", "buy")
    assert table.state.gold[0] == 2
    assert "desert-1" in table.lands()
    table = draw(player("forest-1", gold=20), player("swamp-1")).draw("for-sale-10", "desert").do("pass")
    assert table.in_land_cup("desert-1")


def test_k25_auction() -> None:
    """K25, land-draw.auction: ascending, from the drawer's left, the drawer last; a pass is final; the last pays."""
    table = draw(player("forest-1", gold=9), player("swamp-1", gold=5), player("plains-1", gold=3)).draw(
        "land-auction", "desert"
    )
    assert table.asks == ("bid", 1)
    table.do("bid 2")
    assert table.asks == ("bid", 2)
    assert table.refused("bid 2") == "bid-too-low"
    assert table.refused("bid 4") == "not-enough-gold"
    table.do("pass")
    assert table.asks == ("bid", 0)
    table.do("bid 3")
    assert table.asks == ("bid", 1)
    table.do("bid 5")
    assert table.asks == ("bid", 0)
    table.do("pass")
    assert "desert-1" in table.lands(1)
    assert table.state.gold == [9, 0, 3]


def test_k25_no_bid_at_all() -> None:
    """K25: without a bid the drawer takes the land free."""
    table = draw(player("forest-1"), player("swamp-1", gold=5)).draw("land-auction", "desert").do("pass")
    assert "desert-1" in table.lands(0)


def test_k25_k58_a_treasure_covers_a_bid() -> None:
    """K25, K58: treasures may be cashed to cover a bid; gold leaves the purse only at payment."""
    table = draw(player("forest-1", gold=9), player("swamp-1", hand="chest")).draw("land-auction", "desert")
    assert table.refused("bid 10") == "not-enough-gold"
    table.do("cash chest", "bid 10")
    assert table.state.gold[1] == 40
    table.do("pass")
    assert table.state.gold[1] == 30


def fight(army: str, *owners: str, hand: str = "", left_hand: str = "") -> Table:
    table = draw(
        player("forest-1 desert-2", army=army, hand=hand), player("swamp-1", hand=left_hand), player("plains-1")
    )
    table.draw("land-fight", "desert")
    assert table.rolls == "owner-tile"
    pending = table.pending
    assert getattr(pending, "audience", None) == (1,)
    return table.draw(*owners)


def test_k26_free_without_owners() -> None:
    """K26, land-draw.fight: settlements, mines, treasures return; without characters the land is free."""
    table = fight("elves-2", "city", "village", "chest", "the-mist")
    assert "desert-1" in table.lands(0)
    assert table.in_cup("the-mist")
    assert table.happened("owners")[0]["characters"] == 0


def test_k26_declined() -> None:
    """K26: the drawer may decline; the land returns."""
    table = fight("elves-2", "city", "ghosts-f1", "chest", "the-mist")
    assert table.asks == ("commit", 0)
    table.do("decline")
    assert table.in_land_cup("desert-1")
    assert table.in_cup("ghosts-f1")


def test_k26_won_in_one_battle() -> None:
    """K26: both stages on that land, no initiative, no payment; won with no owner left and an attacker alive."""
    table = fight("elves-r3 elves-3 magic-sword", "city", "ghosts-f1", "chest", "bear-2")
    assert "done" not in table.legal()
    table.do("commit elves-r3", "done")
    assert table.state.gold[0] == 0
    assert table.rolls == "volley-dice"
    table.roll(6, 6, 1)  # ranged: two hits, ghosts and bear
    assert table.rolls == "flyer-save"
    table.roll(3)
    assert "desert-1" in table.lands(0)
    assert table.army(0) == ["elves-r3", "elves-3", "magic-sword"]
    assert table.in_cup("bear-2")


def test_k26_lost() -> None:
    """K26: if not every owner is killed, the land returns; the dead go to the deck, beyond the talisman (K40)."""
    table = fight("elves-3", "ghosts-f1", "walking-tree-5", "city", "village", hand="talisman-of-deliverance")
    table.do("commit elves-3", "done").roll(1, 1, 1).roll(1, 1, 1, 1, 1, 6)
    assert table.army(0) == []
    assert table.in_cup("elves-3")
    assert table.in_land_cup("desert-1")


def test_k26_the_left_player_plays_the_magic_among_the_owners() -> None:
    """K26, K44, K48: golem and sword among the four fight for the land, and all return to the deck."""
    table = fight("elves-3", "golem", "magic-sword", "bear-2", "village")
    table.do("commit elves-3", "done")
    assert table.asks == ("stop", 1)
    assert set(table.legal()) == {"pass", "golem 1"}
    table.do("golem 1")
    assert table.asks == ("bear", 1)
    assert table.legal(1) == ["bear magic-sword bear-2", "idle magic-sword"]
    table.do("bear magic-sword bear-2").roll(1, 1, 1)
    assert table.game.chance(table.state).outcomes[0].args[::5] == (6, 5)  # nine of the golem, two on 5
    table.roll(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5)
    assert table.army(0) == []
    assert table.in_cup("golem")
    assert table.in_cup("magic-sword")


def test_k26_dust_among_the_owners_ends_the_fight() -> None:
    """K26, K47: the battle ends before it begins, the land returns."""
    table = fight("elves-3", "dust-of-defense", "bear-2", "village", "city").do("commit elves-3", "done", "dust fight")
    assert table.in_land_cup("desert-1")
    assert table.army(0) == ["elves-3"]


def test_k26_from_hands_only_charm_dust_and_dispell() -> None:
    """K26: wall of fire and mist belong to wars only."""
    table = fight("elves-3", "bear-2", "village", "city", "chest", hand="the-mist wall-of-fire dispell-magic")
    table.do("commit elves-3", "done")
    assert table.asks == ("stop", 0)
    assert table.refused("mist", 0) == "not-its-moment"
    assert table.refused("wall forest-1", 0) == "not-its-moment"
    assert "dispell 1" in table.legal(0)


def test_k43_k26_the_left_player_counts_as_owner_for_dispell() -> None:
    """K26, K43: dispelled, the owners' golem does not count."""
    table = fight("elves-3", "golem", "village", "city", "chest", hand="dispell-magic").do("commit elves-3", "done")
    table.do("pass") if table.asks[1] == 0 else None
    assert table.asks == ("stop", 1)
    table.do("golem 1")
    assert table.asks == ("stop", 0)  # may answer with dispell
    table.do("dispell 1")
    assert "desert-1" in table.lands(0)


@pytest.mark.parametrize(("number", "price"), [(1, 2), (2, 5), (3, 10), (4, 20)])
def test_k27_purchase_and_free_draw(number: int, price: int) -> None:
    """K27, purchase, free-draw: declared and paid in advance; then one free draw."""
    table = Table(
        player("forest-1", gold=20), player("swamp-1"), frames=part(3, ["purchase", 0], ["free-draw", 0]), phase=3
    )
    table.do(f"purchase {number}")
    assert table.state.gold[0] == 20 - price
    table.draw(*["city", "elves-2", "village", "chest"][:number]).do("done")
    table.draw("ruby").do("done")
    assert len(table.hand()) == number + 1


def test_k27_k57_what_can_be_bought() -> None:
    """K27, K57: what the gold allows, and at most what the cup holds."""
    table = Table(player("forest-1", gold=9), player("swamp-1"), frames=part(3, ["purchase", 0]), phase=3)
    assert table.legal() == ["purchase 0", "purchase 1", "purchase 2"]
    assert table.refused("purchase 3") == "not-enough-gold"
    assert table.refused("purchase 5") == "too-many-tiles"
    s = table.state
    for tile in s.cup[1:]:
        s.zone[tile] = 9
    s.hand[1], s.cup = s.cup[1:], s.cup[:1]
    assert table.legal() == ["purchase 0", "purchase 1"]
    assert table.refused("purchase 2") == "cup-too-empty"
