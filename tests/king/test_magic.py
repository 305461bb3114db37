"""Magic and the stops: sections magic and its items, etiquette; K9, K10, K40, K42 to K49, K58, K59."""

import pytest

from tests.king.scripts import Table, part, player
from tests.king.test_war import joined, send_all, war


def sent(
    attackers: str = "sand-worm-3 nomads-2",
    defenders: str = "elves-2",
    *more: dict[str, object],
    one: str = "",
    two: str = "",
    three: str = "",
) -> Table:
    """A war just paid for; hands of the three seats."""
    table = war(
        player("desert-1 mountain-1", army=attackers, gold=20, hand=one),
        player("forest-1 plains-1", army=defenders, hand=two),
        player("swamp-1", hand=three),
    ).do("attack 1")
    send_all(table)
    return table


# -- at any time


def test_k9_out_of_turn() -> None:
    """K9, pieces.playing-deck: treasures are cashed, gifts made, by anybody whenever the game waits for a decision."""
    table = Table(player("forest-1"), player("desert-1", hand="chest the-mist"), frames=part(1, ["build", 0]))
    assert table.legal(1) == ["cash chest", "give the-mist 0", "standing mist never"]
    table.do("cash chest", seat=1).do("give the-mist 0", seat=1)
    assert table.state.gold[1] == 40
    assert table.hand(0) == ["the-mist"]
    assert table.in_cup("chest")
    assert table.refused("cash chest", 1) == "not-in-hand"
    assert table.asks == ("build", 0)


def test_k9_not_while_dice_are_thrown() -> None:
    """K9, K59: nothing while the game waits for dice."""
    table = Table(player("forest-1", hand="chest"), player("desert-1"), frames=part(2, ["event", 0]))
    assert table.game.legal_actions(table.state, 0) == []
    refusal = table.game.refusal(table.state, table.game.parse_action("cash chest"), 0)
    assert refusal is not None
    assert refusal.code == "dice-first"


def test_k60_a_gift_once_a_phase() -> None:
    """K60, K49, etiquette: a magic item is given away at most once a phase."""
    table = Table(player("forest-1"), player("desert-1", hand="the-mist"), frames=part(1, ["build", 0]))
    table.do("give the-mist 0", seat=1)
    assert table.refused("give the-mist 1", 0) == "given-already"
    table.do("done").until(lambda t: t.state.turn == 2 and t.state.frames[-1].kind == "special")
    assert "give the-mist 1" in table.legal(0)


def test_k49_swords_and_bows_enter_the_army() -> None:
    """K49, magic.magic-sword, magic.magic-bow: at any time outside wars; in a war before the owner lines up, unpaid."""
    table = Table(player("forest-1"), player("desert-1", hand="magic-sword"), frames=part(1, ["build", 0]))
    table.do("arm magic-sword", seat=1)
    assert table.army(1) == ["magic-sword"]
    table = sent(one="magic-bow", two="magic-sword")
    gold = table.state.gold[0]
    table.roll(6, 1)
    assert table.refused("arm magic-bow", 0) == "too-late-to-arm"  # the higher side lines up already
    table.do("arm magic-sword", seat=1)
    assert table.army(1) == ["elves-2", "magic-sword"]
    assert table.state.gold[0] == gold


def test_k49_the_attackers_sword_goes_into_the_field() -> None:
    """K49: with the army of that war."""
    table = sent(one="magic-bow dispell-magic")  # the stop for dispell lets the attacker act before the roll
    assert table.asks == ("stop", 0)
    table.do("arm magic-bow")
    assert table.refused("give magic-bow 1", 0) == "not-in-hand"  # one already in an army cannot be given
    table.do("pass")
    assert len(table.state.field) == 3


# -- the stops


def test_k10_stops_in_turn_order_until_all_pass() -> None:
    """K10: the holders of usable items are asked in turn order from the acting player; using one asks all again."""
    table = sent(two="the-mist", three="golem")
    assert table.asks == ("stop", 1)
    table.do("pass")
    assert table.asks == ("stop", 2)
    table.do("golem 1")
    assert table.asks == ("stop", 1)
    table.do("pass")
    assert table.rolls == "initiative-dice"


