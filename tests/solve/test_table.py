"""Solving to a file: exactness, rounding, damage, interruption, memory, one process at a time."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

from muniment.core.errors import MunimentError
from muniment.games.siege import SiegeEdition, SiegeOptions, standard_edition
from muniment.solve.ruleset import ruleset
from muniment.solve.solver import backward, initial_value, memory_needed
from muniment.solve.solving import open_table, solve
from muniment.solve.table import ERROR, HEADER_BYTES, Table, TableFault, table_path


def test_stored_values_are_within_the_stated_error_of_the_exact_ones(table: Table) -> None:
    assert ERROR < 1e-5
    *stages, last = backward(table.rules, 1)
    for stage in (*stages, last):
        for deck, exact in stage.values.items():
            assert np.abs(table.draws(stage.day, deck) - exact).max() <= ERROR
    assert table.initial == initial_value(table.rules, last)


def test_a_table_does_not_depend_on_the_number_of_jobs(table: Table, tmp_path: Path) -> None:
    assert solve(table.rules.edition, jobs=1, folder=tmp_path).path.read_bytes() == table.path.read_bytes()


def test_a_sound_table_is_not_computed_again(edition: SiegeEdition, folder: Path) -> None:
    before = table_path(edition, SiegeOptions(), folder).stat().st_mtime_ns
    solve(edition, folder=folder, progress=lambda share, left: pytest.fail("it was computed"))
    assert table_path(edition, SiegeOptions(), folder).stat().st_mtime_ns == before


@pytest.mark.parametrize("where", [3, HEADER_BYTES - 2, HEADER_BYTES + 5_000, -1], ids=str)
def test_a_damaged_table_is_noticed_and_rebuilt(edition: SiegeEdition, folder: Path, table: Table, where: int) -> None:
    path = table_path(edition, SiegeOptions(), folder)
    content = bytearray(path.read_bytes())
    content[where] ^= 0x41
    path.write_bytes(content)
    with pytest.raises(TableFault, match="damaged"):
        open_table(edition, folder=folder)
    assert solve(edition, folder=folder).digest == table.digest
    assert path.read_bytes() == table.path.read_bytes()


def test_a_truncated_table_is_noticed(edition: SiegeEdition, folder: Path) -> None:
    path = table_path(edition, SiegeOptions(), folder)
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(TableFault, match="damaged"):
        open_table(edition, folder=folder)


def test_a_table_of_another_game_is_not_taken(edition: SiegeEdition, folder: Path, table: Table) -> None:
    other = SiegeOptions(close_combat_drives_back="all")
    with pytest.raises(TableFault, match="has not been solved"):
        open_table(edition, other, folder)
    table_path(edition, other, folder).write_bytes(table.path.read_bytes())
    with pytest.raises(TableFault, match="other options"):
        open_table(edition, other, folder)


def test_a_table_of_other_rules_is_not_taken(edition: SiegeEdition, folder: Path) -> None:
    path = table_path(edition, SiegeOptions(), folder)
    content = path.read_bytes()
    header = json.loads(content[:HEADER_BYTES])
    header["rules"] = "0" * 64
    path.write_bytes(json.dumps(header).encode().ljust(HEADER_BYTES - 1) + b"\n" + content[HEADER_BYTES:])
    with pytest.raises(TableFault, match="another version of the rules"):
        open_table(edition, folder=folder)


def test_an_interruption_keeps_what_is_done(edition: SiegeEdition, tmp_path: Path, table: Table) -> None:
    shares: list[float] = []

    def interrupt(share: float, left: float) -> None:
        assert left >= 0
        shares.append(share)
        if share > 0.7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(edition, jobs=1, folder=tmp_path, progress=interrupt)
    assert not list(tmp_path.glob("*.table"))
    assert shares == sorted(shares)

    resumed: list[float] = []
    again = solve(edition, jobs=1, folder=tmp_path, progress=lambda share, left: resumed.append(share))
    assert min(resumed) > 0.3
    assert resumed[-1] == pytest.approx(1)
    assert again.path.read_bytes() == table.path.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [again.path.name]


def test_a_damaged_stage_is_not_gone_on_from(edition: SiegeEdition, tmp_path: Path, table: Table) -> None:
    table_path(edition, SiegeOptions(), tmp_path).with_suffix(".stage.npz").write_bytes(b"PK\x03\x04 no archive")
    assert solve(edition, folder=tmp_path).digest == table.digest


def test_a_stage_without_what_was_written_before_is_not_gone_on_from(
    edition: SiegeEdition, tmp_path: Path, table: Table
) -> None:
    def interrupt(share: float, left: float) -> None:
        if share > 0.7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(edition, jobs=1, folder=tmp_path, progress=interrupt)
    (partial,) = tmp_path.glob("*.partial")
    partial.unlink()
    assert solve(edition, folder=tmp_path).digest == table.digest


def test_memory_that_cannot_be_had_is_refused(
    edition: SiegeEdition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=200_000_000))
    with pytest.raises(MunimentError, match=r"with 3 jobs needs \d\.\d GB of memory and 0\.00 GB of disk; 0\.2 GB"):
        solve(edition, jobs=3, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_seven_and_nine_cards_need() -> None:
    seven = standard_edition()
    nine = replace(seven, cards=seven.cards + tuple(replace(card, number=card.number + 7) for card in seven.cards[:2]))
    assert memory_needed(ruleset(seven, SiegeOptions()), 2) < 1_000_000_000
    assert 1_000_000_000 < memory_needed(ruleset(nine, SiegeOptions()), 2) < 2_000_000_000


def test_two_processes_do_not_solve_the_same_game(edition: SiegeEdition, tmp_path: Path) -> None:
    lock = table_path(edition, SiegeOptions(), tmp_path).with_suffix(".lock")
    other = psutil.Process().parent()
    assert other is not None
    lock.write_text(f"{other.pid} {other.create_time()}", encoding="utf-8")
    with pytest.raises(MunimentError, match=f"solved already, by process {other.pid}"):
        solve(edition, folder=tmp_path)
    lock.write_text(f"{other.pid} 12.5", encoding="utf-8")  # another process had this number
    solve(edition, folder=tmp_path)
    assert not lock.exists()
