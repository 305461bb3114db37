"""The king game as whole numbers: actions both ways, observations against the view they come from."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Over
from muniment.envs.king_actions import MOST_GOLD, MOST_RAISE
from muniment.envs.king_encoding import EDITION_DIGESTS, ENCODING_VERSION, KingEncoding, king_game
from muniment.envs.king_fields import MASK, ZONES
from muniment.envs.king_observation import Observation
from muniment.games.king import King, read_edition, standard_edition
from muniment.games.king.combat import BOW, SWORD
from muniment.games.king.state import ARMY, CALLED, FIELD, HAND, NOWHERE, RESERVE, KingState
from muniment.games.king.views import KingView
from muniment.games.king.war_state import War
from tests.envs import king_document
from tests.king.random_games import options_of
from tests.king.scripts import Random, Table, king, part, player
from tests.king.test_views import MINIATURE
from tests.king.test_war import send_all, war

CAPPED = {"bid": MOST_RAISE - 1, "give-gold": MOST_GOLD, "ask-gold": MOST_GOLD}


@cache
def encoding_of(game: King) -> KingEncoding:
    return KingEncoding(game)


def games(numbers: range) -> Iterator[tuple[King, KingState]]:
    """Every state with a decision of random games with all options and editions; see ``options_of``."""
    for number in numbers:
        game, players = king(**options_of(number)), Random(f"encoding {number}")
        s = game.initial(2 + number % 3)
        while not isinstance(pending := game.pending(s), Over):
            if not hasattr(pending, "audience"):
                yield game, s
            players.step(game, s)


def check_actions(numbers: range) -> set[str]:
    """Every seat's legal actions to numbers and back; returns the verbs that came up."""
    seen: set[str] = set()
    for game, s in games(numbers):
        encoding = encoding_of(game)
        for seat in range(s.seats):
            legal = game.legal_actions(s, seat)
            numbered = encoding.numbered(legal, seat, s.seats)
            bids = [int(action.args[0]) for action in legal if action.word == "bid"]
            within = [
                action
                for action in legal
                if action.word not in CAPPED
                or int(action.args[0]) - (min(bids) if action.word == "bid" else 0) <= CAPPED[action.word]
            ]
            assert list(numbered.values()) == within  # so no two of them share a number
            assert numbered or not legal
            assert np.flatnonzero(encoding.action_mask(numbered)).tolist() == sorted(numbered)
            for number, action in numbered.items():
                assert encoding.action_of(number, legal, seat, s.seats) == action
                assert encoding.actions.names[number].startswith(action.word)
                seen.add(action.word)
    return seen


def test_every_legal_action_has_a_number_of_its_own() -> None:
    """K9, K10: in random games with all options and editions, of every seat, up to the documented caps."""
    seen = check_actions(range(8))
    assert len(seen) > 30


@pytest.mark.slow
def test_every_verb_has_numbers_in_many_random_games() -> None:
    assert check_actions(range(40)) == {verb.word for verb in encoding_of(king()).actions.verbs}


def test_numbers_do_not_depend_on_who_sits_where() -> None:
    """Seats are counted from the one who acts: attacking the next player is one number in every seat."""
    numbers = set()
    for seat in range(3):
        everybody = [player(f"desert-{n}", army="nomads-1" if n == seat + 1 else "", gold=5) for n in range(1, 4)]
        table = Table(*everybody, frames=part(4, ["war", seat], seat=seat), phase=4)
        encoding = encoding_of(table.game)
        found = encoding.numbered(table.game.legal_actions(table.state, seat), seat, 3)
        assert [encoding.actions.names[number] for number in found] == ["peace", "attack 1", "attack 2"]
        assert found[encoding.actions.names.index("attack 2")].args == ((seat + 2) % 3,)
        numbers.add(tuple(found))
    assert len(numbers) == 1


def auction(*bids: str) -> Table:
    """Seat 0 has drawn a land to be auctioned; seat 1 bids first, then 2."""
    seats = [player(f"swamp-{seat + 1}", gold=60) for seat in range(3)]
    return Table(*seats, frames=part(3, ["land-draw", 0])).draw("land-auction", "desert").do(*bids)


def test_bids_are_raises_and_capped() -> None:
    """K25: the lowest bid is raise 0, whatever the highest so far; raises above 19 have no number."""
    encoding = encoding_of(king())
    for high, table in ((0, auction()), (7, auction("bid 7"))):
        seat = table.asks[1]
        numbered = encoding.numbered(table.game.legal_actions(table.state, seat), seat, 3)
        assert [a.notation for a in numbered.values()] == ["pass", *(f"bid {high + n}" for n in range(1, 21))]
        assert [encoding.actions.names[n] for n in numbered] == ["pass", *(f"bid +{n}" for n in range(20))]


