"""What the JSON API takes and gives, as it is written in its OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from muniment.core.options import OptionValue
from muniment.tables.values import ClockFace, Message, Spectators, TableInfo

__all__ = [
    "AnswerModel", "BotBody", "ErrorModel", "FrameModel", "GameModel", "JoinedModel", "LinkModel", "LogModel",
    "LookUpBody", "MoveBody", "NewTableBody", "OddsModel", "RefusalModel", "ReplayModel", "RulesModel", "SeenModel",
    "TablesModel", "TakeBody", "TalkBody", "TokenModel", "UndoBody", "WhyNotModel",
]  # fmt: skip


class _Body(BaseModel):
    """What is sent: nothing that is not known."""

    model_config = ConfigDict(extra="forbid", strict=True)


NONCE = r"^[A-Za-z0-9_-]{0,64}$"
Notation = Annotated[str, Field(min_length=1, max_length=2000, description="an action or outcome on one line")]
ActionJson = Annotated[dict[str, Any], Field(description="an action's JSON form")]
Key = Annotated[
    str | None,
    Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="idempotency key: sent again, it gets the first answer"),
]


class SeatPlanBody(_Body):
    """A seat of a new table."""

    kind: Literal["me", "open", "bot"]
    bot: str = Field(default="", max_length=40)


class ClockBody(_Body):
    """Thinking time in seconds."""

    reserve: int = Field(ge=0, le=86_400)
    increment: int = Field(default=0, ge=0, le=86_400)


class NewTableBody(_Body):
    """A table to be made."""

    game: str = Field(max_length=40)
    name: str = Field(min_length=1, max_length=200, description="yours")
    seats: list[SeatPlanBody] = Field(default_factory=lambda: [SeatPlanBody(kind="me")], min_length=1, max_length=16)
    options: dict[Annotated[str, Field(max_length=80)], str | bool | int | None] = Field(
        default_factory=dict, max_length=50
    )
    edition: str = Field(default="", max_length=80)
    clock: ClockBody | None = None
    spectators: Spectators = "link"
    typed: bool = Field(default=False, description="real dice are typed in; only in a game for one")
    hold: bool = Field(
        default=False,
        description="wait for POST /tables/{table}/nonce before it starts, so that you see the commitment first",
    )
    house_password: str = Field(default="", max_length=200)


class TakeBody(_Body):
    """Taking a seat with an invitation, or moving one here with a seat's link."""

    name: str = Field(default="", max_length=200, description="yours; not needed to move a seat")
    seat: int | None = Field(default=None, ge=0, le=15)
    nonce: str = Field(default="", pattern=NONCE, description="what you add to the dice of the link's commitment")


class NonceBody(_Body):
    """What the caller's seat adds to the dice."""

    nonce: str = Field(default="", pattern=NONCE, description="empty: nothing")


class MoveBody(_Body):
    """A move: actions, of which several are accepted or refused as one, or what real dice showed."""

    decision: str = Field(max_length=64, description="the decision it answers, as the table's view names it")
    actions: list[Notation | ActionJson] | None = Field(default=None, min_length=1, max_length=200)
    outcome: Notation | None = None
    key: Key = None


class UndoBody(_Body):
    """Taking the last move back."""

    key: Key = None


class LookUpBody(_Body):
    """An action that something is asked about."""

    action: Notation | ActionJson


class TalkBody(_Body):
    """Table talk."""

    text: str = Field(min_length=1, max_length=2000)


class BotBody(_Body):
    """A bot for a seat, by its own name or its level's; the game's usual one if none is named."""

    bot: str = Field(default="", max_length=40)


class ErrorDetail(BaseModel):
    """code: stable; message: for people; rule: the rule that forbids a move."""

    code: str
    message: str
    rule: str | None = None


class ErrorModel(BaseModel):
    """What is told when something is refused; nothing has changed."""

    error: ErrorDetail


class OptionModel(BaseModel):
    """A setting of a game."""

    name: str
    ruling: str
    default: OptionValue
    choices: list[OptionValue]
    minimum: int | None
    sentence: str


class LevelModel(BaseModel):
    """An opponent for people, the easiest first. bot: the agent that it is; where a bot is named, either name goes.

    rating: Elo-like, of games of two; the bot steward has 1000 by definition.
    """

    name: str
    bot: str
    sentence: str
    rating: int


class GameModel(BaseModel):
    """A game that can be played here."""

    name: str
    title: str
    designers: str
    seats: tuple[int, int]
    hidden_information: bool
    options: list[OptionModel]
    editions: list[str]
    bots: list[str]
    default_bot: str
    levels: list[LevelModel]
    odds: bool


class GamesModel(BaseModel):
    """The games, and whether making a table needs a password."""

    games: list[GameModel]
    needs_password: bool


class TablesModel(BaseModel):
    """Tables, the last changed first."""

    tables: list[TableInfo]


class JoinedModel(BaseModel):
    """A seat taken. secret: what authorises it, as a bearer token."""

    table: str
    seat: int | None
    secret: str


class TokenModel(BaseModel):
    """A token, shown once."""

    token: str


class LinkModel(BaseModel):
    """What a link gives."""

    kind: Literal["invite", "watch", "seat"]
    table: TableInfo
    seat: int | None


class LineModel(BaseModel):
    """Something that happened."""

    number: int
    text: str
    rule: str
    event: dict[str, Any]


class LogModel(BaseModel):
    """What happened, as far as the caller may know."""

    lines: list[LineModel]


class ChoiceModel(BaseModel):
    """A legal action."""

    notation: str
    action: dict[str, Any]
    sentence: str
    rule: str


class SeenModel(BaseModel):
    """All that the caller sees of a table; see the project's documentation of the games for ``view``."""

    table: TableInfo
    seat: int | None
    host: bool
    version: str
    view: dict[str, Any] | None
    decision: str | None
    your_turn: bool
    actions: list[ChoiceModel]
    outcomes: list[str] | None
    undo: bool
    log: list[LineModel]
    talk: list[Message]
    clocks: list[ClockFace]
    invite: str | None
    watch: str | None


class AnswerModel(BaseModel):
    """What a move brought."""

    table: str
    version: str
    log: list[LineModel]
    repeated: bool


class RefusalModel(BaseModel):
    """Why an action is not allowed."""

    code: str
    sentence: str
    rule: str


class WhyNotModel(BaseModel):
    """The refusal, or none."""

    refusal: RefusalModel | None


class OddsModel(BaseModel):
    """The odds as the game gives them, or none."""

    odds: dict[str, Any] | None


class StepModel(BaseModel):
    """A line of the record; seat is null for chance."""

    number: int
    seat: int | None
    notation: str
    sentence: str
    log: list[LineModel]


class ReplayModel(BaseModel):
    """A finished game, step by step."""

    table: TableInfo
    steps: list[StepModel]
    seed: str | None
    nonces: list[str]


class FrameModel(BaseModel):
    """The table of a finished game after a step, nothing hidden."""

    step: int
    spectator: dict[str, Any]
    views: list[dict[str, Any]]
    position: dict[str, Any]


class RuleModel(BaseModel):
    """A rule or ruling in our own words."""

    id: str
    title: str
    text: str
    see: list[str]
    option: str | None


class RulesModel(BaseModel):
    """All rules of a game."""

    rules: list[RuleModel]
