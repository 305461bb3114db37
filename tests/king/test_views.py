"""What seats see: pieces, K2, K26, and re-dealing (design.md, "Views")."""

from collections import Counter
from itertools import permutations

import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.games.king import King, KingOptions, read_edition
from muniment.games.king.state import KingState
from muniment.games.king.steps import CHOICES
from tests.king.scripts import Random, Table, check_invariants, king, part, player
from tests.king.test_war import send_all, war

MINIATURE = """
name = "Miniature"
[setup]
hand = 2
lands = 1
[land_deck]
terrain = { desert = 2, forest = 2, mountain = 0, plains = 0, swamp = 0 }
land_auction = 0
fight = 1
for_sale = [{ price = 1 }]
[fortifications]
tower = 2
keep = 1
castle = 1
gran_muniment = 1
[tiles]
settlements = [{ name = "Village", value = 1, count = 1 }]
mines = []
treasures = [{ name = "Ruby", value = 10, count = 1 }]
magic = [{ name = "Magic Sword", role = "sword" }]
special_characters = [{ name = "Arch Mage", value = 6, abilities = ["magic"] }]
characters = [
  { terrain = "desert", name = "Nomads", value = 1, abilities = [], count = 2 },
  { terrain = "forest", name = "Elves", value = 2, abilities = [], count = 1 },
  { terrain = "forest", name = "Bear", value = 2, abilities = [], count = 1 },
]
"""


@pytest.fixture(scope="module")
def miniature(tmp_path_factory: pytest.TempPathFactory) -> King:
    """A game of seven tiles, four lands and a few forts."""
    file = tmp_path_factory.mktemp("edition") / "miniature.toml"
    file.write_text(MINIATURE, encoding="utf-8")
    return King(edition=read_edition(file), options=KingOptions(turn_limit=8))


def test_k2_what_is_secret_and_what_is_public() -> None:
    """K2, pieces.playing-deck: hands and the identity of ordinary tiles in armies are secret; all else is public."""
    table = Table(
        player("forest-1:2:city", hand="chest elves-3", army="elves-2 arch-mage", gold=7),
        player("desert-1"),
        frames=part(1, ["build", 0]),
    )
    view = table.game.view(table.state, 1)
    text = str(view.to_json())
    assert "elves" not in text
    assert "chest" not in text
    assert (view.gold, view.hand_sizes, view.army_sizes) == ((7, 0), (2, 0), (2, 0))
    assert [tile.tile for tile in view.tiles] == ["city", "arch-mage"]
    assert view.lands[0][0] == ("forest-1", 2, "city")
    assert "arch-mage" not in view.bank
    assert view.bank_forts == (9, 6, 7, 4)
    own = table.game.view(table.state, 0)
    assert own.hand == ("elves-3", "chest")
    assert own.army == ("elves-2", "arch-mage")


def test_k2_what_was_seen_is_known() -> None:
    """K2, K32: a tile revealed in a battle is known to be in the army afterwards, but not which one it is."""
    table = (
        war(player("desert-1", army="sand-worm-3 nomads-2", gold=9), player("forest-1 plains-1", army="elves-2"))
        .do("attack 1", "send sand-worm-3", "done")
        .roll(6, 1)
    )
    table.do("line sand-worm-3 forest-1", "line elves-2 plains-1")
    (hidden,) = table.game.view(table.state, 1).hidden
    assert hidden.known_army == ("sand-worm-3",)
    assert len(hidden.army) == 2
    assert [number for *_, number in hidden.lies] == [2]


def test_k2_tiles_seen_going_into_a_cup() -> None:
    """K2: what went back into the cup is available to later draws only, and seats know it."""
    table = Table(player("forest-1"), player("desert-1", hand="chest ruby"), frames=part(3, ["free-draw", 0]), phase=3)
    table.draw("city")
    table.do("cash chest", seat=1)
    view = table.game.view(table.state, 0)
    assert view.last_seen("chest") == (table.state.clock,)
    dice = RandomStream(b"x")
    chest = table.state.box.tiles_named("chest")[0]
    for _ in range(40):  # no slot filled before can hold it
        assert table.game.redeal(view, dice).zone[chest] == 0


def test_k26_owners_are_known_to_the_left_player() -> None:
    """K26, K2: the number is public, who they are is known to the left player, also after they went back unseen."""
    table = Table(
        player("forest-1", army="elves-2"),
        player("swamp-1"),
        player("plains-1"),
        frames=part(3, ["land-draw", 0]),
        phase=3,
    ).draw("land-fight", "desert", "bear-2", "village", "troll-4", "the-mist")
    drawer, left = table.game.view(table.state, 0), table.game.view(table.state, 1)
    assert (len(drawer.owners), drawer.owner_characters) == (3, 2)
    assert "bear-2" not in [tile.tile for tile in drawer.tiles]
    assert "bear-2" in [tile.tile for tile in left.tiles]
    table.do("decline")
    assert table.game.view(table.state, 1).last_seen("bear-2")[0] > 0
    assert table.game.view(table.state, 0).last_seen("bear-2") == (0,)
    assert all("bear-2" not in str(e.facts) for e in table.events if e.seen_by(0))