def test_gold_in_a_trade_is_capped() -> None:
    """K53: up to 50 gold can be given and asked for."""
    table = Table(
        player("swamp-1", gold=60), player("swamp-2", gold=9), frames=part(4, ["war", 0]), phase=4,
        options={"trading": True},
    ).do("trade 1")  # fmt: skip
    encoding = encoding_of(table.game)
    numbered = encoding.numbered(table.game.legal_actions(table.state, 0), 0, 2)
    assert [a.notation for a in numbered.values()] == [f"give-gold {n}" for n in range(51)]


def test_what_is_not_legal_is_an_error() -> None:
    table = Table(player("desert-1", gold=5), player("desert-2"), frames=part(1, ["build", 0]))
    encoding, legal = encoding_of(table.game), table.game.legal_actions(table.state, 0)
    with pytest.raises(MunimentError, match=r"^action 1 \(pass\) is not legal for seat 0 now$"):
        encoding.action_of(1, legal, 0, 2)
    for number in (-1, encoding.action_count):
        with pytest.raises(MunimentError, match=rf"^action {number}: the actions of the king game are 0 to "):
            encoding.action_of(number, legal, 0, 2)


def variant(tmp_path: Path, *changes: tuple[str, str]) -> King:
    """The miniature edition with some of its text changed."""
    text = MINIATURE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "tiles.toml").write_text(text, encoding="utf-8")
    return King(edition=read_edition(tmp_path / "tiles.toml"))


def test_equal_fighters_with_different_charge_dice_differ(tmp_path: Path) -> None:
    """K34, K37: of two knights of a kind with dice 3 and 5 either may take the hit: two choices, two numbers."""
    changed = 'name = "Nomads", value = 1, abilities = ["C"], count = 4'
    game = variant(tmp_path, ('name = "Nomads", value = 1, abilities = [], count = 2', changed))
    table = Table(
        player("desert-1", army="nomads-c1 nomads-c1 nomads-c1", gold=9),
        player("forest-1 forest-2", army="elves-2"),
        frames=part(4, ["war", 0]), phase=4, game=game,
    )  # fmt: skip
    send_all(table.do("attack 1"))
    table.roll(6, 1)
    for _ in range(4):
        table.do(next(action for action in table.legal() if action.endswith(" forest-1")))
    table.roll(3, 5, 3).roll(*[1] * 14).roll(6, 1)
    assert table.asks == ("hit", 0)
    encoding = KingEncoding(game)
    numbered = encoding.numbered(table.game.legal_actions(table.state, 0), 0, 2)
    assert [encoding.actions.names[n] for n in numbered] == ["hit nomads-c1@3", "hit nomads-c1@5"]


def test_what_a_fighter_bears_is_part_of_its_number() -> None:
    """K48: with one of two equal fighters bearing the sword, three choices for a hit."""
    encoding = encoding_of(king())
    legal = [king().parse_action(f"hit {token}") for token in ("nomads-1", "nomads-1+sword", "magic-sword")]
    assert [encoding.actions.names[n] for n in encoding.numbered(legal, 0, 2)] == [a.notation for a in legal]
    once = [king().parse_action(f"hit {token}") for token in ("black-knight-c4@5", "nomads-1+bow!")]
    names = [encoding.actions.names[n] for n in encoding.numbered(once, 0, 2)]
    assert names == ["hit black-knight-c4", "hit nomads-1+bow"]  # there is only one of each


# -- observations


def rows(part: Observation) -> list[tuple[int, ...]]:
    return [tuple(row) for row in part.reshape(-1, part.shape[-1]).tolist()]


