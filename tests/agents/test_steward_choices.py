"""What the steward chooses in positions made for it: magic, the charm, trades, deeds, victory."""

import pytest

from muniment.agents.steward import Steward
from muniment.agents.uniform import Uniform
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.frames import Frame
from muniment.core.game import Chance, Decision
from muniment.games.king import King, KingOptions
from muniment.games.king.state import KingState
from muniment.games.king.steps import push
from muniment.games.king.war_state import War

GAME = King(options=KingOptions(trading=True))
BOX = GAME.box


def at_war_phase(seats: int = 3, turn: int = 2) -> tuple[KingState, int]:
    """A position at which a seat may attack, and that seat."""
    state = GAME.initial(seats)
    dice, choices = SeededDice(seed_from_text("choices")), RandomStream(bytes(32))
    player = Uniform[object, object]()  # type: ignore[type-var]
    while True:
        pending = GAME.pending(state)
        if isinstance(pending, Decision):
            seat = pending.seats[0]
            if pending.kind == "war" and state.turn >= turn and len(state.army[seat]) > 2:
                return state, seat
            GAME.apply(state, player.choose(None, GAME.legal_actions(state, seat), choices), seat)  # type: ignore[arg-type]
        else:
            assert isinstance(pending, Chance)
            GAME.apply_outcome(state, GAME.sample(state, dice))


def chosen(state: KingState, seat: int) -> str:
    legal = GAME.legal_actions(state, seat)
    action = Steward(GAME).choose(GAME.view(state, seat), legal, RandomStream(bytes(32)))
    assert action in legal
    return action.notation


def hold(state: KingState, seat: int, slug: str) -> None:
    """Put a tile of this kind into the hand, from wherever it is."""
    tile = BOX.tiles_named(slug)[0]
    if state.zone[tile]:
        state.to_cup(tile)
    state.draw(seat, tile)


def test_a_treasure_that_wins_is_cashed() -> None:
    state, seat = at_war_phase()
    land = state.lands[seat][0]
    state.set_fort(land, 3)
    hold(state, seat, "chest")
    state.gold[seat] += 10 * (28 - state.prestige(seat))
    assert chosen(state, seat) != "cash chest"
    state.set_fort(land, 4)
    assert chosen(state, seat) == "cash chest"


def deal(state: KingState, seat: int, *data: int) -> str:
    push(state, "deal", seat, *data)
    found = chosen(state, seat)
    state.frames.pop()
    return found


def test_trades_are_accepted_only_if_they_are_clearly_good() -> None:
    state, seat = at_war_phase()
    other = state.left_of(seat)
    state.gold[seat] = state.gold[other] = 20
    mine, theirs = state.lands[seat][0], state.lands[other][0]
    give_land, ask_land = 1000, 3000
    assert deal(state, seat, other, 0, 10, 0) == "accept"
    assert deal(state, seat, other, 0, 0, 10) == "decline"
    assert deal(state, seat, other, 0, 5, 5) == "decline"
    assert deal(state, seat, other, 0, 1, 0, ask_land + mine) == "decline"
    assert deal(state, seat, other, 0, 0, 1, give_land + theirs) == "accept"
    state.set_fort(mine, 4)
    assert deal(state, seat, other, 0, 20, 0, ask_land + mine) == "decline"


def test_nothing_is_offered() -> None:
    state, seat = at_war_phase()
    push(state, "offer", seat, state.left_of(seat), 0, 0, 0, 0)
    words = []
    while state.frames[-1].kind == "offer":
        words.append(chosen(state, seat))
        GAME.apply(state, GAME.parse_action(words[-1]), seat)
    assert words == ["give-gold 0", "done", "done", "ask-gold 0", "done", "done"]


def charm(state: KingState, seat: int, roll: list[int], kind: str, *data: int | str) -> str:
    """What is done with the charm after a roll."""
    hold(state, seat, "lucky-charm")
    state.frames += [Frame(kind, seat, data), Frame("charm", seat)]
    state.roll = roll
    return chosen(state, seat)


