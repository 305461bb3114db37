"""Things that are built once and then shared by everybody who may read them."""

from __future__ import annotations

from typing import NoReturn, Self

__all__ = ["Frozen"]


class Frozen:
    """An object whose attributes are set once, by ``__init__``, and never changed or taken away.

    A subclass lists them all in ``__slots__`` and sets every one; what they hold must itself never change. It says
    in ``__reduce__`` what it is built from, since another process builds it anew. A copy is the object itself.
    Setting or deleting an attribute afterwards raises AttributeError.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, name):
            raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self
