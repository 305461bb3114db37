"""A gauntlet: everybody alone against one yardstick, on the same deals, told in a table and drawn."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from muniment.arena.gauntlet import budgets, gauntlet_plot
from muniment.arena.report import tournament_html, tournament_text
from muniment.arena.sequential import Hypotheses
from muniment.arena.standings import Share, Standings, standings
from muniment.arena.tournament import Held, Plan, Tournament, hold
from muniment.cli import main
from muniment.core.errors import MunimentError
from tests.arena.test_standings import found, played, read_page

PLAN = Plan("king", ("careless", "steward", "random"), 4, "7", options={"turn_limit": 1}, gauntlet=True)
TOURNAMENT = Tournament(PLAN)
PAIR = replace(PLAN, agents=("careless", "random"), seats=2)
KING = (
    "arena", "king", "--agents", "careless", "--against", "random", "--option", "turn_limit=1", "--seed", "x",
    "--jobs", 1,
)  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def lines(held: Held) -> list[str]:
    """The results as JSON, but for times."""
    return [json.dumps({**result.to_json(), "seconds": None}) for result in held.results]


def of_eight(tournament: Tournament = TOURNAMENT) -> Standings:
    """Of four games each, the first challenger wins three and the second one."""
    return found(tournament, played(tournament, [0, 0, 0, 2, 1, 2, 2, 2]))


def search_budgets() -> Standings:
    return of_eight(Tournament(replace(PLAN, agents=("marshal:100", "marshal:10", "random"))))


def test_every_challenger_has_the_same_dice() -> None:
    results = hold(TOURNAMENT, 9).results
    assert [result.seed for result in results] == ["7/1"] * 8 + ["7/2"] * 8
    assert [result.agents.index(result.table) for result in results] == [0, 1, 2, 3] * 4


def test_two_processes_give_the_results_of_one() -> None:
    assert lines(hold(TOURNAMENT, 16, jobs=2)) == lines(hold(TOURNAMENT, 16))


def test_it_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    def progress(done: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    first = hold(TOURNAMENT, 8, out=tmp_path, progress=progress)
    assert (first.interrupted, len(first.results)) == (True, 3)
    assert standings(TOURNAMENT, first.results) is None
    assert lines(hold(TOURNAMENT, 8, out=tmp_path)) == lines(hold(TOURNAMENT, 8))
    assert hold(TOURNAMENT, 8, out=tmp_path).speed is None


@pytest.mark.parametrize(
    ("kept", "other", "words"),
    [
        (PAIR, replace(PAIR, gauntlet=False), 'its against is "random", not null'),
        (replace(PAIR, gauntlet=False), PAIR, 'its against is null, not "random"'),
    ],
)
def test_a_folder_knows_whether_it_is_a_gauntlet(tmp_path: Path, kept: Plan, other: Plan, words: str) -> None:
    hold(Tournament(kept), 2, out=tmp_path)
    with pytest.raises(MunimentError, match=words):
        hold(Tournament(other), 2, out=tmp_path)


def test_a_round_robin_kept_before_there_were_gauntlets_goes_on(tmp_path: Path) -> None:
    tournament = Tournament(replace(PAIR, gauntlet=False))
    hold(tournament, 2, out=tmp_path)
    file = tmp_path / "games.jsonl"
    text = file.read_text(encoding="utf-8")
    assert text.count('"against":null,') == 1
    file.write_text(text.replace('"against":null,', ""), encoding="utf-8")
    assert len(hold(tournament, 4, out=tmp_path).results) == 4
    with pytest.raises(MunimentError, match='its against is null, not "random"'):
        hold(Tournament(PAIR), 4, out=tmp_path)


def test_the_numbers_are_the_challengers() -> None:
    numbers = of_eight()
    assert numbers.alone == (Share(0, 2, 4, 3), Share(1, 2, 4, 1))
    assert numbers.mixed == ()
    assert numbers.even == 0.25
    told = numbers.to_json()
    assert (told["against"], told["deals"], told["even"]) == ("random", 1, 0.25)
    assert [(row["agent"], row["against"], row["wins"]) for row in told["alone"]] == [
        ("careless", "random", 3), ("steward", "random", 1),
    ]  # fmt: skip


def test_at_two_seats_the_yardstick_is_no_challenger() -> None:
    tournament = Tournament(PAIR)
    assert found(tournament, played(tournament, [0, 1])).alone == (Share(0, 1, 2, 1),)


def test_the_report_has_a_row_for_each_challenger() -> None:
    text = tournament_text(of_eight())
    at = text.index("each alone against 3 × random; even is 25.0%")
    assert [line.split() for line in text[at + 1 : at + 5]] == [
        ["challenger", "games", "won", "share", "95%", "interval"],
        ["careless", "4", "3", "75.0%", "30.1%", "to", "95.4%"],
        ["steward", "4", "1", "25.0%", "4.6%", "to", "69.9%"],
        [],
    ]
    assert all(len(line) <= 80 for line in text)
    assert not any("the row wins" in line for line in text)
    page = tournament_html(of_eight())
    assert "Each alone against 3 × random; even is 25.0%" in read_page(page).text
    assert "share of games won; dashed: even, 25.0%" in page


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["marshal:10", "marshal:300"], ("marshal", (10, 300))),
        (["marshal:300", "marshal:10"], ("marshal", (300, 10))),
        (["marshal:10"], None),
        (["marshal:10", "sentry:20"], None),
        (["marshal:10", "marshal"], None),
        (["marshal:10", "marshal:010"], None),
        (["mine.py:First", "mine.py:Second"], None),
    ],
)
def test_one_agent_with_several_budgets(names: list[str], told: tuple[str, tuple[int, ...]] | None) -> None:
    assert budgets(names) == told


def drawn(plot: str) -> tuple[ET.Element, list[str]]:
    """The picture and all that is written in it."""
    root = ET.fromstring(plot)
    return root, ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_shares_are_drawn_over_the_budget() -> None:
    """Ascending budgets. The highest bound is 95.4%, so the axis ends at 100%; it is 250 high and begins at 8."""
    root, texts = drawn(gauntlet_plot(search_budgets()))
    assert [(dot.get("cx"), dot.get("cy")) for dot in root.iter(f"{SVG}circle")] == [
        ("82.0", "195.5"), ("406.0", "70.5"),
    ]  # fmt: skip
    (even,) = (line for line in root.iter(f"{SVG}line") if line.get("class") == "even")
    assert even.get("y1") == even.get("y2") == "195.5"
    assert texts.count("10") == texts.count("100") == 2  # at the axis and in the list
    for words in ("budget of marshal for a decision, logarithmic", "share of games won", "even", "0%", "100%"):
        assert words in texts
    assert "75.0% (30.1% to 95.4%)" in texts


def test_the_budgets_axis_is_logarithmic() -> None:
    names = ("marshal:10", "marshal:100", "marshal:1000", "random")
    tournament = Tournament(replace(PLAN, agents=names))
    root, _ = drawn(gauntlet_plot(found(tournament, played(tournament, [3] * 12))))
    assert [dot.get("cx") for dot in root.iter(f"{SVG}circle")] == ["82.0", "244.0", "406.0"]


@pytest.mark.parametrize("numbers", [of_eight, search_budgets])
def test_a_picture_of_its_own_brings_all_it_needs(numbers: Any) -> None:
    root, texts = drawn(gauntlet_plot(numbers(), alone=True))
    title = "King of the Tabletop: games won against 3 × random"
    assert root.findtext(f"{SVG}title") == title
    assert texts[:2] == [title, "4 games for each challenger, 4 seats, 95% intervals; even is 25.0%"]
    told = root.findtext(f"{SVG}desc")
    assert told is not None
    assert "even is 25.0%" in told
    assert "75.0% (30.1% to 95.4%)" in told
    style = root.findtext(f"{SVG}style")
    assert style is not None
    assert "prefers-color-scheme: dark" in style
    ground = root.find(f"{SVG}rect")
    assert ground is not None
    assert ground.get("class") == "ground"
    assert len(root.get("width", "")) == 3
    _, _, width, height = map(float, root.get("viewBox", "").split())
    (plot,) = root.iter(f"{SVG}g")
    assert plot.get("transform") == "translate(14 58)"
    for element in plot.iter():  # nothing is drawn outside
        assert all(float(element.get(name, 0)) + 14 < width for name in ("x", "x1", "x2", "cx"))
        assert all(float(element.get(name, 0)) + 58 < height for name in ("y", "y1", "y2", "cy"))


def test_names_are_written_as_text() -> None:
    numbers = replace(of_eight(), tournament=Tournament(PLAN))
    numbers.tournament.plan = replace(PLAN, agents=("<b>&", "steward", "<i>"))
    root, texts = drawn(gauntlet_plot(numbers, alone=True))
    assert "<b>&" in texts
    assert root.findtext(f"{SVG}title") == "King of the Tabletop: games won against 3 × <i>"


def test_names_are_cleaned_for_people() -> None:
    """What would disturb a terminal, or break a page or a table, is a question mark; JSON has the very name."""
    odd = "a\x1b[31m\nb\x00"
    numbers = replace(of_eight(), tournament=Tournament(PLAN))
    numbers.tournament.plan = replace(PLAN, agents=(odd, "steward", "\u202erandom"), seed="s\x07")
    root, texts = drawn(gauntlet_plot(numbers, alone=True))
    assert "a?[31m?b?" in texts
    assert root.findtext(f"{SVG}title") == "King of the Tabletop: games won against 3 × ?random"
    text, page = tournament_text(numbers), tournament_html(numbers)
    assert all(line.isprintable() for line in text)
    assert "seed s?" in text[1]
    assert any(line.split()[:2] == ["a?[31m?b?", "4"] for line in text)
    assert "a?[31m?b?" in page
    assert page.replace("\n", "").isprintable()
    assert numbers.names[0] == odd


def test_the_command_and_all_that_it_writes(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("games.csv", "report.html", "plot.svg")]
    result = run(
        *KING,
        "-n",
        3,
        "--csv",
        files[0],
        "--html",
        files[1],
        "--plot",
        files[2],
        "--out",
        tmp_path / "out",
        "--records",
    )
    assert (result.exit_code, result.stderr) == (0, "")
    assert "4 games at 2 seats" in result.stdout
    assert re.search(r"^careless +4 ", result.stdout, re.MULTILINE)
    with files[0].open(newline="", encoding="utf-8") as file:
        assert [(row["agent_1"], row["agent_2"]) for row in csv.DictReader(file)] == [
            ("careless", "random"), ("random", "careless"),
        ] * 2  # fmt: skip
    assert "<table" in files[1].read_text(encoding="utf-8")
    root, _ = drawn(files[2].read_text(encoding="utf-8"))
    assert root.findtext(f"{SVG}title") == "King of the Tabletop: games won against random"
    assert len(list((tmp_path / "out" / "records").iterdir())) == 4
    again = json.loads(run(*KING, "-n", 4, "--out", tmp_path / "out", "--records", "--json").stdout)
    assert (again["against"], again["games"], again["timing"]["games_a_second"]) == ("random", 4, None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("king", "--test", "careless,random", "--against", "steward"),
            "--against goes with --agents, not with --test",
        ),
        (("king", "--against", "random"), "either --agents or --test"),
        (
            ("king", "--agents", "careless,random", "--against", "random"),
            "'random' cannot play a gauntlet against itself",
        ),
        (("king", "--agents", "careless,careless", "--against", "random"), "'careless' is named twice"),
        (("king", "--agents", "careless", "--against", ""), "no agent ''"),
        (("king", "--agents", "careless,random", "--plot", "x.svg"), "--plot draws a gauntlet: it needs --against"),
        (("king", "--agents", "careless", "--against", "random", "--plot", "nowhere/x.svg"), "there is no such folder"),
        (("siege", "--agents", "captain", "--against", "random"), "a solo game has no opponents"),
    ],
)
def test_what_it_refuses(arguments: tuple[str, ...], words: str) -> None:
    result = run("arena", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_a_gauntlet_is_no_test() -> None:
    with pytest.raises(MunimentError, match="a gauntlet is no test"):
        Tournament(replace(PAIR, test=Hypotheses(0.5, 0.6)))