@pytest.mark.parametrize(("short", "word"), [(0, "pass"), (1, "charm"), (2, "pass")])
def test_the_charm_brings_a_special_character_who_is_missed_by_one(short: int, word: str) -> None:
    state, seat = at_war_phase()
    tile = next(t for t in range(BOX.deck, BOX.lands) if not state.zone[t])
    pips = 2 * BOX.value[tile] - state.prestige(seat) // 10 - short
    roll = [pips // 2, pips - pips // 2]
    assert charm(state, seat, roll, "special-try", tile).split()[0] == word


def test_the_charm_saves_a_land_from_disaster() -> None:
    state, seat = at_war_phase()
    land = state.lands[seat][0]
    state.set_fort(land, 4)
    assert charm(state, seat, [3, 4], "disaster-dice", land).startswith("charm")


def test_the_charm_saves_the_assassin() -> None:
    state, seat = at_war_phase()
    assert charm(state, seat, [2, 2], "deed-dice", 1, state.left_of(seat), 1) in ("charm +1 1", "charm -1 2")


def under_attack(seat_attacks: bool) -> tuple[KingState, int, int]:
    """A war with all lined up on one land without a defender: the state, the steward, the land."""
    state, attacker = at_war_phase()
    defender = state.left_of(attacker)
    state.frames.pop()
    land = state.lands[defender][0]
    state.set_fort(land, 0)
    war = state.war = War(attacker, defender)
    war.lined, war.higher = 3, 0
    for tile in state.army[attacker][:]:
        state.to_field(tile, attacker)
        state.place[tile] = land
    for tile in state.army[defender]:
        state.place[tile] = state.lands[defender][1]
    push(state, "homecoming", attacker)
    push(state, "battles", attacker)
    return state, attacker if seat_attacks else defender, land


@pytest.mark.parametrize(
    ("item", "word"), [("dust-of-defense", "dust"), ("wall-of-fire", "wall"), ("the-mist", "mist")]
)
def test_items_defend_what_is_about_to_be_lost(item: str, word: str) -> None:
    state, me, land = under_attack(seat_attacks=False)
    state.set_fort(land, 2)  # something to lose
    tile = BOX.tiles_named("city")[0]
    if not state.zone[tile]:
        state.draw(me, tile)
        state.put_improvement(land, tile)
    hold(state, me, item)
    push(state, "stops", -1, "lined", 0)
    push(state, "stop", me, "lined")
    assert chosen(state, me).split()[0] in (word, "pass")
    state.set_fort(land, 4)
    for extra in range(12):
        zone = next((t for t in range(BOX.settlements) if not state.zone[t]), -1)
        if zone >= 0 and extra < 10:
            state.draw(state.war.attacker, zone)  # type: ignore[union-attr]
            state.to_army(zone, state.war.attacker, 31)  # type: ignore[union-attr]
            state.to_field(zone, state.war.attacker)  # type: ignore[union-attr]
            state.place[zone] = land
    assert chosen(state, me).split()[0] == word


def test_an_attacker_keeps_quiet() -> None:
    state, me, _ = under_attack(seat_attacks=True)
    hold(state, me, "the-mist")
    push(state, "stops", -1, "lined", 0)
    push(state, "stop", me, "lined")
    assert chosen(state, me) == "pass"


def test_the_golem_joins_the_steward_s_own_attack() -> None:
    state, me, _ = under_attack(seat_attacks=True)
    assert state.war is not None
    state.war.lined = 0
    hold(state, me, "golem")
    push(state, "stops", -1, "initiative", 0)
    push(state, "stop", me, "initiative")
    assert chosen(state, me) == f"golem {me}"


def test_a_mist_against_a_good_attack_is_dispelled() -> None:
    state, me, _ = under_attack(seat_attacks=True)
    other = state.left_of(me)
    hold(state, me, "dispell-magic")
    push(state, "magic", other, "mist")
    push(state, "stops", -1, "answer", 0)
    push(state, "stop", me, "answer")
    assert chosen(state, me) == f"dispell {other}"


def test_the_assassin_is_not_risked_for_little() -> None:
    state, seat = at_war_phase()
    state.frames.pop()
    assassin = BOX.assassin
    if state.zone[assassin]:
        state.to_cup(assassin)
    state.to_army(assassin, seat, 0)
    for other in state.order(state.left_of(seat))[:-1]:
        for tile in state.army[other][:]:
            state.to_cup(tile)
        goblin = next(t for t in BOX.tiles_named("goblins-1") if not state.zone[t])
        state.draw(other, goblin)
        state.to_army(goblin, other, 31)
    push(state, "deed-choice", seat, 1)
    assert chosen(state, seat) == "pass"


def test_the_land_that_brings_most_is_bid_for_and_no_more_than_it_is_worth() -> None:
    state, seat = at_war_phase()
    state.frames.pop()
    land = next(n for n in range(BOX.land_count) if state.owner(n) < 0)
    drawer = state.left_of(seat)
    state.gold[seat] = 60
    found = []
    for high in range(20):
        push(state, "bid", seat, drawer, land, high, drawer, 0, drawer)
        found.append(chosen(state, seat))
        state.frames.pop()
    bids = [text for text in found if text != "pass"]
    assert bids == [f"bid {n}" for n in range(1, len(bids) + 1)]
    assert 8 <= len(bids) <= 14


def test_a_bid_keeps_another_from_becoming_king() -> None:
    state, seat = at_war_phase()
    state.frames.pop()
    land = next(n for n in range(BOX.land_count) if state.owner(n) < 0)
    drawer = state.left_of(seat)
    state.set_fort(state.lands[drawer][0], 4)
    state.gold[drawer] = 0
    state.gold[drawer] = 10 * (29 - state.prestige(drawer))
    state.gold[seat] = 200
    push(state, "bid", seat, drawer, land, 0, -1, 0, drawer)
    assert chosen(state, seat) == "bid 1"
    state.frames.pop()
    state.gold[drawer] += 50
    state.worth[drawer] -= 5
    push(state, "bid", seat, drawer, land, 30, drawer, 0, drawer)
    assert chosen(state, seat) == "pass"
    state.frames.pop()
    state.worth[drawer] += 5
    push(state, "bid", seat, drawer, land, 40, drawer, 0, drawer)
    assert chosen(state, seat) == "bid 41"


def test_the_surest_special_character_is_sought_where_one_point_wins() -> None:
    state, seat = at_war_phase()
    state.frames.pop()
    for tile in range(BOX.deck, BOX.lands):
        if state.zone[tile]:
            state.to_cup(tile)
    state.set_fort(state.lands[seat][0], 4)
    state.gold[seat] = 0
    state.gold[seat] = 10 * (29 - state.prestige(seat))
    push(state, "special", seat)
    slug = chosen(state, seat).split()[1]
    assert BOX.value[BOX.tiles_named(slug)[0]] == 4