def test_k10_nobody_is_told_who_is_asked() -> None:
    """K10, K2: views say that the game waits, never whose answer."""
    table = sent(two="the-mist", three="golem")
    for seat in (0, 2, None):
        awaited = table.game.view(table.state, seat).awaited
        assert (awaited.kind, awaited.you, awaited.seats) == ("stop", False, ())
        assert all(f.seat == -1 for f in table.game.view(table.state, seat).frames if f.kind in ("stop", "stops"))
    assert table.game.view(table.state, 1).awaited.you
    assert not table.events or all(event.kind != "asked" for event in table.events)


def test_k10_standing_answers() -> None:
    """K10: a seat can decline stops in advance, by kind, and take it back."""
    table = sent(two="the-mist")
    table.do("standing mist never")
    assert table.asks == ("stop", 1)  # the answer still stands out
    table.do("pass")
    table.roll(6, 1)
    assert table.asks == ("line", 0)  # no second stop
    assert table.refused("standing mist never", 1) == "no-change"
    table.do("standing mist ask", seat=1)
    assert table.state.standing[1] == 0


def test_k10_a_gift_is_used_in_the_same_stop() -> None:
    """K10, K49: the receiver is asked, too."""
    table = sent(two="the-mist")
    table.do("give the-mist 2", seat=1)
    assert table.asks == ("stop", 2)
    table.do("mist")
    assert table.state.war is None


@pytest.mark.parametrize(("stop", "item"), [("paid", "golem"), ("paid", "the-mist"), ("paid", "dispell-magic")])
def test_k10_when_an_attack_has_been_paid(stop: str, item: str) -> None:
    """K10: mist, golem, dispell when the army has been paid, and again after initiative."""
    table = sent(three=item)
    assert table.asks == ("stop", 2)
    table.do("pass").roll(6, 1)
    assert table.asks == ("stop", 2)


@pytest.mark.parametrize("item", ["the-mist", "wall-of-fire", "dust-of-defense", "dispell-magic"])
def test_k10_after_line_up_and_before_each_battle(item: str) -> None:
    """K10: mist, wall, dust, dispell."""
    table = sent(three=item)
    if item in ("the-mist", "dispell-magic"):
        table.do("pass").roll(6, 1).do("pass")
    else:
        table.roll(6, 1)
    table.do("line sand-worm-3 forest-1", "line nomads-2 plains-1", "line elves-2 forest-1")
    assert table.asks == ("stop", 2)
    table.do("pass")
    assert table.asks == ("battle", 0)
    table.do("battle plains-1")
    assert table.asks == ("stop", 2)
    table.do("pass")
    assert "plains-1" in table.lands(0) or table.asks == ("stop", 2)


# -- the charm


def charmed(hand: str = "lucky-charm", standing: int = 0) -> Table:
    return Table(
        player("desert-1", hand=hand, standing=standing),
        player("forest-1"),
        frames=part(1, ["special-offer", 0], ["build", 0]),
    )


def test_k42_one_pip() -> None:
    """K42, magic.lucky-charm, questions: one die of the roll just made, and the charm returns to the deck."""
    table = charmed().do("seek guilliame-tell").roll(4, 5)
    assert table.asks == ("charm", 0)
    assert table.legal()[:5] == ["pass", "charm +1 1", "charm -1 1", "charm +1 2", "charm -1 2"]
    table.do("charm +1 1")
    assert "guilliame-tell" in table.army()
    assert table.in_cup("lucky-charm")


def test_k10_k42_asked_only_where_it_could_matter() -> None:
    """K10: unless it says otherwise, the holder is asked only where one pip could change a result that concerns him."""
    table = charmed().do("seek guilliame-tell").roll(3, 5)
    assert table.asks == ("build", 0)
    table = charmed(standing=2).do("seek guilliame-tell").roll(3, 5)  # always
    assert table.asks == ("charm", 0)
    table = charmed(standing=1).do("seek guilliame-tell").roll(4, 5)  # in my battles only
    assert table.asks == ("build", 0)
    table = charmed(standing=3).do("seek guilliame-tell").roll(4, 5)  # never
    assert table.asks == ("build", 0)
    table = Table(
        player("desert-1"), player("forest-1", hand="lucky-charm"), frames=part(1, ["special-offer", 0], ["build", 0])
    )
    assert table.do("seek guilliame-tell").roll(4, 5).asks == ("build", 0)  # not its concern


