"""The fine print: moments of stops, what is judged when, and who knows what afterwards.

K2, K10, K16, K26, K29 to K31, K41 to K43, K46, K47, K53.
"""

import pytest

from muniment.games.king.steps import ROLLS
from tests.king.scripts import Table, part, player
from tests.king.test_land import draw, fight
from tests.king.test_magic import charmed, sent
from tests.king.test_options import trade
from tests.king.test_order import deed
from tests.king.test_war import joined, send_all, war


def stop_of(table: Table) -> str:
    """What the game stops for, "" if it does not."""
    f = table.state.frames[-1]
    return str(f.data[0]) if f.kind == "stop" else ""


def pass_until(table: Table, stop: str, land: str = "forest-1") -> Table:
    """Pass stops, and line everybody up at one land, until the stop."""
    for _ in range(40):
        if stop_of(table) == stop:
            return table
        if stop_of(table):
            table.do("pass")
        elif table.state.frames[-1].kind == "line":
            table.do(next(action for action in table.legal() if action.endswith(f" {land}")))
        else:
            table.roll(6, 1)
    raise AssertionError(f"no stop {stop}")


# -- stops


@pytest.mark.parametrize("item", ["the-mist", "dispell-magic"])
def test_k10_between_the_stages_also_without_shooting(item: str) -> None:
    """K10: between a battle's stages, also if nobody has shot: charge dice may have been thrown since the last stop."""
    table = pass_until(sent("sand-worm-3", "elves-2", three=item), "revealed").do("pass")
    assert stop_of(table) == "stages"
    table.do("pass")
    assert table.rolls == "volley-dice"


@pytest.mark.parametrize(
    ("item", "stops"),
    [
        ("the-mist", ["paid", "initiative", "lined", "battle", "revealed", "stages"]),
        ("golem", ["paid", "initiative"]),
        ("dispell-magic", ["paid", "initiative", "lined", "battle", "revealed", "stages"]),
        ("wall-of-fire", ["lined", "battle", "revealed"]),
        ("dust-of-defense", ["lined", "battle"]),
    ],
)
def test_k10_every_moment_of_a_war(item: str, stops: list[str]) -> None:
    """K10: the listed moments stop for the listed items, each once, and no other does."""
    table, found = sent("giant-r4", "elves-2", three=item), []
    while table.state.war is not None:
        if stop_of(table):
            found.append(stop_of(table))
            table.do("pass")
        elif table.state.frames[-1].kind == "line":
            table.do(next(action for action in table.legal() if action.endswith(" forest-1")))
        elif table.rolls == "initiative-dice":
            table.roll(6, 1)
        else:
            table.roll(*[1] * (4 if table.state.battle and table.state.battle.stage == 0 else 2))
    assert found == stops


def test_k10_k26_dispell_in_a_fight() -> None:
    """K10, K26: a fight is a battle: dispell before it, after the reveal, and between the stages."""
    table = fight("elves-3", "bear-2", "village", "city", "gold-mine", hand="dispell-magic")
    table.do("commit elves-3", "done")
    found = []
    while stop_of(table):
        found.append(stop_of(table))
        table.do("pass")
    assert found == ["fight", "fight-revealed", "fight-stages"]


def test_k31_no_charge_without_a_fight() -> None:
    """K31, capture, K34: an undefended land is captured without a fight, so that no charge die is thrown."""
    table = joined("black-knight-c4", "")
    assert "forest-1" in table.lands(0)
    assert not table.happened("roll")[1:]  # initiative only
    assert joined("black-knight-c4", "", "forest-1:1").rolls == "charge-dice"
    assert joined("black-knight-c4", "bear-2").rolls == "charge-dice"


def test_k42_k46_no_die_between_a_roll_and_its_judgement() -> None:
    """K42, K43: the charm's answer is dispell only: a wall's die would come between the roll and its judgement."""
    table = sent("sand-worm-3", "elves-2", one="lucky-charm", two="wall-of-fire", three="dispell-magic").do("pass")
    table.roll(3, 4).do("charm +1 1")
    assert table.asks == ("stop", 2)
    assert not [action for action in table.legal(1) if action.startswith("wall")]
    assert table.refused("wall forest-1", 1) == "not-its-moment"
    assert "dispell 0" in table.legal()
    table.do("pass")
    assert table.rolls == "initiative-dice"  # 4 against 4
    table.roll(6, 1)
    assert "wall forest-1" in table.legal(1)


