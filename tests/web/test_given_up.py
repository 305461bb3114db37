"""Pages of games that ended because somebody gave up: they say so, ask nothing more, and lead on."""

from muniment.tables.config import Config
from muniment.tables.values import Caller, NewTable, SeatPlan
from muniment.web.render import SEAT_COOKIE
from tests.tables.helpers import asynchronous, join, siege
from tests.web.client import in_process


@asynchronous
async def test_a_king_game_given_up(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, service):
        client.headers["accept"] = "text/html"
        host = await service.create(NewTable("king", "Ada", (SeatPlan("me"), SeatPlan("open"))))
        friend = await join(service, host.table, Caller(host.secret), "Ben")
        await service.resign(host.table, Caller(host.secret))
        for secret in (host.secret, friend.secret):
            client.cookies.set(SEAT_COOKIE, secret)
            text = (await client.get(f"/t/{host.table}")).text
            for part in ("The game was given up", "Ada resigned", "Play again", f'href="/t/{host.table}/after"'):
                assert part in text
            for part in ("Your turn", 'data-turn="you"', "Waiting for", "<b>to move</b>", 'id="picks-done"'):
                assert part not in text


@asynchronous
async def test_a_siege_given_up(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, service):
        client.headers["accept"] = "text/html"
        table, me = await siege(service)
        client.cookies.set(SEAT_COOKIE, str(me.secret))
        assert 'id="actions"' in (await client.get(f"/t/{table}")).text
        await service.resign(table, me)
        text = (await client.get(f"/t/{table}")).text
        assert "<b>Given up</b>" in text
        for part in ('id="actions"', "AP left", 'href="#actions"', 'id="refusals"'):
            assert part not in text