class Rebuilt:
    """What an observation says, in the terms of the view."""

    def __init__(self, game: King, view: KingView, observation: Observation) -> None:
        self.encoding = encoding_of(game)
        self.box, self.view, self.observation = game.box, view, observation
        self.parts = self.encoding.observations.decode(observation)
        self.me = max(view.seat, 0)

    def column(self, part: str, name: str) -> Any:
        return self.encoding.observations.named(self.observation, part, name).tolist()

    def seats(self, name: str) -> tuple[int, ...]:
        """A column of the seats, in absolute order."""
        column = self.column("seats", name)
        return tuple(column[(seat - self.me) % self.view.seats] for seat in range(self.view.seats))

    def marked(self, name: str) -> list[int]:
        return [seat for seat, flag in enumerate(self.seats(name)) if flag]

    def lands(self) -> list[list[tuple[str, int, str]]]:
        found: list[list[tuple[int, tuple[str, int, str]]]] = [[] for _ in range(self.view.seats)]
        layout = self.encoding.observations
        improvements = [c.name for c in next(p for p in layout.parts if p.name == "lands").columns]
        for at, row in enumerate(self.parts["lands"].tolist()):
            named = dict(zip(improvements, row, strict=True))
            stands = [name[3:] for name, flag in named.items() if name.startswith("on_") and flag]
            for n in range(4):
                if named[f"owner_{n}"]:
                    land = (self.box.land_slug[at], named["fort"], stands[0] if stands else "")
                    found[(self.me + n) % self.view.seats].append((named["order"], land))
        return [[land for _, land in sorted(lands)] for lands in found]

    def tiles(self) -> list[tuple[Any, ...]]:
        found = []
        places = {0: NOWHERE, self.box.land_count + 1: RESERVE, self.box.land_count + 2: CALLED}
        for at, row in enumerate(rows(self.parts["tiles"])):
            zone = [z for z, flag in zip(ZONES, row, strict=False) if flag]
            if not zone:
                assert not any(row)
                continue
            seat = [n for n, flag in enumerate(row[7:11]) if flag]
            place, left_cup, mask, known = row[11], row[12], row[13 : 13 + len(MASK)], row[13 + len(MASK) :]
            found.append((
                self.box.slug[at],
                zone[0] | ((self.me + seat[0]) % self.view.seats if zone[0] >= HAND else 0),
                places.get(place, place - 1),
                left_cup,
                sum(bit << n for n, bit in enumerate(mask)),
                sum(known[(s - self.me) % self.view.seats] << 2 * s for s in range(self.view.seats)),
            ))  # fmt: skip
        return sorted(found)

    def hidden(self, seat: int) -> tuple[Any, ...]:
        rel = (seat - self.me) % self.view.seats
        hand = tuple(x for (x,) in rows(self.parts["hidden_hands"][rel]) if x)
        army = tuple(
            (row[0], sum(bit << n for n, bit in enumerate(row[1:])))
            for row in rows(self.parts["hidden_armies"][rel]) if row[0]
        )  # fmt: skip
        lies = {
            ((ARMY, FIELD)[where] | seat, NOWHERE if at == 0 else at - 1, number)
            for where in (0, 1) for at, (number,) in enumerate(rows(self.parts["lies"][rel][where])) if number
        }  # fmt: skip
        kinds = [kind.slug for kind in self.box.edition.kinds if kind.sort <= 5]
        known = [
            sorted(slug for slug, row in zip(kinds, rows(self.parts["known"][rel]), strict=True) for _ in range(row[c]))
            for c in (0, 1)
        ]
        return hand, army, lies, known

    def fighters(self, side: int) -> list[tuple[int, ...]]:
        fighting = [tile for tile in range(self.box.lands) if self.box.fights[tile]]
        return sorted(
            (self.box.kind[fighting[at]], row[1] * SWORD + row[2] * BOW, row[3], row[4] - 1, row[5])
            for at, row in enumerate(rows(self.parts["fighters"][side])) if row[0]
        )  # fmt: skip