def test_k46_no_wall_once_the_dice_have_been_thrown() -> None:
    """K46: until the first dice of that land's battle; at the stop between its stages another land only."""
    table = pass_until(sent("giant-r4 troll-4", "elves-2", two="the-mist", three="wall-of-fire"), "revealed")
    assert {"wall forest-1", "wall plains-1"} <= set(table.legal(2))
    table.do("pass")
    while stop_of(table):
        table.do("pass")
    table.roll(1, 1, 1, 1)
    assert stop_of(table) == "stages"
    assert [action for action in table.legal(2) if action.startswith("wall")] == ["wall plains-1"]


def test_k10_which_rolls_are_battles() -> None:
    """K10: the standing answer "in my battles" asks for the charm at the rolls of wars, and at no other."""
    assert {purpose for purpose, roll in ROLLS.items() if roll.battle} == {
        "initiative-dice", "reserve-dice", "wall-value", "charge-dice", "volley", "flyer-save", "capture-save",
        "talisman-die",
    }  # fmt: skip
    assert {purpose for purpose, roll in ROLLS.items() if roll.clamped} == {"event-dice"}  # K42
    assert {purpose for purpose, roll in ROLLS.items() if roll.concerns is None} == {  # K21, and before play
        "sickness-dice", "start-gold", "start-seat",
    }  # fmt: skip


def test_k42_event_dice_up_to_the_edges_of_the_table() -> None:
    """K42: on the event dice a 2 may become 1 and a 5 may become 6, but a 1 not 0 and a 6 not 7."""
    for dice, uses in (((2, 5), ["+1 1", "-1 1", "+1 2", "-1 2"]), ((1, 6), ["+1 1", "-1 2"])):
        table = Table(
            player("desert-1", hand="lucky-charm", standing=2), player("swamp-1"), frames=part(2, ["event", 0]), phase=2
        ).roll(*dice)
        assert [action for action in table.legal() if action.startswith("charm")] == [f"charm {use}" for use in uses]


# -- what is judged when


def test_k16_prestige_at_the_roll() -> None:
    """K16: the bonus goes by the prestige at the roll: what is cashed once the dice lie there comes too late."""
    table = charmed("lucky-charm chest", standing=2).do("seek arch-cleric").roll(4, 5)
    table.do("cash chest", "pass")  # 1 land and 40 gold: 5 prestige; without it 1
    assert "arch-cleric" not in table.army()
    table = Table(
        player("desert-1", hand="lucky-charm chest", gold=50, standing=2),
        player("forest-1"),
        frames=part(1, ["special-offer", 0], ["build", 0]),
    )
    table.do("seek arch-cleric").roll(4, 5).do("cash chest", "pass")  # 6 before, 10 after
    assert "arch-cleric" not in table.army()
    table = Table(
        player("desert-1", hand="lucky-charm chest", gold=50, standing=2),
        player("forest-1"),
        frames=part(1, ["special-offer", 0], ["build", 0]),
    )
    table.do("cash chest", "seek arch-cleric").roll(4, 5).do("pass")
    assert "arch-cleric" in table.army()


def test_k43_k29_a_dispelled_golem_is_no_tile_for_initiative() -> None:
    """K43, K44, K29: while the side it joined is dispelled the golem does not count, for initiative neither."""
    table = sent("sand-worm-3", "elves-2", two="golem", three="dispell-magic").do("golem 0", "pass")
    assert stop_of(table) == "paid"
    table.do("dispell 0").roll(3, 3)  # one tile against one: nobody adds
    assert table.rolls == "initiative-dice"
    table = sent("sand-worm-3", "elves-2", two="golem", three="dispell-magic").do("golem 0", "pass", "pass")
    table.roll(3, 3)
    assert table.asks == ("add", 1)


@pytest.mark.parametrize(
    ("dice", "asked"), [((3, 5), True), ((5, 3), False), ((2, 5), False), ((4, 3), True), ((3, 3), True)]
)
def test_k10_the_charm_at_initiative(dice: tuple[int, int], asked: bool) -> None:
    """K10, K42, K29: asked where a pip, with the one that the attacker here may add, could matter."""
    table = war(
        player("desert-1", army="sand-worm-3", gold=9, hand="lucky-charm"), player("forest-1", army="elves-2 elves-3")
    ).do("attack 1")
    send_all(table)
    table.roll(*dice)
    assert (table.state.frames[-1].kind == "charm") == asked


