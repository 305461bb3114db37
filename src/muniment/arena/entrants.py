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
import os
import sys
from collections.abc import Callable, Hashable
from copy import copy
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from muniment.agents.catalog import agent_names, make_agent
from muniment.agents.levels import agent_of
from muniment.arena.foreign import watched
from muniment.core.agent import Agent
from muniment.core.errors import MunimentError
from muniment.core.game import Game

__all__ = ["code_digest", "identity", "is_own", "make_entrant", "source_file"]


def is_own(game: Game[Any, Any, Any, Any], name: str) -> bool:
    """Whether the name is that of an agent of one's own."""
    where, colon, what = name.rpartition(":")
    return bool(colon) and what.isidentifier() and where.partition(":")[0] not in agent_names(game)


def make_entrant(game: Game[Any, Any, Any, Any], name: str) -> Agent[Any, Any]:
    """A new agent for one seat. Raises MunimentError if there is none of this name, or it cannot be made."""
    if not is_own(game, name):
        return make_agent(game, name)
    made = _own(name)(game)
    if not issubclass(type(made), Agent):
        raise MunimentError(f"{name}: gives a {type(made).__name__}, not an agent (a muniment.core.agent.Agent)")
    return cast(Agent[Any, Any], made)


def source_file(name: str) -> Path | None:
    """The file that an agent of one's own is in, without symbolic links; None for one that is in no file.

    Raises MunimentError if it cannot be imported.
    """
    file = getattr(_module(name.rpartition(":")[0]), "__file__", None)
    return Path(file).resolve() if isinstance(file, str) else None


def code_digest(name: str) -> str | None:
    """The SHA-256 of ``source_file``, None for an agent that is in no file. Raises MunimentError; see there."""
    file = source_file(name)
    try:
        return None if file is None else hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise MunimentError(f"{file}: {error.strerror or error}") from None


def identity(game: Game[Any, Any, Any, Any], name: str) -> Hashable:
    """The same for all names of one agent: a level and its agent, ``marshal:1`` and ``marshal:01``, ways to a file.

    Raises MunimentError for an agent of one's own that cannot be imported.
    """
    where, _, what = name.rpartition(":")
    if is_own(game, name):
        return source_file(name) or where, what
    given, _, number = name.partition(":")
    return agent_of(game.facts.name, given), int(number) if number.isdecimal() else number


@cache
def _own(name: str) -> Callable[[Game[Any, Any, Any, Any]], object]:
    where, _, what = name.rpartition(":")
    module = _module(where)
    with watched(f"{name}: cannot be used"):
        maker: Any = getattr(module, what, None)
        usable = callable(maker) and (not isinstance(maker, type) or issubclass(maker, Agent))
        takes_game = usable and _takes_game(maker)
    if maker is None:
        raise MunimentError(f"{name}: there is no {what!r} in {where}")
    if not usable:
        raise MunimentError(f"{name}: is not an agent (a class made from muniment.core.agent.Agent)")

    def make(game: Game[Any, Any, Any, Any]) -> object:
        with watched(f"{name}: cannot be made"):
            return maker(copy(game)) if takes_game else maker()

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
    if where.endswith(".py"):
        file = Path(where)
        try:
            there = file.is_file()
        except OSError as error:
            raise MunimentError(f"{where}: {error.strerror or error}") from None
        if not there:
            raise MunimentError(f"{where}: there is no such file")
        with watched(f"{where}: cannot be imported"):
            return _from_file(file)
    if str(Path.cwd()) not in sys.path and "" not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    with watched(f"{where}: cannot be imported"):
        try:
            return importlib.import_module(where)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{where}.".startswith(f"{error.name}."):
                raise
    raise MunimentError(f"there is no module {where!r}, and no agent of this name")


def _from_file(file: Path) -> ModuleType:
    name = f"{file.stem}_{hashlib.sha256(os.fsencode(file.resolve())).hexdigest()[:8]}"  # two files may have one name
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # as dataclasses and pickling need
    spec.loader.exec_module(module)
    return module