def check_observation(game: King, s: KingState, seat: int | None) -> None:
    """The encoded observation equals the view, field by field."""
    view = game.view(s, seat)
    encoding = encoding_of(game)
    observation = encoding.encode(view)
    layout = encoding.observations
    assert observation.shape == (encoding.observation_size,)
    assert observation.dtype == np.int32
    assert (layout.low <= observation).all()
    assert (observation <= layout.high).all()
    r = Rebuilt(game, view, observation)
    assert r.parts["table"].tolist() == [
        view.turn, view.phase, view.clock, view.cup_size, view.awaited.you, view.over is not None, len(view.owners),
        view.owner_characters, view.barred & 1, view.barred >> 1,
    ]  # fmt: skip
    for name, wanted in (
        ("gold", view.gold), ("prestige", view.prestige), ("income", view.income), ("hand", view.hand_sizes),
        ("army", view.army_sizes), ("tally", view.tally), ("present", (1,) * view.seats),
    ):  # fmt: skip
        assert r.seats(name) == wanted
    assert sum(r.column("seats", "present")) == view.seats
    assert sum(1 << seat for seat in r.marked("out")) == view.out
    assert (r.marked("first"), r.marked("acting")) == ([view.first], [view.acting])
    assert r.marked("dispelled") == ([view.dispelled] if view.dispelled >= 0 else [])
    assert r.marked("asked") == list(view.awaited.seats)
    assert r.marked("winner") == list(view.over[1] if view.over else ())
    assert r.lands() == [[tuple(land) for land in lands] for lands in view.lands]
    aside = [*(slug for slug in view.land_aside if slug in game.box.land_named)]
    assert [game.box.land_slug[at] for at, flag in enumerate(r.column("lands", "aside")) if flag] == aside
    assert sum(flag << at for at, flag in enumerate(r.column("lands", "built"))) == view.built
    present = sum(3 << 2 * seat for seat in range(view.seats))
    assert r.tiles() == sorted((*tile[:5], tile[5] & present) for tile in view.tiles)
    assert tuple(r.column("seen", "time")) == view.seen
    for hidden in view.hidden:
        lies = set(hidden.lies)
        assert r.hidden(hidden.seat) == (hidden.hand, hidden.army, lies, [list(hidden.known), list(hidden.known_army)])
    dice = r.parts["dice"].tolist()
    assert tuple(dice[1 : 1 + dice[0]]) == view.roll
    magic = r.parts["magic"].tolist()
    gifts = game.box.deck - game.box.magic
    assert sum(bit << n for n, bit in enumerate(magic[:gifts])) == view.given
    assert magic[gifts] + sum(bit << n for n, bit in enumerate(magic[gifts + 1 :], 2)) == view.standing
    if view.war is not None:
        w = dict(zip(War.__slots__, view.war, strict=True))
        assert (r.marked("attacker"), r.marked("defender")) == ([w["attacker"]], [w["defender"]])
        lined = w["lined"]
        assert r.parts["war"].tolist() == [1, w["higher"] + 1, lined & 1, lined >> 1, w["off"]]
        assert sum(flag << at for at, flag in enumerate(r.column("lands", "fought"))) == w["fought"]
        assert r.marked("golem") == ([w["golem"]] if w["golem"] >= 0 else [])
        walls = {at: value for at, value in enumerate(r.column("lands", "wall")) if value}
        assert walls == ({w["wall_land"]: w["wall_value"]} if w["wall_value"] else {})
    else:
        assert not r.parts["war"].any()
    b = view.battle
    if b is not None:
        assert r.parts["battle"].tolist() == [
            1, b.fight, b.stage + 1, b.absorbed, b.stood, *b.hits, b.rolled & 1, b.rolled >> 1, b.ended,
        ]  # fmt: skip
        for side, fighters in enumerate((b.attackers, b.defenders)):
            wanted_side = sorted((x.kind, x.gear, x.shoots, x.charge_die, x.wounds) for x in fighters)
            assert r.fighters(side) == wanted_side
    else:
        assert not r.parts["battle"].any()
        assert not r.parts["fighters"].any()
    kinds = [c.name for c in next(p for p in layout.parts if p.name == "decision").columns]
    decided = [kind for kind, flag in zip(kinds, r.parts["decision"].tolist(), strict=True) if flag]
    assert decided == ([view.frames[-1].kind] if view.frames[-1].kind in kinds else [])


def test_an_observation_equals_the_view() -> None:
    """K2: in random games, for the seat asked, another and a spectator."""
    for step, (game, s) in enumerate(games(range(6))):
        if step % 19 == 0:
            for seat in (step % s.seats, None):
                check_observation(game, s, seat)


@pytest.mark.slow
def test_observations_equal_views_in_many_random_games() -> None:
    for step, (game, s) in enumerate(games(range(100, 124))):
        if step % 5 == 0:
            for seat in (*range(s.seats), None):
                check_observation(game, s, seat)


def test_equal_views_have_equal_observations() -> None:
    """K2: what a seat cannot see does not change its observation, nor a number in its mask."""
    dice = RandomStream(seed_from_text("equal"))
    for step, (game, s) in enumerate(games(range(3))):
        if step % 25 == 0:
            seat = step % s.seats
            view = game.view(s, seat)
            other = game.redeal(view, dice)
            encoding = encoding_of(game)
            assert (encoding.encode(view) == encoding.encode(game.view(other, seat))).all()
            mine, dealt = (encoding.numbered(game.legal_actions(x, seat), seat, s.seats) for x in (s, other))
            assert mine == dealt


def seen(table: Table, seat: int) -> dict[str, str]:
    """A seat's observation in words, by row."""
    encoding = encoding_of(table.game)
    lines = encoding.observations.lines(encoding.encode(table.game.view(table.state, seat)))
    return dict(line.split(": ") for line in lines)


