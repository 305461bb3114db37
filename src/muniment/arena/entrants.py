"""Who enters the arena: an agent of the package by its name, or one of your own.

An agent of your own is named by where it is: ``my_module:MyAgent``, a module that Python finds from the current folder,
or ``folder/my_file.py:MyAgent``. What is named is a class or a function that gives an ``Agent``; it is called with the
game, a copy of its own, if it takes an argument. A new one is made for every seat of every game.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from copy import copy
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from muniment.agents.catalog import agent_names, make_agent
from muniment.core.agent import Agent
from muniment.core.errors import MunimentError
from muniment.core.game import Game

__all__ = ["code_digest", "is_own", "make_entrant"]


def is_own(game: Game[Any, Any, Any, Any], name: str) -> bool:
    """Whether the name is that of an agent of one's own."""
    where, colon, what = name.rpartition(":")
    return bool(colon) and what.isidentifier() and where.partition(":")[0] not in agent_names(game)


def make_entrant(game: Game[Any, Any, Any, Any], name: str) -> Agent[Any, Any]:
    """A new agent for one seat. Raises MunimentError if there is none of this name, or it cannot be made."""
    if not is_own(game, name):
        return make_agent(game, name)
    made = _own(name)(game)
    if not isinstance(made, Agent):
        raise MunimentError(f"{name}: gives a {type(made).__name__}, not an agent (a muniment.core.agent.Agent)")
    return made


def code_digest(name: str) -> str | None:
    """The SHA-256 of the file that an agent of one's own is in, None for one that is in no file.

    Raises MunimentError if it cannot be imported.
    """
    file = _module(name.rpartition(":")[0]).__file__
    return None if file is None else hashlib.sha256(Path(file).read_bytes()).hexdigest()


@cache
def _own(name: str) -> Callable[[Game[Any, Any, Any, Any]], object]:
    where, _, what = name.rpartition(":")
    maker = getattr(_module(where), what, None)
    if maker is None:
        raise MunimentError(f"{name}: there is no {what!r} in {where}")
    if not callable(maker) or (isinstance(maker, type) and not issubclass(maker, Agent)):
        raise MunimentError(f"{name}: is not an agent (a class made from muniment.core.agent.Agent)")
    takes_game = _takes_game(maker)

    def make(game: Game[Any, Any, Any, Any]) -> object:
        try:
            return maker(copy(game)) if takes_game else maker()
        except (Exception, SystemExit) as error:
            raise MunimentError(f"{name}: cannot be made: {_told(error)}") from error

    return make


def _takes_game(maker: Callable[..., object]) -> bool:
    """Whether it must be called with an argument."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return any(each.kind in positional and each.default is inspect.Parameter.empty for each in parameters)


@cache
def _module(where: str) -> ModuleType:
    """The module of this name or in this file."""
    is_file = where.endswith(".py")
    if is_file and not Path(where).is_file():
        raise MunimentError(f"{where}: there is no such file")
    try:
        if is_file:
            return _from_file(Path(where))
        if str(Path.cwd()) not in sys.path and "" not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(where)
    except ModuleNotFoundError as error:
        if error.name is not None and (where == error.name or where.startswith(f"{error.name}.")):
            raise MunimentError(f"there is no module {where!r}, and no agent of this name") from None
        raise MunimentError(f"{where}: cannot be imported: {_told(error)}") from error
    except (Exception, SystemExit) as error:
        raise MunimentError(f"{where}: cannot be imported: {_told(error)}") from error


def _from_file(file: Path) -> ModuleType:
    name = f"{file.stem}_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]}"  # two files may have one name
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # as dataclasses and pickling need
    spec.loader.exec_module(module)
    return module


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