def test_partial_choices_are_private() -> None:
    """K8, K12, K30: choices in the making are seen by nobody else, in views or events."""
    table = Table(
        player("forest-1", hand="elves-2 elves-3"), player("swamp-1"), frames=part(3, ["free-draw", 0]), phase=3
    )
    table.draw("city")
    before = table.game.view(table.state, 1)
    table.do("muster elves-3")
    assert table.game.view(table.state, 1) == before
    table.do("done")
    assert table.game.view(table.state, 1).army_sizes == (1, 0)


def test_k30_a_line_up_in_the_making_is_private() -> None:
    """K30: the second player sees where and how many only when the first is done."""
    table = war(
        player("desert-1", army="sand-worm-3 arch-mage", gold=9), player("forest-1 plains-1", army="elves-2")
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1)
    before = table.game.view(table.state, 1)
    table.do("line sand-worm-3 forest-1")
    assert table.game.view(table.state, 1) == before
    table.do("line arch-mage plains-1")
    assert [t.place for t in table.game.view(table.state, 1).tiles if t.tile == "arch-mage"] == [
        table.state.box.land_named["plains-1"]
    ]


def _same_to(game: King, s: KingState, seat: int | None, dice: RandomStream) -> KingState:
    """A re-deal for the seat, checked: equal views and legal actions, an intact table, no impossible tile."""
    view = game.view(s, seat)
    other = game.redeal(view, dice)
    assert game.view(other, seat) == view
    if seat is not None:
        assert game.legal_actions(other, seat) == game.legal_actions(s, seat)
    check_invariants(other)
    return other


@pytest.mark.parametrize("number", range(8))
def test_the_leak_test(number: int) -> None:
    """K2, K10: states that differ only in what a seat cannot see give it equal views and equal legal actions; a re-deal
    reproduces the view, deals no seat a tile it could not hold, and can be played on and written as JSON."""
    options = {"army_reserves": True, "trading": True, "turn_limit": 60} if number % 2 else {"turn_limit": 60}
    game = king(homeless="hand" if number % 3 else "deck", **options)
    s, players, dice = game.initial(2 + number % 3), Random(f"leak {number}"), RandomStream(bytes([number]))
    for step in range(900):
        if s.over is not None:
            break
        players.step(game, s)
        if step % 17 and s.frames[-1].kind not in ("stop", "charm"):
            continue
        for seat in (*range(s.seats), None):
            other = _same_to(game, s, seat, dice)
            if s.over is None:
                assert game.state_from_json(game.state_to_json(other)) == other
                for _ in range(8):
                    if other.over is None:
                        players.step(game, other)
                check_invariants(other)


def test_stops_are_dealt_a_holder() -> None:
    """K10: at a stop of somebody else the re-deal gives the item to a seat that would be asked."""
    table = war(
        player("desert-1", army="sand-worm-3", gold=9),
        player("forest-1", hand="the-mist"),
        player("swamp-1", hand="city"),
    ).do("attack 1")
    send_all(table)
    dice, askers = RandomStream(b"y"), Counter[tuple[int, str]]()
    view = table.game.view(table.state, 0)
    for _ in range(60):
        other = table.game.redeal(view, dice)
        asked = other.frames[-1].seat
        held = [
            other.box.slug[t] for t in other.hand[asked] if other.box.slug[t] in ("the-mist", "golem", "dispell-magic")
        ]
        askers[asked, held[0]] += 1
    assert {seat for seat, _ in askers} == {1, 2}
    assert {item for _, item in askers} == {"the-mist", "golem", "dispell-magic"}


def chi_square(found: Counter[tuple[str, ...]], wanted: dict[tuple[str, ...], int]) -> float:
    total, weight = sum(found.values()), sum(wanted.values())
    assert set(found) <= set(wanted), set(found) - set(wanted)
    return sum((found[key] - total * w / weight) ** 2 / (total * w / weight) for key, w in wanted.items())


