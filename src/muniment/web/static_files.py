"""Style sheets, scripts and pictures, at addresses that carry a digest of them all: ``/static/<digest>/js/main.js``.

A script module imports others by relative addresses, and so gets them of its own version. What has the digest of now
may be kept for ever; any other address is asked for again every time.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["VersionedFiles", "static_version"]

_FOLDER: Final = Path(str(files("muniment.web").joinpath("static")))
_KEPT: Final = "public, max-age=31536000, immutable"
_DIGITS: Final = 12


@cache
def static_version() -> str:
    """The digest of all files with their names."""
    digest = hashlib.sha256()
    for file in sorted(_FOLDER.rglob("*")):
        if file.is_file():
            content = file.read_bytes()
            digest.update(f"{file.relative_to(_FOLDER).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:_DIGITS]


class VersionedFiles(StaticFiles):
    """The files, with or without a digest before their names."""

    def __init__(self) -> None:
        super().__init__(directory=_FOLDER)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file; of another version's address the one of now, which nobody may keep."""
        version, _, name = path.partition("/")
        digest = len(version) == _DIGITS and all(digit in "0123456789abcdef" for digit in version)
        response = await super().get_response(name if digest else path, scope)
        response.headers["Cache-Control"] = _KEPT if digest and version == static_version() else "no-cache"
        return response