@pytest.mark.parametrize(
    ("who", "dice", "gold", "asked"),
    [
        ("master-thief", (6, 2), 9, True),  # 4 gold, or 3, or 5
        ("master-thief", (6, 2), 4, True),  # 4 or 3
        ("master-thief", (6, 2), 3, False),  # all 3 in any case
        ("master-thief", (2, 4), 9, False),
        ("master-thief", (2, 3), 9, True),
        ("assassin-primus", (6, 2), 9, False),
        ("assassin-primus", (3, 2), 9, True),
    ],
)
def test_k10_k41_the_charm_and_what_a_thief_steals(who: str, dice: tuple[int, int], gold: int, asked: bool) -> None:
    """K10, K41, K42: one pip changes what the thief steals, and so both are concerned."""
    action = "rob 1" if who == "master-thief" else "kill 1"
    table = deed(who, two=player("forest-1", gold=gold, army="elves-2", hand="lucky-charm")).do(action).roll(*dice)
    assert (table.state.frames[-1].kind == "charm") == asked


@pytest.mark.parametrize(("dice", "asked"), [((3, 3), True), ((4, 3), True), ((2, 3), False), ((5, 3), False)])
def test_k10_k41_the_charm_at_the_escape(dice: tuple[int, int], asked: bool) -> None:
    """K41: after a tie only higher escapes: one lower, or two higher, a pip changes nothing."""
    table = deed("master-thief", one=player("desert-1", army="master-thief", hand="lucky-charm")).do("rob 1")
    table.roll(2, 2).do("pass").roll(*dice)
    assert (table.state.frames[-1].kind == "charm") == asked


@pytest.mark.parametrize(
    ("dice", "asked"), [((1, 4), False), ((2, 4), True), ((3, 4), True), ((4, 4), True), ((4, 5), False)]
)
def test_k10_k19_the_charm_at_a_disaster(dice: tuple[int, int], asked: bool) -> None:
    """K10, K19, K42: the owner is asked where a pip makes a 7, or unmakes it."""
    table = Table(
        player("desert-1"), player("forest-1 swamp-1", hand="lucky-charm"), frames=part(2, ["event", 0]), phase=2
    )
    table.roll(1, 1)
    if table.state.frames[-1].kind == "charm":  # at the event
        table.do("pass")
    table.roll(*dice)
    assert (table.state.frames[-1].kind == "charm") == asked