def mini(game: King) -> Table:
    """Seat 1's hand filled at 1, 2 and army at 3, 5 (desert only, then also forest); the ruby seen going in at 4."""
    table = Table(
        player("desert-1", hand="magic-sword"),
        player("desert-2 forest-1", hand="village elves-2", army="nomads-1 bear-2"),
        frames=part(1, ["build", 0]),
        game=game,
    )
    s = table.state
    slugs = {s.box.slug[t]: t for t in range(s.box.deck)}
    nomads = next(t for t in s.army[1] if s.box.slug[t] == "nomads-1")
    for tile, fill, mask in (
        (slugs["village"], 1, 0),
        (slugs["elves-2"], 2, 0),
        (nomads, 3, 1),
        (slugs["bear-2"], 5, 35),
        (slugs["magic-sword"], 6, 0),
    ):
        s.fill[tile], s.mask[tile] = fill, mask
    for seen in s.seen:
        seen[slugs["ruby"]] = 4
    s.clock = 6
    return table


def enumerated(table: Table) -> dict[tuple[str, ...], int]:
    """Every deal of distinct tiles to seat 1's slots that the rules of the slots allow, by kinds, counted."""
    s = table.state
    unseen = [t for t in range(s.box.deck) if s.box.slug[t] != "magic-sword"]
    slots = ((1, -1), (2, -1), (3, 1), (5, 35))
    found: Counter[tuple[str, ...]] = Counter()
    for deal in permutations(unseen, 4):
        fits = all(
            s.seen[0][tile] < fill and (mask < 0 or s.box.bit[tile] & mask)
            for tile, (fill, mask) in zip(deal, slots, strict=True)
        )
        if fits:
            found[tuple(s.box.slug[t] for t in deal)] += 1
    return dict(found)


@pytest.mark.parametrize("known", ["", "bear-2", "nomads-1"])
def test_redeal_agrees_with_enumeration(miniature: King, known: str) -> None:
    """K2: on a miniature edition re-deals agree with enumeration by a chi-square test.

    Also where a tile of the army has been seen; of two equal ones it may have been either, so a deal with both counts
    twice.
    """
    table = mini(miniature)
    s = table.state
    for tile in s.army[1]:
        if s.box.slug[tile] == known:
            s.known[tile] = 2
    wanted = {deal: n * (deal[2:].count(known) if known else 1) for deal, n in enumerated(table).items()}
    wanted = {deal: n for deal, n in wanted.items() if n}
    dice, found = RandomStream(seed_from_text("chi")), Counter[tuple[str, ...]]()
    view = table.game.view(table.state, 0)
    assert view.hidden[0].known_army == ((known,) if known else ())
    for _ in range(4000):
        other = table.game.redeal(view, dice)
        slots = sorted((other.fill[t], t) for t in (*other.hand[1], *other.army[1]))
        found[tuple(other.box.slug[t] for _, t in slots)] += 1
    freedom = len(wanted) - 1
    assert freedom > 3
    assert chi_square(found, wanted) < freedom + 3.3 * (2 * freedom) ** 0.5


def test_known_tiles_are_not_taken_for_their_equals() -> None:
    """K2: tiles of an army known since turn one are not those equal to them that went into the cup afterwards, however
    many there are: with ten kinds a guess for each would fit once in 1,024 times."""
    box = king().box
    kinds = [box.slug[first] for first, after in box.several if box.fights[first] and after - first == 2][:10]
    assert len(kinds) == 10
    terrains = "desert-1 forest-1 mountain-1 plains-1 swamp-1"
    table = Table(player("desert-2"), player(terrains, army=" ".join(kinds)), frames=part(1, ["build", 0]))
    s = table.state
    for tile in s.army[1]:
        s.fill[tile], s.mask[tile], s.known[tile] = 1, 31, 2
        for other in box.equal[box.slug[tile]] - {tile}:
            for seen in s.seen:
                seen[other] = 5
    s.clock = 6
    dice = RandomStream(b"equals")
    for _ in range(20):
        other_deal = table.game.redeal(table.game.view(s, 0), dice)
        assert sorted(other_deal.box.slug[tile] for tile in other_deal.army[1]) == sorted(kinds)


def test_the_miniature_edition_is_a_whole_game(miniature: King) -> None:
    """K5: a game with few tiles, where cups run out, is played to its end."""
    for seed in range(20):
        s, players = miniature.initial(2), Random(f"mini {seed}")
        for _ in range(3000):
            if s.over is not None:
                break
            players.step(miniature, s)
            check_invariants(s)
        assert s.over is not None


def test_every_hidden_choice_is_masked() -> None:
    """K10: the frames whose seat is a secret are the stops."""
    assert {kind for kind, choice in CHOICES.items() if choice.hidden} == {"stop", "charm"}


def test_a_view_shares_nothing_with_the_state() -> None:
    """design.md: a separate type with no link back."""
    table = Table(player("forest-1", army="elves-2"), player("desert-1"), frames=part(1, ["build", 0]))
    view = table.game.view(table.state, 0)
    before = view.to_json()
    table.state.gold[0] = 99
    table.state.army[0].clear()
    assert view.to_json() == before
    assert hash(view) == hash(table.game.view(table.game.redeal(view, RandomStream(b"z")), 0))
