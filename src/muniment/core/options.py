"""Options: the settings a game offers, where its rulings leave a choice. Each names its ruling and its default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from muniment.core.errors import OptionError

__all__ = ["Option", "OptionValue", "read_options"]

OptionValue = str | bool | int | None


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a game.

    name: as written on the command line and in records. ruling: the id of the ruling that offers it.
    choices: every value it can take; for a whole number in a range, give ``minimum`` (and None among the choices if the
    option may be unset). default: one of the values. sentence: what it decides, for people.
    """

    name: str
    ruling: str
    default: OptionValue
    choices: tuple[OptionValue, ...]
    sentence: str
    minimum: int | None = None

    def read(self, value: object) -> OptionValue:
        """The value meant by a command-line text or a JSON value. Raises OptionError for any other."""
        for choice in self.choices:
            if value is choice or (type(value) is type(choice) and value == choice) or value == _written(choice):
                return choice
        if self.minimum is not None:
            text = str(value)
            if (
                not isinstance(value, bool)
                and text.isascii()
                and text.isdigit()
                and len(text) < 10
                and int(text) >= self.minimum
            ):
                return int(text)
        raise OptionError(f"option {self.name}: {value!r} is not one of {self.values_text()}")

    def values_text(self) -> str:
        """The possible values in words, the default first where that can be told."""
        values = [_written(choice) for choice in self.choices]
        if self.minimum is not None:
            values.append(f"a whole number from {self.minimum}")
        return ", ".join(values)


def _written(value: OptionValue) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_options(definitions: Sequence[Option], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """All options of a game, given values checked and the others at their defaults.

    Raises OptionError for a name the game does not have, or a value the option cannot take.
    """
    known = {option.name for option in definitions}
    for name in given:
        if name not in known:
            raise OptionError(f"there is no option {name!r}; the options are: {', '.join(sorted(known))}")
    return {o.name: o.read(given[o.name]) if o.name in given else o.default for o in definitions}