def test_k42_event_dice_stay_within_the_table() -> None:
    """K42: a 6 may become 7 and a 1 become 0, except on the two event dice."""
    table = Table(player("desert-1", hand="lucky-charm"), player("forest-1"), frames=part(2, ["event", 0]), phase=2)
    table.roll(6, 1)
    assert table.legal()[:3] == ["pass", "charm -1 1", "charm +1 2"]
    table.do("charm -1 1")
    assert table.state.gold[0] == 1  # pennies from heaven


def test_k42_a_die_can_become_7_or_0() -> None:
    """K42: judged with the changed die."""
    table = Table(player("desert-1", hand="lucky-charm"), player("forest-1"), frames=part(2, ["event", 0]), phase=2)
    table.roll(5, 3).do("pass").roll(6).do("charm +1 1")
    assert table.state.gold[0] == 7


def test_k42_k59_in_battle_any_die_of_the_roll() -> None:
    """K42, K59: a roll of several dice is one roll, with one window; before the other side's dice."""
    table = war(
        player("mountain-1", army="cyclops-5", gold=9, hand="lucky-charm"), player("forest-1 plains-1", army="bear-2")
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-1", "line bear-2 forest-1").roll(1, 2, 3, 4, 5)
    assert table.asks == ("charm", 0)
    assert table.legal()[:2] == ["pass", "charm +1 6"]  # the 5 becomes a hit
    table.do("charm +1 6").roll(1, 1)
    assert "forest-1" in table.lands(0)


def test_k42_against_a_hit() -> None:
    """K42: by any holder for any purpose: the defender turns a 6 into a 5."""
    table = war(
        player("mountain-1", army="cyclops-5", gold=9), player("forest-1 plains-1", army="bear-2", hand="lucky-charm")
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-1", "line bear-2 forest-1").roll(1, 2, 3, 4, 6)
    assert table.legal()[:2] == ["pass", "charm -1 6"]
    table.do("charm -1 6").roll(1, 1)
    assert table.army(1) == ["bear-2"]


def test_k42_given_in_time() -> None:
    """K49: a charm given to another player may be used in the same stop."""
    table = charmed(standing=2).do("seek guilliame-tell").roll(4, 5).do("give lucky-charm 1", seat=0)
    assert table.asks == ("charm", 1)
    table.do("charm -1 2")
    assert "guilliame-tell" not in table.army()


def test_k42_no_roll_no_charm() -> None:
    """K42: before any other die is rolled, so not at a decision."""
    table = charmed()
    assert table.refused("charm +1 1") == "no-roll"


# -- dispell


def test_k43_dispell_answers_magic() -> None:
    """K43, magic.dispell-magic, K10: magic just announced can be answered; it has no effect and is used up."""
    table = sent(two="the-mist", three="dispell-magic")
    table.do("mist")
    assert table.asks == ("stop", 2)
    table.do("dispell 1")
    assert table.state.war is not None
    assert table.in_cup("the-mist")
    assert table.state.dispelled == 1
    assert not table.in_cup("dispell-magic")
    table.roll(6, 1)
    assert table.asks == ("line", 0)


def test_k43_to_the_end_of_the_part() -> None:
    """K43: to the end of the current player's part of the phase, when the scroll returns to the deck."""
    table = Table(
        player("forest-1", hand="dispell-magic"),
        player("desert-1", hand="magic-sword"),
        frames=part(1, ["build", 0]),
        first=0,
    )
    table.do("dispell 1")
    assert table.refused("arm magic-sword", 1) == "dispelled"
    table.do("done")
    assert table.state.dispelled == -1
    assert table.in_cup("dispell-magic")


def test_k43_magic_ability_swords_and_golems() -> None:
    """K43: swords and bows give nothing, magic ability hits on 6 only, golems and walls do not count."""
    table = sent("arch-mage magic-sword", "bear-2", three="dispell-magic")
    table.do("pass").roll(6, 1).do("pass")
    table.do("line magic-sword forest-1", "line arch-mage forest-1", "line bear-2 forest-1")
    table.do("pass", "pass", "bear magic-sword arch-mage")
    assert table.asks == ("stop", 2)
    table.do("dispell 0")
    assert table.game.chance(table.state).outcomes[0].args[0] == 6


def test_k43_dispelled_a_charm_cannot_be_played() -> None:
    """K43: no new magic, the charm included."""
    table = charmed("lucky-charm")
    table.state.dispelled = 0
    table.do("seek guilliame-tell").roll(4, 5)
    assert table.asks == ("build", 0)


# -- golem, mist, wall, dust


def test_k44_the_golem() -> None:
    """K44, magic.golem: into either army before it lines up, unpaid; counts if before the roll; no ranged hits."""
    table = sent("sand-worm-3", "elves-r3", three="golem")
    assert table.legal()[:3] == ["pass", "golem 0", "golem 1"]
    gold = table.state.gold[0]
    table.do("golem 0")
    assert len(table.state.field) == 2
    assert table.state.gold[0] == gold
    table.roll(6, 1).do("line sand-worm-3 plains-1", "line golem forest-1", "line elves-r3 forest-1", "battle forest-1")
    table.roll(6, 1, 1)  # a ranged hit that nobody can take
    assert table.rolls == "volley-dice"
    table.roll(6, *[1] * 8)
    assert "forest-1" in table.lands(0)
    assert table.state.war is None
    assert table.in_cup("golem")


def test_k44_too_late_once_a_side_lines_up() -> None:
    """K44: before that side lines up."""
    table = sent("sand-worm-3", "elves-2", three="golem").do("pass").roll(6, 1).do("pass")
    assert table.asks == ("line", 0)
    assert "golem 1" in table.legal(2)
    assert table.refused("golem 0", 2) == "no-such-target"


def test_k45_the_mist() -> None:
    """K45, magic.the-mist: battles not yet fought are off, the gold is lost, decided ones stand."""
    table = sent(two="the-mist").do("pass").roll(6, 1).do("pass")
    table.do("line sand-worm-3 forest-1", "line nomads-2 plains-1", "line elves-2 forest-1", "pass", "battle plains-1")
    table.do("pass", "pass")  # before the battle, and when its tiles are revealed
    assert "plains-1" in table.lands(0)
    assert table.asks == ("stop", 1)
    table.do("mist")
    assert table.state.war is None
    assert "forest-1" in table.lands(1)
    assert table.army(0) == ["sand-worm-3", "nomads-2"]


def test_k45_between_the_stages() -> None:
    """K45, K10: a battle under way ends without capture; losses so far stand."""
    table = sent("giant-r4 troll-4", "elves-2", two="the-mist")
    table.do("pass").roll(6, 1).do("pass")
    table.do("line giant-r4 forest-1", "line troll-4 forest-1", "line elves-2 forest-1", "pass", "pass", "pass")
    table.roll(1, 1, 1, 1)
    assert table.asks == ("stop", 1)
    table.do("mist")
    assert "forest-1" in table.lands(1)


def test_k46_wall_of_fire() -> None:
    """K46, magic.wall-of-fire, K35: a die for its value; it absorbs hits and rolls dice; no roll to save it (K39)."""
    table = sent("sand-worm-3", "", three="wall-of-fire").roll(6, 1)
    table.do("line sand-worm-3 forest-1")
    assert "wall forest-1" in table.legal()
    assert "wall desert-1" not in table.legal()
    table.do("wall forest-1").roll(2)
    table.roll(6, 6, 1).roll(1, 1)
    assert "forest-1" in table.lands(0)
    assert table.in_cup("wall-of-fire")
    assert not table.happened("structure-lost")


def test_k47_dust_of_defense() -> None:
    """K47, magic.dust-of-defense: the attackers of that land go home and are out of the war, the land is safe."""
    table = sent(two="dust-of-defense").roll(6, 1)
    table.do("line sand-worm-3 forest-1", "line nomads-2 plains-1", "line elves-2 forest-1")
    table.do("dust plains-1")
    assert table.army(0) == ["nomads-2"]
    assert table.in_cup("dust-of-defense")
    table.roll(1, 1, 1).roll(1, 1)
    assert sorted(table.lands(1)) == ["forest-1", "plains-1"]


def test_k47_before_tiles_are_revealed() -> None:
    """K47: not once the battle has begun."""
    table = sent("sand-worm-3", "elves-2", two="dust-of-defense").roll(6, 1)
    table.do("line sand-worm-3 forest-1", "line elves-2 forest-1", "pass", "pass")
    assert table.rolls == "volley-dice"


# -- sword, bow, talisman


def test_k48_the_sword() -> None:
    """K48, magic.magic-sword: hand to hand on 5 and 6; with magic ability on 4 to 6."""
    table = joined("cyclops-5 magic-sword", "bear-2").do("bear magic-sword cyclops-5")
    assert table.game.chance(table.state).outcomes[0].args[0] == 5
    table = joined("arch-mage magic-sword", "bear-2").do("bear magic-sword arch-mage")
    assert table.game.chance(table.state).outcomes[0].args[0] == 4


def test_k48_the_bow() -> None:
    """K48, magic.magic-bow: ranged bearers hit on 5 and 6; others may shoot instead, on 6, with magic ability on 5."""
    table = joined("giant-r4 magic-bow", "bear-2").do("bear magic-bow giant-r4")
    assert table.game.chance(table.state).outcomes[0].args[0] == 5
    table = joined("cyclops-5 magic-bow", "bear-2").do("bear magic-bow cyclops-5")
    assert table.legal() == ["shoot cyclops-5+bow", "hold cyclops-5+bow"]
    table.do("shoot cyclops-5+bow")
    assert table.state.battle is not None
    assert table.state.battle.stage == 0
    assert table.game.chance(table.state).outcomes[0].args[0] == 6
    table = joined("arch-mage magic-bow", "bear-2").do("bear magic-bow arch-mage", "shoot arch-mage+bow")
    assert table.game.chance(table.state).outcomes[0].args[0] == 5


def test_k32_k48_given_openly_or_left_idle() -> None:
    """K32, K48: the attacker gives first; a golem bears nothing."""
    table = joined("cyclops-5 magic-sword", "bear-2 magic-bow")
    assert table.asks == ("bear", 0)
    table.do("idle magic-sword")
    assert table.asks == ("bear", 1)
    assert table.legal() == ["bear magic-bow bear-2", "idle magic-bow"]


def test_k40_the_talisman() -> None:
    """K40, magic.talisman-of-deliverance: after the war, up to a die's number of its owner's dead, specials too."""
    table = sent("sand-worm-3 arch-mage", "elves-2 elves-3", one="talisman-of-deliverance").roll(6, 1)
    table.do("line sand-worm-3 forest-1", "line arch-mage forest-1", "line elves-3 forest-1", "line elves-2 forest-1")
    table.roll(*[1] * 9).roll(6, 6, 1, 1, 1)
    assert table.army(0) == []
    assert table.asks == ("stop", 0)
    table.do("talisman").roll(1)
    assert table.legal()[:3] == ["done", "revive sand-worm-3", "revive arch-mage"]
    table.do("revive arch-mage", "done")
    assert table.army(0) == ["arch-mage"]
    assert table.in_cup("sand-worm-3")
    assert table.in_cup("talisman-of-deliverance")


def test_k40_only_with_dead_of_ones_own() -> None:
    """K40: its owner's dead characters only."""
    table = sent("sand-worm-3", "elves-2", three="talisman-of-deliverance").roll(6, 1)
    table.do("line sand-worm-3 forest-1", "line elves-2 forest-1").roll(6, 1, 1).roll(1, 1)
    assert table.state.war is None
