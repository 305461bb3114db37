"""Winning chances on the siege's pages: estimates, exact ones from a small table, computing it, reviews."""

from __future__ import annotations

import asyncio
import html
import os
import re
import shutil
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from muniment.agents.sentry import Estimate
from muniment.games.siege import Siege
from muniment.solve.plots import course_plot
from muniment.solve.solving import solve
from muniment.solve.table import Table
from muniment.tables import house
from muniment.tables.config import Config
from muniment.web import chances as chances_module
from muniment.web import siege_chances
from muniment.web.chances import Chances, Computing, Win, _one_a_host, _Question, play_rounds, shown
from tests.solve.games import small_edition
from tests.tables.helpers import asynchronous, make_game
from tests.web.client import in_process
from tests.web.test_pages import BROWSER, checked, move, start

GAME = Siege(replace(small_edition(3, 5, points=2), name="small", digest="5" * 64))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return solve(GAME.edition, jobs=1, folder=tmp_path_factory.mktemp("tables"))


@pytest.fixture
def chances(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chances]:
    """Without any table."""
    made = Chances(tmp_path / "tables")
    monkeypatch.setattr(siege_chances, "Chances", lambda: made)
    yield made
    made.close()


@asynccontextmanager
async def small_siege(config: Config, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    """A browser at a server where the siege is the small one."""

    def small(name: str, *rest: object) -> object:
        return GAME if name == "siege" else make_game(name)

    monkeypatch.setattr(house, "make_game", small)
    async with in_process(config) as (client, _):
        client.headers.update(BROWSER)
        client.follow_redirects = True
        yield client


async def switched(client: httpx.AsyncClient, path: str, on: str = "on") -> str:
    return checked(await client.post(f"{path}/chances", data={"chances": on}))


async def reviewed(client: httpx.AsyncClient, path: str) -> str:
    """The review's page once it is ready."""
    text = checked(await client.get(f"{path}/review"))
    while "being worked out" in text:
        await asyncio.sleep(0.1)
        text = checked(await client.get(f"{path}/review"))
    return text


async def until(chances: Chances, *states: str) -> Computing:
    """The computation once it is in one of the states."""
    for _ in range(1200):
        found = chances.computing()
        assert found is not None
        if found.state in states:
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(found)


def test_words() -> None:
    assert [shown(value) for value in (0, 0.00001, 0.5, 0.99999, 1)] == [
        "0.00 %", "under 0.01 %", "50.00 %", "over 99.99 %", "100.00 %",
    ]  # fmt: skip
    assert Win.exact(0.5, 0.012).against_best == "−1.20"
    assert Win.exact(0.5, 0.0).against_best == "best"
    # Two rounds, 0.1 from their mean, and one of the usual 0.05: the error is sqrt(0.0225) / 2 = 0.075.
    estimate = Win.estimated(Estimate(0.4, [0.0, 0.2]))
    assert estimate.text == "estimate 50 % (35 % to 65 %)"
    assert estimate.games == 2
    assert estimate.against_best == ""
    assert Computing(("", GAME.options), "running", 0.5, 200).time_left == "about 3 min left"
    assert Computing(("", GAME.options), "running", 0.5, 20).time_left == "about 20 s left"
    for worth, added in ((0.0, [0.0]), (1.0, [0.0] * 7), (0.5, [0.9]), (0.01, [-0.2, 0.0])):
        win = Win.estimated(Estimate(worth, added))
        assert 0 <= win.low <= win.value <= win.high <= 1
        assert win.high - win.low > 0


def test_rounds_are_the_same_every_time_and_leave_the_view_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances_module, "_CHUNK_SECONDS", 0.0)
    view = GAME.view(GAME.initial(), None)
    question = _Question(GAME.edition, GAME.options, view, 0)
    rounds, seconds, found = play_rounds(question)
    assert (rounds, len(found), len(found[0].added)) == (1, 1, 1)
    assert seconds > 0
    assert play_rounds(question)[2] == found
    assert GAME.view(GAME.initial(), None) == view