def test_what_an_auction_is_about() -> None:
    """K25: the land, the highest bid and its bidder, who has passed, who drew the land; seats clockwise from one."""
    row = seen(auction("bid 7", "pass"), 0)
    assert row["decision"] == "bid"
    assert row["frame"] == "length 6, number_0 7"
    assert row["lands[desert-1]"] == "aside, subject"
    assert row["seats[0]"].endswith("first, acting, asked, subject")
    assert row["seats[1]"].endswith("hand 0, bidder") or row["seats[1]"].endswith("bidder")
    assert row["seats[2]"].endswith("passed")


def test_nobody_sees_who_is_asked_at_a_stop() -> None:
    """K10: the seat asked sees that it is; the others see that the game waits, and what for."""
    table = send_all_of(war(
        player("swamp-1", army="crocodile-2", gold=5), player("forest-1"), player("desert-1", hand="the-mist"),
    ).do("attack 1"))  # fmt: skip
    assert table.asks == ("stop", 2)
    assert "you" in seen(table, 2)["table"]
    for seat in (0, 1):
        row = seen(table, seat)
        assert (row["decision"], row["stop"]) == ("stop", "paid")
        assert "you" not in row["table"]
        assert not any("asked" in text for name, text in row.items() if name.startswith("seats"))


def send_all_of(table: Table) -> Table:
    send_all(table)
    return table


def test_magic_announced_is_seen() -> None:
    """K43: whose it is, what it is, and whom it is for, so that it can be answered."""
    table = send_all_of(war(
        player("swamp-1", army="crocodile-2", gold=5), player("forest-1", hand="golem"),
        player("desert-1", hand="dispell-magic"),
    ).do("attack 1"))  # fmt: skip
    table.do("golem 1")
    assert table.asks == ("stop", 2)
    row = seen(table, 2)
    assert (row["stop"], row["announced"]) == ("answer", "golem")
    assert row["seats[2]"].endswith("defender, caster, enchanted")


def test_the_roll_at_the_charm_is_seen() -> None:
    """K42: the dice, whose they are and what for: here Guilliame Tell, for whom 10 is needed."""
    table = Table(player("forest-1", hand="lucky-charm"), player("desert-1"), frames=part(1, ["special-offer", 0]))
    table.do("seek guilliame-tell").roll(4, 5)
    row = seen(table, 0)
    assert (row["decision"], row["roll"], row["dice"]) == ("charm", "special-try", "length 2, die_0 4, die_1 5")
    assert row["picked[guilliame-tell]"] == "picked 1"
    assert "roller" in row["seats[0]"]


def test_version_0_is_the_package_s_editions() -> None:
    """Whoever changes an edition or a table must raise the version: numbers mean what they meant."""
    assert {name: standard_edition(name).digest for name in EDITION_DIGESTS} == EDITION_DIGESTS
    encoding = encoding_of(king())
    parts = [(p.name, p.axes, [(c.name, c.low, c.high) for c in p.columns]) for p in encoding.observations.parts]
    words = [*encoding.actions.names, *map(str, parts)]
    digest = hashlib.sha256("\n".join(words).encode()).hexdigest()
    assert (ENCODING_VERSION, encoding.action_count, encoding.observation_size) == (1, 1757, 10856)
    assert digest == "b0166fc9a1d3f368e79e8a20bf0461f3ea6ee1d196ff61c33000ffabc79da7ae"


def test_another_edition_must_be_named(tmp_path: Path) -> None:
    (tmp_path / "tiles.toml").write_text(MINIATURE, encoding="utf-8")
    with pytest.raises(MunimentError, match="its digest is"):
        king_game(tmp_path / "tiles.toml", None, "own")
    game = king_game(tmp_path / "tiles.toml", None, None)
    assert king_game(tmp_path / "tiles.toml", None, game.edition_digest).edition_name == "Miniature"
    assert king_game(None, {"edition": "counters"}, "own").edition_digest == EDITION_DIGESTS["counters"]


def test_wrong_shapes_and_names_are_errors() -> None:
    layout = encoding_of(king()).observations
    with pytest.raises(MunimentError, match=r"has the shape \(10856,\), not \(3,\)"):
        layout.decode(np.zeros(3, np.int32))
    with pytest.raises(MunimentError, match=r"has no seats\.silver"):
        layout.named(layout.low, "seats", "silver")


def test_the_documentation_has_the_tables_of_the_code() -> None:
    page = king_document.PAGE.read_text(encoding="utf-8")
    assert page == king_document.written(page), "python -m tests.envs.king_document writes the tables anew"
