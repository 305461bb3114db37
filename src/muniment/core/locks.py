"""A lock on a file, so that one process at a time works with what belongs to it."""

from __future__ import annotations

import sys
from typing import IO

__all__ = ["try_lock"]


def try_lock(file: IO[bytes]) -> bool:
    """Take the lock that ends with this process, however it ends; False if another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