@asynchronous
async def test_the_switch_is_off_at_first_and_remembered(
    sqlite_config: Config, chances: Chances, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with small_siege(sqlite_config, monkeypatch) as client:
        path, text = await start(client)
        assert 'aria-checked="false"' in text
        assert "act-win" not in text
        assert chances.computing() is None
        on = await switched(client, path)
        assert 'aria-checked="true"' in on
        assert 'aria-checked="true"' in checked(await client.get(path))
        for _ in range(100):
            if "act-win" in on:
                break
            await asyncio.sleep(0.1)
            on = checked(await client.get(path))
        assert "estimate" in on
        assert "95 %" in on
        assert 'id="compute-start"' in on
        moved = await move(client, path, on, "enter")
        assert 'aria-checked="true"' in moved
        assert 'aria-checked="false"' in await switched(client, path, "off")


@asynchronous
async def test_exact_chances_are_the_tables(
    sqlite_config: Config, chances: Chances, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    chances.folder = table.path.parent
    async with small_siege(sqlite_config, monkeypatch) as client:
        path, _ = await start(client)
        text = await switched(client, path)
        for _ in range(50):
            if "Exact, under perfect play" in text:
                break
            await asyncio.sleep(0.1)
            text = checked(await client.get(path))
        assert "Exact, under perfect play" in text
        assert "estimate" not in text
        assert 'id="compute-start"' not in text
        assert 'class="best">best<' in text
        actions = re.search(r'<section class="actions".*?</section>', text, re.DOTALL)
        assert actions is not None
        assert actions[0].count('class="act"') == actions[0].count('class="act-win"')


@asynchronous
async def test_computing_in_the_background(
    sqlite_config: Config, chances: Chances, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with small_siege(sqlite_config, monkeypatch) as client:
        path, _ = await start(client)
        await client.post(f"{path}/compute", data={"compute": "start"})
        running = chances.computing()
        assert running is not None
        assert not chances.start(GAME)  # one at a time
        assert (await until(chances, "done", "failed")).state == "done"
        text = await switched(client, path)
        for _ in range(50):
            if "Exact, under perfect play" in text:
                break
            await asyncio.sleep(0.1)
            text = checked(await client.get(path))
        assert "Exact, under perfect play" in text


@asynchronous
async def test_computing_can_be_stopped(sqlite_config: Config, chances: Chances) -> None:
    async with in_process(sqlite_config) as (client, _):
        client.headers.update(BROWSER)
        client.follow_redirects = True
        path, _ = await start(client)
        await switched(client, path)
        text = checked(await client.post(f"{path}/compute", data={"compute": "start"}))
        assert 'id="compute-stop"' in text
        assert 'id="compute-progress"' in text
        text = checked(await client.post(f"{path}/compute", data={"compute": "stop"}))
        assert 'id="compute-stop"' not in text
        assert (await until(chances, "cancelled", "failed", "done")).state == "cancelled"
        assert "Stopped" in checked(await client.get(path))


@asynchronous
async def test_a_computation_that_dies_is_told(chances: Chances) -> None:
    assert chances.start(GAME)
    assert chances._solver is not None
    assert chances._solver._process.pid is not None
    os.kill(chances._solver._process.pid, signal.SIGKILL)
    assert (await until(chances, "failed")).text == "its process ended"


def test_two_servers_of_a_host_do_not_compute_at_a_time(tmp_path: Path) -> None:
    with (
        _one_a_host(tmp_path),
        pytest.raises(Exception, match="another server on this host"),
        _one_a_host(tmp_path),
    ):
        pass
    with _one_a_host(tmp_path):
        pass


@asynchronous
async def test_only_players_compute(sqlite_config: Config, chances: Chances) -> None:
    async with in_process(sqlite_config) as (client, _):
        client.headers.update(BROWSER)
        client.follow_redirects = True
        path, _ = await start(client, spectators="public")
        client.cookies.clear()
        checked(await client.post(f"{path}/compute", data={"compute": "start"}), 403)
        assert chances.computing() is None
        assert 'id="compute-start"' not in await switched(client, path)


@asynchronous
async def test_without_the_extra_it_is_said_how_to_install_it(
    sqlite_config: Config, chances: Chances, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chances_module, "solver_installed", lambda: False)
    monkeypatch.setattr(siege_chances, "solver_installed", lambda: False)
    async with in_process(sqlite_config) as (client, _):
        client.headers.update(BROWSER)
        client.follow_redirects = True
        path, _ = await start(client)
        text = html.unescape(await switched(client, path))
        assert "pip install 'muniment[solve]'" in text
        assert 'id="compute-start"' not in text
        await client.post(f"{path}/compute", data={"compute": "start"})
        assert chances.computing() is None


async def played(client: httpx.AsyncClient, path: str, text: str) -> None:
    """Play to the end, as badly as possible."""
    while 'id="ending"' not in text:
        fights = re.search(r'value="(fight [a-z-]+)"', text)
        text = await move(client, path, text, fights[1] if fights else "end")
    assert f"{path}/review" in text


@asynchronous
async def test_a_review(sqlite_config: Config, chances: Chances, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async with small_siege(sqlite_config, monkeypatch) as client:
        path, text = await start(client)
        checked(await client.get(f"{path}/review"), 409)  # it still goes on
        await played(client, path, text)
        text = await reviewed(client, path)
        assert 'id="compute-start"' in text
        chances.folder = table.path.parent
        text = await reviewed(client, path)
        record = (await client.get(f"{path}/record")).text
        found = await chances.review(GAME, record)
        assert found is not None
        assert found.initial + found.decisions + found.luck == found.final
        assert len(re.findall(r'id="move-\d+"', text)) == len(found.steps)
        assert "What luck brought" in text
        assert str(course_plot("The winning chance after every move", found.course))[:60] in text
        for step in found.mistakes:
            assert f'<th scope="row" class="grade-{step.grade}">' in text
        assert await chances.review(GAME, record) is found


@asynchronous
async def test_a_damaged_table_is_as_none(chances: Chances, table: Table, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    folder.mkdir()
    copy = folder / table.path.name
    shutil.copy(table.path, copy)
    content = bytearray(copy.read_bytes())
    content[-1] ^= 1
    copy.write_bytes(content)
    chances.folder = folder
    assert chances.values(GAME) is None
    began = time.perf_counter()
    assert chances.values(GAME) is None  # not read again
    assert time.perf_counter() - began < 1
    shutil.copy(table.path, copy)
    os.utime(copy)
    assert chances.values(GAME) is not None
    await asyncio.sleep(0)


@asynchronous
async def test_king_has_no_chances(sqlite_config: Config, chances: Chances) -> None:
    async with in_process(sqlite_config) as (client, _):
        client.headers.update(BROWSER)
        client.follow_redirects = True
        answer = await client.post("/new/king", data={"seats": "2", "seat-1": "open"})
        checked(await client.get(f"{answer.url.path}/review"), 404)


@asynchronous
async def test_a_review_of_a_game_given_up(
    sqlite_config: Config, chances: Chances, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    chances.folder = table.path.parent
    async with small_siege(sqlite_config, monkeypatch) as client:
        path, text = await start(client)
        text = await move(client, path, text, "end")
        text = checked(await client.post(f"{path}/resign"))
        assert "chances-switch" not in text
        assert f"{path}/review" in text
        text = await reviewed(client, path)
        assert "When it was given up" in text
        found = await chances.review(GAME, (await client.get(f"{path}/record")).text)
        assert found is not None
        assert found.initial + found.decisions + found.luck == found.final
