"""How the command ends: every error a user can cause is one line on the standard error and exit code 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from muniment.core.errors import MunimentError

__all__ = ["OneLineGroup"]

_USER_ERROR = 2
_INTERRUPTED = 130
_PIPE_CLOSED = 1  # as click and rich have it


class OneLineGroup(click.Group):
    """A group of commands whose failures are one line each."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """As click's, with our way of ending."""

        def run() -> object:
            return super(OneLineGroup, self).main(
                args, prog_name or "muniment", complete_var, standalone_mode=False, **extra
            )

        if not standalone_mode:
            return run()
        sys.exit(_ended(run))


def _ended(run: Callable[[], object]) -> int:
    """The exit code of a run."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    try:
        code = run()
        sys.stdout.flush()
    except click.exceptions.Abort:
        return _INTERRUPTED
    except click.ClickException as error:
        return _failed(error.format_message())
    except BrokenPipeError:
        _drop_output()
        return _PIPE_CLOSED
    except MunimentError as error:
        return _failed(str(error))
    except OSError as error:
        _drop_output()
        return _failed(f"cannot write the output: {error.strerror or error}")
    return code if isinstance(code, int) else 0


def _failed(message: str) -> int:
    from muniment.core.words import printable
    from muniment.terminal.screen import shortened

    with suppress(OSError):  # nobody can be told
        click.echo(f"muniment: {printable(shortened(' '.join(message.split())))}", err=True)
    return _USER_ERROR


def _drop_output() -> None:
    """Nothing more can be written; the interpreter shall not try to when it ends."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
