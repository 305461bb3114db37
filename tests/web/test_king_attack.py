"""The odds of an attack before it is sent, on the King page: shown when asked for, beside the event loop (K28)."""

import re

from muniment.games.king.what_if import attacks
from muniment.tables.config import Config
from muniment.tables.values import Caller, NewTable, SeatPlan
from muniment.web.king_odds import outlook_of
from muniment.web.render import SEAT_COOKIE
from tests.king.scripts import Table, part, player
from tests.tables.helpers import asynchronous
from tests.web.client import in_process


def war_table() -> dict[str, object]:
    return {
        "turn": 3, "phase": 4, "frames": part(4, ["war", 0]),
        "players": [
            player("forest-1", army="bear-2 pixies-f1 pixies-f1", gold=9),
            player("swamp-1:1 swamp-2", army="master-thief"),
        ],
    }  # fmt: skip


@asynchronous
async def test_they_are_worked_out_only_if_asked_for() -> None:
    t = Table(*war_table()["players"], frames=part(4, ["war", 0]), turn=3, phase=4)  # type: ignore[misc]
    mine, other = t.game.view(t.state, 0), t.game.view(t.state, 1)
    assert (await outlook_of(mine)).attacks == ()
    assert (await outlook_of(other, attack=True)).attacks == ()
    found = (await outlook_of(mine, attack=True)).attacks
    assert found == attacks(mine)
    assert [land.land for land in found[0].lands] == ["swamp-1", "swamp-2"]
    t.do("peace")
    assert (await outlook_of(t.game.view(t.state, 0), attack=True)).attacks == ()


@asynchronous
async def test_the_page_tells_them_on_demand_and_only_who_decides(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, service):
        client.headers["accept"] = "text/html"
        host = await service.create(NewTable("king", "Ada", (SeatPlan("me"), SeatPlan("open")), position=war_table()))
        seen = await service.look(host.table, Caller(host.secret))
        assert seen.invite is not None
        friend = await service.take_seat(seen.invite, "Ben")
        page = f"/t/{host.table}"
        client.cookies.set(SEAT_COOKIE, host.secret)
        asked = (await client.get(page)).text
        assert f'href="{page}?odds=attack#attack-odds"' in asked
        assert 'id="attack-odds"' not in asked
        told = (
            (await client.get(f"{page}?odds=attack")).text.partition('id="attack-odds"')[2].partition("</section>")[0]
        )
        words = " ".join(re.sub(r"<[^>]+>", " ", told).split())
        assert "2 × Pixies" in words
        assert "2 gold" in words
        assert "Swamp 2 100 %" in words
        assert "odds: all of that army lies open" in words
        client.cookies.set(SEAT_COOKIE, friend.secret)
        for query in ("?odds=attack", "?odds=%00"):
            answer = await client.get(f"{page}{query}")
            assert answer.status_code == 200
            assert "attack-odds" not in answer.text
