"""The command as a process of its own: killed, interrupted, twice at once, on a terminal and on odd streams."""

import contextlib
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muniment.core.record import Record

fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))

COMMAND = [sys.executable, "-m", "muniment"]
PLAY = [*COMMAND, "play", "siege"]
PATIENCE = 20


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL", "TERM", "COLUMNS")}
    return {**kept, "TERM": "xterm-256color", "PYTHONUTF8": "1", **more}


def begin(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PLAY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(),
    )  # fmt: skip


def read_until(game: subprocess.Popen[str], text: str, times: int = 1) -> None:
    assert game.stdout is not None
    seen = ""
    while seen.count(text) < times:
        more = game.stdout.read(1)
        assert more, seen
        seen += more


def test_killed_after_a_move_nothing_is_lost(tmp_path: Path, state_home: Path) -> None:
    game = begin("--seed", "7")
    assert game.stdin is not None
    game.stdin.write("1\n1\n")
    game.stdin.flush()
    read_until(game, "\n> ", 3)
    game.send_signal(signal.SIGKILL)
    game.communicate()
    again = subprocess.run(PLAY, input="log\n", capture_output=True, text=True, env=environment(), check=True)
    assert again.stdout.count("Archers shoot") >= 2
    journal = Record.read_journal((state_home / "muniment" / "siege.journal").read_text())
    assert sum(entry.seat == 0 for entry in journal.entries) == 2


def test_killed_at_any_moment_the_journal_is_whole(state_home: Path) -> None:
    journal = state_home / "muniment" / "siege.journal"
    before: tuple[object, ...] = ()
    for delay in (0.0, 0.01, 0.03, 0.06):
        game = begin("--seed", "7")
        assert game.stdin is not None
        game.stdin.write("end\n" * 3 + "1\nextra s\n1\n" * 3)
        game.stdin.flush()
        read_until(game, "\n> ")
        time.sleep(delay)
        game.kill()
        game.communicate()
        if not journal.exists():
            break  # the game was over
        entries = Record.read_journal(journal.read_text()).entries
        assert entries[: len(before)] == before
        before = entries
    assert before


def test_interrupted_the_game_is_kept(state_home: Path) -> None:
    game = begin()
    read_until(game, "\n> ")
    game.send_signal(signal.SIGINT)
    _, errors = game.communicate(timeout=PATIENCE)
    assert game.returncode == 130
    assert "Traceback" not in errors
    assert "The game is kept in" in errors
    assert (state_home / "muniment" / "siege.journal").exists()


def test_two_games_at_once_need_two_journals(tmp_path: Path) -> None:
    game = begin()
    read_until(game, "\n> ")
    second = subprocess.run(PLAY, input="", capture_output=True, text=True, env=environment(), check=False)
    assert (second.returncode, second.stderr.count("\n")) == (2, 1)
    assert "another game is being played there" in second.stderr
    third = [*PLAY, "--autosave", str(tmp_path / "third")]
    assert subprocess.run(third, input="", capture_output=True, env=environment(), check=False).returncode == 0
    game.communicate("quit\n", timeout=PATIENCE)
    assert game.returncode == 0