@pytest.mark.parametrize(("seat", "asked"), [(0, True), (1, True), (2, False)])
def test_k10_k39_the_charm_at_a_capture(seat: int, asked: bool) -> None:
    """K10, K39, K42: the saving roll of a structure concerns attacker and defender, and nobody else."""
    hands = ["lucky-charm" if other == seat else "" for other in range(3)]
    table = war(
        player("mountain-1", army="cyclops-5", gold=9, hand=hands[0]),
        player("forest-1:0:village desert-2", hand=hands[1]),
        player("plains-1", hand=hands[2]),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-1").roll(6, *[2] * 4)
    table.until(lambda t: t.state.frames[-1].kind == "roll" and t.rolls == "capture-save").roll(5)
    assert (table.state.frames[-1].kind == "charm") == asked


@pytest.mark.parametrize(
    ("dice", "army", "asked"),
    [
        ((6, 6), "elves-2", True),  # smallpox, which the fifth pip would turn into plague
        ((6, 6), "", False),
        ((6, 5), "elves-2 bear-2", True),  # the plague, upon the largest army
        ((6, 5), "elves-2", False),
        ((6, 4), "elves-2 bear-2", False),  # another's harvest
    ],
)
def test_k10_k21_the_charm_at_anothers_event(dice: tuple[int, int], army: str, asked: bool) -> None:
    """K10, K21, K42: sickness concerns those whose armies it would strike."""
    table = Table(
        player("mountain-1 desert-1", army="cyclops-5 troll-4"),
        player("forest-1", army=army, hand="lucky-charm"),
        frames=part(2, ["event", 0]),
        phase=2,
    ).roll(*dice)
    assert (table.state.frames[-1].kind == "charm") == asked


# -- tiles


def test_k28_one_gold_for_two_tiles() -> None:
    """K28: 1 gold pays two tiles, and no third."""
    table = war(player("desert-1", army="sand-worm-3 nomads-2 camel-corps-3", gold=1), player("forest-1")).do(
        "attack 1"
    )
    table.do("send sand-worm-3", "send camel-corps-3")
    assert table.legal() == ["done"]
    assert table.do("done").state.gold[0] == 0


def test_k26_dead_owners_are_kept_in_positions() -> None:
    """K26: with two players, too, an owner killed in the ranged stage is in the position, and returns in the end."""
    table = draw(player("forest-1 desert-2", army="elves-r3 elves-3", hand="dispell-magic"), player("swamp-1"))
    table.draw("land-fight", "desert", "bear-2", "wildcat-3", "city", "gold-mine")
    table.do("commit elves-r3", "commit elves-3", "done")
    while stop_of(table):
        table.do("pass")
    table.roll(6, 1, 1).do("hit bear-2")
    assert stop_of(table) == "fight-stages"
    assert [table.state.box.slug[tile] for tile in table.state.dead] == ["bear-2"]
    again = table.game.state_from_json(table.game.state_to_json(table.state))
    assert again == table.state
    assert not table.in_cup("bear-2")
    table.do("pass").roll(1, 1, 1).roll(1, 1, 1)
    assert table.in_cup("bear-2")


def test_k53_a_gran_muniment_for_another() -> None:
    """K53, K39: a deal is one exchange: who gives a Gran Muniment for another never has two."""
    table = trade(player("desert-1:4 desert-2"), player("swamp-1:4 swamp-2"))
    table.do("trade 1", "give-gold 0", "give-land desert-1", "done", "done")
    table.do("ask-gold 0", "ask-land swamp-1", "done", "done", "accept")
    assert (table.fort("desert-1"), table.fort("swamp-1")) == (4, 4)
    assert table.lands(0) == ["desert-2", "swamp-1"]


def test_k53_secret_tiles_on_either_side() -> None:
    """K53: tiles of hand or army on either side: what the partner has offered can be asked for in the counter-offer."""
    table = trade(
        player("desert-1", army="sand-worm-3", hand="sphinx-m4"), player("swamp-1", army="ghosts-f1", hand="cyclops-5")
    )
    table.do("trade 1", "give-gold 0", "done", "give-tile sphinx-m4", "done", "ask-gold 0", "done")
    assert table.legal() == ["done"]  # nothing of the other's is known
    table.do("done", "counter", "give-gold 0", "done", "give-tile cyclops-5", "done", "ask-gold 0", "done")
    assert table.legal() == ["done", "ask-special sphinx-m4"]
    table.do("ask-special sphinx-m4", "done")
    assert table.asks == ("deal", 0)
    table.do("accept")
    assert (table.hand(0), table.hand(1)) == (["cyclops-5"], ["sphinx-m4"])
    assert known_of(table, 0, 1) == ("sphinx-m4",)  # who gave it knows where it is, in the hand or the army
    assert table.game.view(table.state, 1).hidden[0].known == ("cyclops-5",)


def test_k39_k3_a_second_gran_muniment_and_an_empty_bank() -> None:
    """K39, K3: if the bank has neither castle, keep nor tower, the captured Gran Muniment is gone; the land is not."""
    rest = [f"{terrain}-{n}" for terrain in ("swamp", "plains", "desert") for n in range(1, 9)]
    levels = [3] * 7 + [2] * 7 + [1] * 9
    others = " ".join(f"{name}:{level}" for name, level in zip(rest, levels, strict=False))
    table = war(
        player("forest-1:4 mountain-1", army="cyclops-5 troll-4", gold=9),
        player("forest-2:4 mountain-2"),
        player(others),
    ).do("attack 1")
    assert table.state.bank == [0, 0, 0, 0, 2]
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-2", "line troll-4 forest-2")
    table.roll(6, 6, 6, 6, *[1] * 5).roll(1, 1, 1, 1).roll(2)
    assert "forest-2" in table.lands(0)
    assert table.fort("forest-2") == 0
    assert table.state.bank == [0, 0, 0, 0, 3]


def test_k11_in_the_middle_of_an_auction() -> None:
    """K11, K25, K58: gold bid still counts, and a treasure cashed while another is asked wins at once."""
    table = draw(
        player("forest-1", gold=9), player("swamp-1:4", gold=249, hand="diamond"), player("plains-1", gold=3)
    ).draw("land-auction", "desert")
    table.do("bid 240")
    assert table.asks == ("bid", 2)
    assert table.state.prestige(1) == 1 + 4 + 24
    table.do("cash diamond", seat=1)
    assert table.over.reason == "king"
    assert [float(x) for x in table.over.returns] == [0.0, 1.0, 0.0]


# -- what is known


def known_of(table: Table, viewer: int, seat: int) -> tuple[str, ...]:
    """The tiles of the seat's hand and army that the viewer knows of."""
    view = table.game.view(table.state, viewer)
    return next(h.known + h.known_army for h in view.hidden if h.seat == seat)


def test_k2_an_equal_tile_may_be_the_one_that_was_seen() -> None:
    """K2: who knew of one pair of ghosts and sees a pair die does not know whether the other pair is still there."""
    for which in (0, 1):
        table = deed("assassin-primus", two=player("forest-1 swamp-2", army="ghosts-f1 ghosts-f1 bear-2"))
        tile = table.state.box.tiles_named("ghosts-f1")[which]
        table.state.known[tile] = 0b10  # seat 0 knows of this one
        table.do("kill 1").roll(6, 1).draw("ghosts-f1")
        assert known_of(table, 0, 1) == ()


def test_k2_a_revealed_tile_may_be_the_one_that_was_seen() -> None:
    """K2, K32: the same when ghosts are revealed in a battle while an equal tile lies elsewhere."""
    table = war(player("mountain-1", army="cyclops-5", gold=9), player("swamp-1 swamp-2", army="ghosts-f1 ghosts-f1"))
    table.state.known[table.state.box.tiles_named("ghosts-f1")[1]] = 0b10
    table.do("attack 1", "send cyclops-5", "done").roll(6, 1)
    table.do("line cyclops-5 swamp-1", "line ghosts-f1 swamp-1", "line ghosts-f1 swamp-2")
    table.roll(1, 1, 1, 1, 1).roll(1)
    assert known_of(table, 0, 1) == ("ghosts-f1",)


def test_k13_k2_homeless_tiles_in_the_hand() -> None:
    """K13, K2: homeless = "hand": who knew the tile in the army knows it in the hand; an unknown one stays unknown."""
    table = Table(
        player("swamp-1"),
        player("forest-1 desert-1", army="elves-2 bear-2"),
        frames=part(2, ["event", 0]),
        phase=2,
        options={"homeless": "hand"},
    )
    table.state.known[table.state.box.tiles_named("bear-2")[0]] = 0b10  # seat 0, in the army
    table.roll(1, 1).roll(3, 4)
    assert table.hand(1) == ["elves-2", "bear-2"]
    hidden = table.game.view(table.state, 0).hidden[0]
    assert (hidden.known, hidden.known_army) == (("bear-2",), ())


def test_k2_k53_third_players_do_not_see_what_is_traded() -> None:
    """K2, K53: a third player knows no longer which of the tiles it had seen are still there."""
    table = trade(
        player("desert-1 forest-1", army="sand-worm-3 elves-2"), player("swamp-1", gold=3), player("plains-1")
    )
    for slug in ("sand-worm-3", "elves-2"):
        table.state.known[table.state.box.tiles_named(slug)[0]] = 0b101000  # seats 1 and 2
    table.do("trade 1", "give-gold 0", "done", "give-tile elves-2", "done", "ask-gold 3", "done", "done", "accept")
    assert known_of(table, 2, 0) == ()
    assert known_of(table, 2, 1) == ()
    assert known_of(table, 1, 0) == ("sand-worm-3",)


def test_k26_k2_the_order_of_returning_owners_tells_nothing() -> None:
    """K26, K2: tiles that the left player kept to himself: the drawer does not see what they were, nor by the order."""
    seen = []
    for kept in ("lucky-charm", "wall-of-fire"):
        table = fight("elves-3", "bear-2", "golem", kept, "city").do("commit elves-3", "done")
        table.state.standing[1] = 3  # never the charm
        table.do("golem 1").roll(1, 1, 1).roll(6, *[1] * 10)
        assert table.army(0) == []
        seen.append(table.game.view(table.state, 0).seen)
    assert seen[0] == seen[1]


def test_k2_k53_a_tile_of_the_hand_does_not_come_from_the_army() -> None:
    """K2, K53: a third player forgets what could have gone: with a tile of the hand, none that he knows in the army."""
    table = trade(
        player("desert-1", army="sand-worm-3", hand="elves-2 sphinx-m4"), player("swamp-1", gold=3), player("plains-1")
    )
    known = table.state.known
    known[table.state.box.tiles_named("sand-worm-3")[0]] = 0b10 << 4
    known[table.state.box.tiles_named("sphinx-m4")[0]] = 0b01 << 4
    table.do("trade 1", "give-gold 0", "done", "give-tile elves-2", "done", "ask-gold 3", "done", "done", "accept")
    assert known_of(table, 2, 0) == ("sand-worm-3",)


def test_k2_which_of_equal_tiles_came_out_of_the_cup() -> None:
    """K2: of two pairs of ghosts that went into the cup at 3 and at 5 one comes out and returns: the other one's time
    does not tell which it was; one that was seen after the tile had been drawn it was not."""
    for when, left in (((3, 5), 3), ((3, 12), 12)):
        found = set()
        for number in (1, 2):
            table = deed("assassin-primus", two=player("forest-1 swamp-2", army=f"ghosts-f1#{number} bear-2"))
            s, tiles = table.state, table.state.box.tiles_named("ghosts-f1")
            times = when if number == 1 or max(when) < 9 else when[::-1]  # drawn at 9
            s.clock, s.fill[tiles[number - 1]] = 20, 9
            s.seen[0][tiles[0]], s.seen[0][tiles[1]] = times
            table.do("kill 1").roll(6, 1).draw("ghosts-f1")
            found.add(table.game.view(s, 0).last_seen("ghosts-f1"))
        assert found == {(0, 0, left, 21)}


def test_k2_own_tiles() -> None:
    """K2: a seat sees its own hand and army."""
    table = Table(player("desert-1", army="sand-worm-3", hand="ruby"), player("swamp-1"), frames=part(1, ["build", 0]))
    view = table.game.view(table.state, 0)
    assert (view.hand, view.army) == (("ruby",), ("sand-worm-3",))


def test_k30_a_line_up_stays_private_when_magic_is_played() -> None:
    """K30, K44, K47: also while the game stops for an answer in the middle of it."""
    table = sent("sand-worm-3 nomads-2", "elves-2", two="dispell-magic", three="golem dust-of-defense")
    table = pass_until(table, "initiative").do("pass")
    while stop_of(table):
        table.do("pass")
    assert table.asks == ("line", 0)
    before = table.game.view(table.state, 2).hidden
    table.do("line sand-worm-3 forest-1").do("golem 1", seat=2)
    assert stop_of(table) == "answer"
    assert table.game.view(table.state, 2).hidden[0] == before[0]
    assert table.state.frames[-4].kind == "line"
    assert [lie for lie in table.game.view(table.state, 1).hidden[0].lies if lie[1] < 40] == []


def test_k47_k30_no_dust_while_anybody_lines_up() -> None:
    """K47, K30: dust can be used when both sides have lined up, not at a stop in the middle of the second line-up."""
    table = sent("sand-worm-3 nomads-2", "elves-2", one="wall-of-fire", two="dust-of-defense", three="dispell-magic")
    while stop_of(table):
        table.do("pass")
    table.roll(1, 6)
    while stop_of(table):
        table.do("pass")
    table.do("stand")
    while stop_of(table):
        table.do("pass")
    assert table.asks == ("line", 1)
    table.do("line elves-2 forest-1")
    assert table.asks == ("line", 0)
    table.do("line sand-worm-3 forest-1")
    assert not [action for action in table.legal(1) if action.startswith("dust")]
    table.do("wall plains-1")
    assert stop_of(table) == "answer"
    assert not [action for action in table.legal(1) if action.startswith("dust")]
    table.do("pass").roll(3).do("line nomads-2 forest-1")
    assert "dust forest-1" in table.legal(1)
