"""Collection and construction: sections gold, prestige, special-character, building; K3, K15 to K18."""

import pytest

from tests.king.scripts import Table, part, player

TOM = (
    "desert-1:1 desert-2:2 desert-3:2 forest-1:0:village forest-2:0:village forest-3:0:village mountain-1:0:copper-mine"
)


def test_k15_example_2_toms_income() -> None:
    """K15, gold, example 2: 7 lands, 3 villages, a copper mine, a tower and two keeps make 16 gold."""
    table = Table(player(TOM), player("swamp-1"), frames=part(1, ["collect", 0]))
    assert table.state.gold[0] == 16


def test_k15_the_dwarf_king() -> None:
    """K15, specials.dwarf-king: 1 extra gold with the Dwarf King in the army."""
    table = Table(player(TOM, army="dwarf-king"), player("swamp-1"), frames=part(1, ["collect", 0]))
    assert table.state.gold[0] == 17


def test_k11_example_3_toms_prestige() -> None:
    """prestige, example 3, K11: 16 for holdings, 2 for 21 gold, 1 for the Thief: 19."""
    table = Table(player(TOM, army="master-thief", gold=5), player("swamp-1"), frames=part(1, ["collect", 0]))
    assert table.state.gold[0] == 21
    assert table.state.prestige(0) == 19


def test_k16_example_4_guilliame_tell() -> None:
    """K16, special-character, example 4, specials.guilliame-tell: 9 on two dice and 1 for 19 prestige make 10."""
    table = Table(
        player(TOM, army="master-thief", gold=21), player("swamp-1"), frames=part(1, ["special-offer", 0], ["build", 0])
    )
    assert "seek master-thief" not in table.legal()
    assert table.refused("seek master-thief") == "not-in-bank"
    table.do("seek guilliame-tell").roll(4, 5)
    assert "guilliame-tell" in table.army()
    assert table.state.prestige(0) == 20
    assert table.asks == ("build", 0)  # one try a turn


@pytest.mark.parametrize(("dice", "won"), [((4, 4), False), ((4, 5), False), ((5, 5), True)])
def test_k16_the_roll_must_reach_twice_the_value(dice: tuple[int, int], won: bool) -> None:
    """K16, specials: twice the combat value or more, without prestige nothing is added."""
    table = Table(player("desert-1"), player("swamp-1"), frames=part(1, ["special-offer", 0], ["build", 0]))
    table.do("seek guilliame-tell").roll(*dice)
    assert ("guilliame-tell" in table.army()) == won
    assert table.in_cup("guilliame-tell") != won


def test_k16_it_may_be_declined() -> None:
    """K16: one try a turn, optional."""
    table = Table(player("desert-1"), player("swamp-1"), frames=part(1, ["special-offer", 0], ["build", 0]))
    assert table.do("pass").asks == ("build", 0)


def test_k17_example_5_the_tower_grows() -> None:
    """K17, building, building.fortifications, example 5: a level a turn, 10 gold each, the tile back to the bank."""
    table = Table(player("mountain-1 mountain-2", gold=100), player("swamp-1"), frames=part(1, ["build", 0]))
    levels = []
    for turn in range(4):
        table.do("fort mountain-1")
        levels.append(table.fort("mountain-1"))
        assert table.refused("fort mountain-1") in ("built-this-turn", "greatest-fort")
        if turn < 3:
            table.do("done")
            table.until(lambda t, wanted=turn + 2: t.state.turn == wanted and t.state.frames[-1] == ("build", 0, ()))  # type: ignore[misc]
    assert levels == [1, 2, 3, 4]
    assert table.state.bank == [0, 9, 7, 7, 3]


def test_k17_as_many_forts_as_gold_allows() -> None:
    """K17: any number of actions, one level a land."""
    table = Table(player("forest-1 forest-2 forest-3", gold=25), player("swamp-1"), frames=part(1, ["build", 0]))
    table.do("fort forest-3", "fort forest-1")
    assert table.refused("fort forest-2") == "not-enough-gold"
    assert table.refused("fort swamp-1") == "not-your-land"
    assert table.state.gold[0] == 5


def test_k17_one_gran_muniment() -> None:
    """K17: no player may have two."""
    table = Table(player("forest-1:4 forest-2:3", gold=20), player("swamp-1"), frames=part(1, ["build", 0]))
    assert table.refused("fort forest-2") == "second-gran-muniment"
    assert table.refused("fort forest-1") == "greatest-fort"


def test_k17_k3_the_bank_must_have_the_tile() -> None:
    """K3, K17: fortification tiles are limited."""
    keeps = " ".join(f"forest-{n}:2" for n in range(1, 8))
    table = Table(player("desert-1:1", gold=20), player(keeps), frames=part(1, ["build", 0]))
    assert table.refused("fort desert-1") == "none-in-bank"


@pytest.mark.parametrize(
    ("placed", "new", "code"),
    [
        ("village", "city", ""),
        ("village", "gold-mine", ""),
        ("city", "gold-mine", ""),
        ("gold-mine", "city", ""),
        ("gold-mine", "village", ""),
        ("city", "village", "no-replacing"),
        ("village", "village", "no-replacing"),
        ("city", "city", "no-replacing"),
        ("silver-mine", "gold-mine", "no-replacing"),
        ("", "gold-mine", ""),
    ],
)
def test_k18_replacing(placed: str, new: str, code: str) -> None:
    """K18, building.improvements: what may replace what; the replaced tile returns to the deck."""
    table = Table(player(f"mountain-1:0:{placed}", hand=new), player("swamp-1"), frames=part(1, ["build", 0]))
    if code:
        assert table.refused(f"place {new} mountain-1") == code
        return
    table.do(f"place {new} mountain-1")
    assert table.improvement("mountain-1") == new
    assert not placed or table.in_cup(placed)
    assert table.rolls == "draw"  # each one placed draws a tile


def test_k18_mines_on_mountain_only_and_chains() -> None:
    """K18, building.improvements: mines on mountain; the tile drawn may itself be placed."""
    table = Table(
        player("mountain-1 plains-1", hand="gold-mine village"), player("swamp-1"), frames=part(1, ["build", 0])
    )
    assert table.refused("place gold-mine plains-1") == "mines-on-mountain"
    table.do("place village plains-1").draw("city").do("done", "place city mountain-1").draw("elves-2").do("done")
    assert table.asks == ("build", 0)
    assert table.refused("place elves-2 plains-1") == "no-improvement"
    assert table.refused("place chest plains-1") == "not-in-hand"
    assert [table.improvement(n) for n in ("mountain-1", "plains-1")] == ["city", "village"]


def test_k12_no_mustering_without_a_draw_or_a_land() -> None:
    """K12, questions: characters enter the army only right after a draw, or a land gained."""
    table = Table(player("forest-1", hand="elves-2"), player("swamp-1"), frames=part(1, ["build", 0]))
    assert table.refused("muster elves-2") == "not-now"