def test_a_reader_that_stops_early() -> None:
    with subprocess.Popen(
        [*COMMAND, "rules", "siege", "the"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as rules:
        assert rules.stdout is not None
        assert rules.stderr is not None
        rules.stdout.close()
        assert rules.stderr.read() == b""
    assert rules.returncode == 1


def test_an_interrupted_simulation() -> None:
    command = [*COMMAND, "simulate", "siege", "-n", "1000000", "--agent", "random", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as simulation:
        time.sleep(1.5)
        simulation.send_signal(signal.SIGINT)
        output, errors = simulation.communicate(timeout=PATIENCE)
    assert (simulation.returncode, output, errors.strip()) == (130, b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written() -> None:
    with Path("/dev/full").open("w") as full:
        rules = subprocess.run(
            [*COMMAND, "rules", "siege"], stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), check=False
        )
    assert (rules.returncode, rules.stderr) == (2, "muniment: cannot write the output: No space left on device\n")


def test_closed_streams() -> None:
    shell = f"{sys.executable} -m muniment play siege <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", shell], env=environment(), check=False).returncode == 0


def test_bytes_that_are_no_text() -> None:
    game = subprocess.run(PLAY, input=b"\xff\xfe\x00\n? \xff\n1\n", capture_output=True, env=environment(), check=False)
    assert (game.returncode, game.stderr) == (0, b"")


def test_plain_ascii_where_the_encoding_asks_for_it() -> None:
    settings = environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    game = subprocess.run(
        [*PLAY, "--seed", "3"], input=b"? S3\nhelp\n1\n", capture_output=True, env=settings, check=False
    )
    assert (game.returncode, game.stderr) == (0, b"")
    assert game.stdout.isascii()
    assert b"[*]---[ ]---[ ]---( )" in game.stdout
    assert max(len(line) for line in game.stdout.splitlines()[:-1]) <= 80


def on_terminal(arguments: list[str], typed: str, *, prompt: str = r"(> |\] )", **more: str) -> tuple[str, int]:
    """All that a process writes to a terminal of 80x24 while these lines are typed, and its exit code."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, arguments, environment(**more))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen, start = "", 0

    def read() -> bool:
        nonlocal seen
        assert select.select([terminal], [], [], PATIENCE)[0], seen
        try:
            more_text = os.read(terminal, 65536)
        except OSError:  # the terminal is closed
            return False
        seen += more_text.decode(errors="replace")
        return bool(more_text)

    for line in typed.splitlines():
        while not re.search(prompt + r"(\x1b\[\?2004h)?$", seen[start:]):
            assert read(), seen
        start = len(seen)
        os.write(terminal, f"{line}\n".encode())
    while read():
        pass
    os.close(terminal)
    return seen, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_killed_with_several_people_the_screen_keeps_no_secret() -> None:
    arguments = [*COMMAND, "play", "king", "--seats", "Ada,Bo"]
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, arguments, environment())
    seen = ""
    for awaited, answer in (("press Enter", b"\n"), ("your army?", b"")):
        while awaited not in seen:
            assert select.select([terminal], [], [], PATIENCE)[0], seen
            seen += os.read(terminal, 65536).decode(errors="replace")
        os.write(terminal, answer)
    os.kill(child, signal.SIGTERM)
    with contextlib.suppress(OSError):  # the terminal is closed
        while more := os.read(terminal, 65536):
            seen += more.decode(errors="replace")
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM
    assert seen.rindex("\x1b[2J\x1b[3J\x1b[?1049l") > seen.rindex("army")


def test_a_terminal_with_colour() -> None:
    seen, code = on_terminal(PLAY, "1\n? 1\nquit\n")
    assert code == 0
    pictures = seen.split("\x1b[2J")[1:]
    assert len(pictures) == 3
    assert "\x1b[1" in pictures[0]
    plain = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", picture).replace("\r", "").split("\n") for picture in pictures]
    assert [len(line) for picture in plain[:2] for line in picture if len(line) > 80] == []
    assert [len(picture) for picture in plain[:2]] in ([24, 24], [25, 25])  # the typed line ends the picture


@pytest.mark.parametrize(
    ("arguments", "settings"), [([], {"NO_COLOR": "1"}), (["--no-color"], {}), ([], {"TERM": "dumb"})]
)
def test_a_terminal_without_colour(arguments: list[str], settings: dict[str, str]) -> None:
    seen, code = on_terminal([*PLAY, *arguments], "1\n? 1\nquit\n", **settings)
    assert code == 0
    assert re.sub(r"\x1b\[\?2004[hl]", "", seen).count("\x1b") == 0  # but for readline's bracketed paste
    assert "─ 9 Card Siege ─" in seen


def test_a_terminal_is_asked_whether_to_go_on(state_home: Path) -> None:
    subprocess.run([*PLAY, "--seed", "7"], input="1\n", capture_output=True, text=True, env=environment(), check=True)
    seen, code = on_terminal(PLAY, "\nquit\n")
    assert code == 0
    assert "A game is kept, 1 choice long. Go on with it? [Y/n]" in seen
    assert "Going on with the game" in seen
    seen, _ = on_terminal(PLAY, "n\nquit\n")
    assert "The game before this one is kept in" in seen


def test_stepping_through_a_record(finished: Path) -> None:
    moves = len(Record.read(finished.read_text()).entries)
    seen, code = on_terminal([*COMMAND, "replay", str(finished)], "n\nn\np\nend\n3\nxyz\n99999\nquit\n")
    assert code == 0
    assert re.findall(r"move (\d+) of", seen) == [str(n) for n in (0, 1, 2, 1, moves, 3, 3, 3)]
