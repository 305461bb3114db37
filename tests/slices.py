"""Long checks in slices: what has been checked of this very source need not be checked again.

``make check-slow`` runs for long, and may be stopped at any moment. A check that is cut into slices calls ``once`` in
each: when the slice's work has passed, a file under ``.check-slow/`` in the checkout notes the digest of the sources
that it depends on. A later run passes over slices whose note has that digest, in no time, and so goes on where the last
one stopped; any change of those sources makes all of them run again. Delete the directory to start anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
NOTES = ROOT / ".check-slow"


def digest_of(paths: Iterable[Path]) -> str:
    """A digest of the files' content, and of that of all files in the directories, whatever the time of change."""
    found = hashlib.sha256()
    for path in paths:
        files = (
            [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.suffix in (".py", ".toml"))
        )
        for file in files:
            found.update(f"{file.relative_to(path.parent)}\n".encode() + file.read_bytes())
    return found.hexdigest()


def once(name: str, sources: Iterable[Path], work: Callable[[], None], notes: Path = NOTES) -> bool:
    """Do the work unless it has passed with these sources before; whether it was done now."""
    note, digest = notes / name, digest_of(sources)
    if note.is_file() and note.read_text(encoding="ascii") == digest:
        return False
    work()
    notes.mkdir(exist_ok=True)
    part = note.with_name(f"{name}.part")
    part.write_text(digest, encoding="ascii")
    part.replace(note)
    return True
