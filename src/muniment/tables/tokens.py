"""Secrets, links and opaque tokens, and what people's texts may hold.

Links of a table are derived from its secret key: ``i`` (invitation) or ``w`` (watching), the table's id, and an
authenticator, so that storage holds no list of them and a wrong one costs no look-up. A seat's link (``s``) is random,
stored hashed, and used once.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

from muniment.tables.errors import Invalid

__all__ = [
    "ID_LENGTH", "clean_key", "clean_name", "clean_text", "decision_token", "hashed", "link_kind", "link_table",
    "link_token", "new_id", "new_key", "new_secret", "read_secret", "version_of",
]  # fmt: skip

ID_LENGTH = 10
NAME_LENGTH = 30
TEXT_LENGTH = 500
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_LINK = re.compile(rf"[iw][{_ALPHABET}]{{{ID_LENGTH}}}[a-z2-7]{{26}}\Z|s[A-Za-z0-9_-]{{43}}\Z")
_KINDS = {"i": "invite", "w": "watch", "s": "seat"}


def new_id() -> str:
    """A fresh public id of a table: about 50 random bits, no word of any language."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Whether the text has the form of a table's id."""
    return len(text) == ID_LENGTH and all(letter in _ALPHABET for letter in text)


def new_key() -> bytes:
    """A fresh secret key of a table."""
    return secrets.token_bytes(32)


def new_secret() -> str:
    """A fresh secret for a browser, an API token or a seat's link: 256 random bits as 43 characters."""
    return secrets.token_urlsafe(32)


def read_secret(text: str | None) -> str | None:
    """The text if it has the form of a secret."""
    return text if text is not None and _SECRET.match(text) else None


def hashed(secret: str) -> str:
    """How a secret is stored. It has 256 random bits, so that a plain hash cannot be searched."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _authenticator(key: bytes, *parts: str | int) -> str:
    # Keyed BLAKE2: as good as an HMAC, and it does not let go of the interpreter's lock for a hundred bytes.
    digest = hashlib.blake2s(repr(parts).encode(), key=key, digest_size=16).digest()
    return base64.b32encode(digest).decode().rstrip("=").lower()


def link_token(key: bytes, kind: str, table: str) -> str:
    """The token of a table's link; kind: invite or watch."""
    return f"{kind[0]}{table}{_authenticator(key, 'link', kind, table)}"


def link_kind(token: str) -> str | None:
    """What kind of link the token has the form of: invite, watch or seat; None for none."""
    return _KINDS[token[0]] if _LINK.match(token) else None


def link_table(token: str) -> str:
    """The table of an invitation or watching link."""
    return token[1 : 1 + ID_LENGTH]


def decision_token(key: bytes, seat: int, asked: int) -> str:
    """What a move must name: it tells nothing of how many moves others have made."""
    return _authenticator(key, "decision", seat, asked)


def version_of(content: str) -> str:
    """The version of what a viewer sees, from all that it is."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def same(given: str, wanted: str) -> bool:
    """Whether two texts are the same, in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), wanted.encode("utf-8", "surrogatepass"))


def clean_name(name: str) -> str:
    """A person's name as it is shown: printable, on one line, at most 30 characters. Raises Invalid."""
    text = clean_line(name)
    if not 1 <= len(text) <= NAME_LENGTH:
        raise Invalid(f"a name has 1 to {NAME_LENGTH} characters", "name")
    return text


def clean_text(text: str) -> str:
    """A message as it is shown: printable, on one line, at most 500 characters. Raises Invalid."""
    line = clean_line(text)
    if not 1 <= len(line) <= TEXT_LENGTH:
        raise Invalid(f"a message has 1 to {TEXT_LENGTH} characters", "text")
    return line


def clean_line(text: str) -> str:
    """The printable characters of the text, runs of spaces and line ends as one space."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def clean_key(key: str | None) -> str | None:
    """An idempotency key. Raises Invalid if it has another form."""
    if key is not None and not _KEY.match(key):
        raise Invalid("an idempotency key has 1 to 64 letters, digits, - and _", "key")
    return key
