"""War: sections war, war.army, war.initiative, war.line-up, capture, hits, forts-in-battle; K28 to K40."""

import pytest

from tests.king.scripts import Table, part, player


def war(one: dict[str, object], two: dict[str, object], *more: dict[str, object], **rest: object) -> Table:
    """Seat 0 may make war, in phase 4."""
    return Table(one, two, *more, frames=part(4, ["war", 0]), phase=4, **rest)  # type: ignore[arg-type]


def joined(
    attackers: str, defenders: str, land: str = "forest-1", dice: tuple[int, int] = (6, 1), **rest: object
) -> Table:
    """A war in which everybody has lined up at one land; the defender has a second one."""
    name = land.partition(":")[0]
    table = war(
        player("desert-1 mountain-1 swamp-1 plains-1 forest-8", army=attackers, gold=20),
        player(f"{land} desert-8 mountain-8 swamp-8 plains-8 forest-7", army=defenders),
        **rest,
    )
    table.do("attack 1")
    send_all(table)
    table.roll(*dice)
    if table.asks[0] == "add":
        table.do("add nothing")
    if table.asks[0] == "run":
        table.do("stand")
    while table.state.war is not None and table.state.frames[-1].kind == "line":
        table.do(next(a for a in table.legal() if a.endswith(f" {name}")))
    return table


def send_all(table: Table) -> None:
    while True:
        sends = [a for a in table.legal() if a.startswith("send")]
        if not sends:
            break
        table.do(sends[0])
    table.do("done")


def test_k28_the_army_is_paid() -> None:
    """K28, war.army: 1 gold for every 2 tiles, rounded up; swords count, and are no army alone (K38)."""
    table = war(player("desert-1", army="sand-worm-3 nomads-2 magic-sword", gold=2), player("forest-1"))
    table.do("attack 1")
    assert table.refused("done") == "no-character"
    table.do("send magic-sword", "send sand-worm-3", "send nomads-2", "done")
    assert table.state.gold[0] == 0
    assert len(table.state.field) == 3


def test_k28_k38_who_cannot_attack() -> None:
    """K28, K38: without gold, or with swords and bows only, there is no attack."""
    table = war(player("desert-1", army="sand-worm-3"), player("forest-1"))
    assert table.refused("attack 1") == "not-enough-gold"
    table = war(player("desert-1", army="magic-sword magic-bow", gold=5), player("forest-1"))
    assert table.refused("attack 1") == "no-character"
    assert table.refused("attack 0") == "no-such-opponent"
    assert table.do("peace").state.turn == 2


def test_k28_gold_must_be_left_for_a_character() -> None:
    """K28, K38: with 1 gold sword and bow cannot both go, since a character must."""
    table = war(player("desert-1", army="sand-worm-3 magic-sword magic-bow", gold=1), player("forest-1")).do("attack 1")
    table.do("send magic-sword")
    assert table.legal() == ["send sand-worm-3"]
    assert table.refused("send magic-bow") == "not-enough-gold"


def test_k29_initiative_and_its_bonus() -> None:
    """K29, war.initiative: fewer tiles may add one, asked only where it matters; ties roll again, the choice anew."""
    table = war(player("desert-1", army="sand-worm-3", gold=9), player("forest-1", army="elves-2 elves-3")).do(
        "attack 1"
    )
    send_all(table)
    table.roll(3, 3)
    assert table.asks == ("add", 0)
    table.do("add nothing").roll(3, 4)
    assert table.asks == ("add", 0)
    table.do("add one").roll(2, 5)  # a tie again
    assert table.asks == ("run", 0)


def test_k29_equal_numbers_no_bonus() -> None:
    """K29: with equal numbers nobody adds."""
    table = war(player("desert-1", army="sand-worm-3", gold=9), player("forest-1", army="elves-2")).do("attack 1")
    send_all(table)
    table.roll(3, 3)
    assert table.rolls == "initiative-dice"
    table.roll(6, 1)
    assert table.asks == ("line", 0)


def test_k29_running_away() -> None:
    """K29, etiquette: an attacker whose total was lower may run; the army goes home, the gold is lost."""
    table = war(player("desert-1", army="sand-worm-3", gold=9), player("forest-1", army="elves-2")).do("attack 1")
    send_all(table)
    table.roll(1, 6).do("run")
    assert table.army(0) == ["sand-worm-3"]
    assert table.state.gold[0] == 8
    assert table.state.war is None


def test_k30_lining_up() -> None:
    """K30, war.line-up: every tile against one of the defender's lands; equal tiles have one path."""
    table = war(
        player("desert-1 swamp-1", army="ghosts-f1 ghosts-f1 sand-worm-3", gold=9),
        player("forest-1 plains-1", army="elves-2"),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1)
    assert table.legal() == ["line sand-worm-3 forest-1", "line sand-worm-3 plains-1"]
    table.do("line sand-worm-3 forest-1", "line ghosts-f1 plains-1")
    assert table.legal() == ["line ghosts-f1 plains-1"]  # never before the first of the two
    assert "forest-1" not in str(table.game.view(table.state, 1).hidden)
    table.do("line ghosts-f1 plains-1")
    assert table.asks == ("line", 1)
    assert table.happened("lined-up")[0]["tiles"] == (1, 2)
    table.do("line elves-2 forest-1")
    assert table.asks == ("battle", 0)
    assert table.legal() == ["battle forest-1", "battle plains-1"]


def test_k31_undefended_land_is_captured() -> None:
    """K31, capture: no defending character and no fort, captured without combat dice; the tiles there were revealed."""
    table = joined("sand-worm-3", "")
    assert "forest-1" in table.lands(0)
    assert not table.happened("volley")


def test_k12_k32_mustering_for_a_captured_land() -> None:
    """K12, K32: tiles mustered for a land gained in a war stay home for that war; tiles are secret again after it."""
    table = war(
        player("desert-1", army="sand-worm-3 nomads-2", hand="elves-2", gold=9),
        player("forest-1 plains-1", army="villain-2"),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do(
        "line sand-worm-3 forest-1", "line nomads-2 plains-1", "line villain-2 plains-1", "battle forest-1"
    )
    assert table.asks == ("muster", 0)
    table.do("muster elves-2", "done")
    assert table.army(0) == ["elves-2"]
    assert len(table.state.field) == 2
    table.roll(1, 1).roll(1, 1)
    assert table.army(0) == ["sand-worm-3", "nomads-2", "elves-2"]
    view = table.game.view(table.state, 1)
    assert [h.known_army for h in view.hidden] == [("nomads-2", "sand-worm-3")]


def test_example_6_toms_city_and_keep() -> None:
    """forts-in-battle, example 6, K33, K35: city and keep absorb four of five hits; nine dice fight back."""
    rob = "giant-r4 dwarves-r2 cyclops-5 troll-4 sand-worm-3 dwarves-3"
    table = joined(rob, "wildcat-3 bear-2", "forest-1:2:city")
    assert table.rolls == "volley-dice"
    table.roll(6, 6, 1, 1, 1, 1)  # six dice of ranged weapons
    assert table.state.battle is not None
    assert table.state.battle.absorbed == 2
    table.roll(6, 6, 6, *[1] * 12)  # fifteen dice hand to hand
    table.roll(6, 6, *[1] * 7)  # 2 + 2 + 3 + 2
    assert table.happened("hits")[-2]["absorbed"] == 2
    table.do("hit sand-worm-3", "hit dwarves-3")
    assert table.asks == ("hit", 1)
    table.do("hit bear-2")
    assert "forest-1" in table.lands(1)
    assert table.army(1) == ["wildcat-3"]
    assert table.fort("forest-1") == 2  # whole again after the battle


def test_example_7_neils_ghosts() -> None:
    """hits, abilities.flying, example 7, K37: four hits on a snake and two ghosts: one ghost dies without a roll."""
    table = joined("giant-snake-3 ghosts-f1 ghosts-f1", "cyclops-5")
    table.roll(1, 1, 1, 1, 1).roll(6, 6, 6, 6, 1)
    assert table.rolls == "flyer-save"  # the excess falls on one ghost, the other may roll
    table.roll(2)
    assert table.army(0) == ["ghosts-f1"]
    table = joined("giant-snake-3 ghosts-f1 ghosts-f1", "cyclops-5")
    table.roll(1, 1, 1, 1, 1).roll(6, 6, 6, 6, 6)  # five hits: neither may roll
    assert table.army(0) == []


def test_k33_the_order_of_a_stage() -> None:
    """K33, war.battle, abilities.ranged: ranged dice first, both sides, losses of the attacker, then the defender's."""
    table = joined("giant-r4 troll-4", "elves-r3 elves-3")
    table.roll(6, 1, 1, 1).roll(6, 1, 1)
    assert table.asks == ("hit", 0)
    table.do("hit troll-4")
    assert table.asks == ("hit", 1)
    table.do("hit elves-3")
    # hand to hand nobody is left who has not shot
    assert table.state.battle is None
    assert (table.army(0), table.army(1)) == (["giant-r4"], ["elves-r3"])


def test_k34_charge() -> None:
    """K34, abilities.charge, combat-dice, specials.sir-launcelot: one die is added, on attack and defence."""
    table = joined("black-knight-c4", "sir-launcelot")
    assert table.rolls == "charge-dice"
    table.roll(6).roll(2)
    assert table.state.battle is not None
    table.roll(*[1] * 10).roll(*[1] * 7)
    assert table.state.war is None


@pytest.mark.parametrize(
    ("tile", "threshold"), [("arch-mage", 5), ("arch-cleric", 5), ("druid-m3", 5), ("cyclops-5", 6)]
)
def test_k34_magic_hits_on_5(tile: str, threshold: int) -> None:
    """K34, abilities.magic, specials.arch-mage, specials.arch-cleric: the star hits on 5 and 6."""
    table = joined(tile, "bear-2")
    assert table.game.chance(table.state).outcomes[0].args[0] == threshold


@pytest.mark.parametrize(("option", "rolls"), [("roll", True), ("silent", False)])
def test_k35_neutralised_forts(option: str, rolls: bool) -> None:
    """K35: forts neutralised before the hand-to-hand stage still roll, unless the option says otherwise."""
    table = joined("giant-r4 troll-4", "", "forest-1:1", options={"neutralised_forts": option})
    table.roll(6, 1, 1, 1)
    if rolls:
        table.roll(6)
        table.do("hit troll-4")
    assert table.rolls == "capture-save"
    table.roll(2)
    assert table.fort("forest-1") == 1
    assert "forest-1" in table.lands(0)


@pytest.mark.parametrize(
    ("masters", "land", "hits"),
    [
        ("baron-munchausen", "forest-1:1", 1),
        ("grand-duke", "forest-1:2", 1),
        ("baron-munchausen grand-duke", "forest-1:1", 1),
        ("baron-munchausen grand-duke", "forest-1:0:city", 2),
    ],
)
def test_k36_siege_masters(masters: str, land: str, hits: int) -> None:
    """K36, specials.baron-munchausen, specials.grand-duke: hits on the forts before the dice."""
    table = joined(masters, "", land)
    assert table.happened("siege")[0]["hits"] == hits


def test_k36_attacking_only() -> None:
    """K36: a defending siege master hits no fort."""
    assert not joined("troll-4", "grand-duke", "forest-1:2").happened("siege")


def test_k37_the_sword_master() -> None:
    """K37, specials.sword-master: one hit he survives; the second in the same battle kills him."""
    table = joined("giant-r4 cyclops-5", "sword-master")
    table.roll(6, 1, 1, 1)
    assert table.state.battle is not None
    assert table.state.battle.sides[1][0].wounds == 1
    table.roll(6, 1, 1, 1, 1).roll(1, 1, 1, 1)
    assert table.in_cup("sword-master")
    assert "forest-1" in table.lands(0)


def test_k37_excess_hits_sword_master_or_flyers() -> None:
    """K37: the excess goes to the Sword Master or, if the owner prefers, to flyers."""
    table = joined("cyclops-5", "sword-master ghosts-f1")
    table.roll(6, 6, 6, 1, 1).roll(1, 1, 1, 1, 1)
    assert table.asks == ("hit", 1)
    assert table.legal() == ["hit ghosts-f1", "hit sword-master"]
    table.do("hit ghosts-f1")
    assert table.army(1) == ["sword-master"]


def test_k38_a_sword_takes_the_hit() -> None:
    """K38: the owner may lose the sword instead of a character; it lies with the dead and returns to the deck."""
    table = joined("cyclops-5", "bear-2 magic-sword")
    table.do("bear magic-sword bear-2").roll(6, 1, 1, 1, 1).roll(1, 1)
    assert table.legal() == ["hit magic-sword", "hit bear-2+sword"]
    table.do("hit magic-sword")
    assert table.army(1) == ["bear-2"]
    assert table.in_cup("magic-sword")


def test_k38_an_idle_bow_goes_home() -> None:
    """K38: the bow of a dead bearer goes home with its owner, even if the land falls."""
    table = joined("cyclops-5", "bear-2 magic-bow")
    table.do("bear magic-bow bear-2", "hold bear-2+bow").roll(6, 6, 1, 1, 1).roll(1, 1)
    assert "forest-1" in table.lands(0)
    assert table.army(1) == ["magic-bow"]


def test_k38_swords_alone_capture_nothing() -> None:
    """K38: where only a sword stands, no land is captured, and none is held."""
    table = war(player("desert-1", army="sand-worm-3 magic-sword", gold=9), player("forest-1 plains-1")).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line sand-worm-3 forest-1", "line magic-sword plains-1", "battle plains-1")
    assert "plains-1" in table.lands(1)
    assert "forest-1" in table.lands(0)
    table = joined("cyclops-5", "magic-sword")
    assert "forest-1" in table.lands(0)
    assert table.army(1) == ["magic-sword"]


def test_k39_saving_rolls_for_structures() -> None:
    """K39, capture: even captured, odd lost; forts to the bank, settlements and mines to the deck."""
    table = joined("walking-tree-5 cyclops-5", "", "mountain-2:1:gold-mine")
    table.roll(6, *[1] * 9).roll(1)
    assert table.rolls == "capture-save"
    table.roll(3).roll(4)
    assert table.fort("mountain-2") == 0
    assert table.improvement("mountain-2") == "gold-mine"
    assert "mountain-2" in table.lands(0)
    table = joined("walking-tree-5 cyclops-5", "", "forest-1:0:village")
    table.roll(6, *[1] * 9).roll(1).roll(1)
    assert table.in_cup("village")


def test_k39_a_second_gran_muniment_is_reduced() -> None:
    """K39, K3, K17: it becomes the next lower level in the bank."""
    table = war(player("forest-1:4 mountain-1", army="cyclops-5 troll-4", gold=9), player("forest-2:4 desert-1")).do(
        "attack 1"
    )
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-2", "line troll-4 forest-2")
    table.roll(6, 6, 6, 6, *[1] * 5).roll(1, 1, 1, 1).roll(2)
    assert "forest-2" in table.lands(0)
    assert table.fort("forest-2") == 3


def test_capture_needs_a_living_attacker() -> None:
    """capture, K39: if all attackers are killed the land is safe, even if all defenders died too."""
    table = joined("bear-2", "elves-2").roll(6, 1).roll(6, 1)
    assert "forest-1" in table.lands(1)
    assert (table.army(0), table.army(1)) == ([], [])


def test_k13_homeless_after_the_war() -> None:
    """K13, questions, capture: characters whose last land is gone leave the army, to the deck or the hand."""
    for option in ("deck", "hand"):
        table = war(
            player("desert-1", army="sand-worm-3", gold=9),
            player("forest-1 plains-1", army="elves-2 villain-2"),
            options={"homeless": option},
        ).do("attack 1")
        send_all(table)
        table.roll(6, 1).do("line sand-worm-3 forest-1", "line elves-2 plains-1", "line villain-2 plains-1")
        assert table.army(1) == ["villain-2"]
        assert table.hand(1) == (["elves-2"] if option == "hand" else [])


def test_k14_elimination_after_the_war() -> None:
    """K14, victory: who loses all land is out; everything goes to deck and bank; the last one wins."""
    table = war(
        player("desert-1", army="sand-worm-3 arch-mage", gold=9),
        player("forest-1", hand="chest", gold=7),
        player("swamp-1"),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1)
    table.do("line sand-worm-3 forest-1", "line arch-mage forest-1")
    assert not table.state.alive(1)
    assert table.in_cup("chest")
    assert table.state.gold[1] == 0
    assert table.asks[1] == 2


def test_k14_the_last_player_wins() -> None:
    """K14, K11, victory: the remaining player is the winner."""
    table = war(player("desert-1", army="sand-worm-3", gold=9), player("forest-1")).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line sand-worm-3 forest-1")
    assert table.over.reason == "last"
    assert [float(x) for x in table.over.returns] == [1.0, 0.0]
