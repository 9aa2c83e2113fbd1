"""How a pit is loaded: cursor, records and own stream, all of one instant and by the same commits."""

import asyncio
from typing import Any, Final

from schemas.codec import CHAIN_START, ChainHead
from services.runtime.connection import Loaded, PitConnection
from services.runtime.cursor import Cursor, read_cursor
from services.runtime.failures import HistoryLost, NewerRecords, StateLost
from services.runtime.records import Records
from services.runtime.service import Definition
from services.runtime.step import Stepper

# So many rows are decoded before other pits and the heartbeat have their turn.
ROWS_A_TURN: Final = 1_000


async def load(
    connection: PitConnection, definition: Definition[Any], records: Records[Any], pit: str
) -> tuple[Cursor, Stepper[Any]]:
    """What stands of a pit. Raises StateLost, HistoryLost, NewerRecords, and what redis-py raises."""
    loaded = await connection.load()
    cursor = read_cursor(loaded.cursor, definition.inputs)
    _check(cursor, loaded, definition.record_format)
    stepper = Stepper(
        definition,
        records,
        pit,
        cursor=cursor,
        states=await _states(records, loaded.state),
        quarantined=loaded.quarantined,
    )
    return cursor, stepper


def _check(cursor: Cursor, loaded: Loaded, record_format: int) -> None:
    version = loaded.state.pop(b"version", b"").decode()
    if version != cursor.version:
        raise StateLost(f"the records have version {version or 'none'}, the cursor {cursor.version or 'none'}")
    newest = loaded.newest_fact
    head = ChainHead(int(newest.get(b"sequence", 0)), newest.get(b"chain", CHAIN_START.encode()).decode())
    if head != cursor.head:
        raise HistoryLost(f"the cursor ends with fact {cursor.head.sequence}, the own stream with {head.sequence}")
    if cursor.record_format > record_format:
        raise NewerRecords(f"the records have format {cursor.record_format}")


async def _states(records: Records[Any], rows: dict[bytes, bytes]) -> dict[str, Any]:
    loading = records.loading()
    for number, (name, value) in enumerate(rows.items(), start=1):
        loading.add(name, value)
        if number % ROWS_A_TURN == 0:
            await asyncio.sleep(0)
    return loading.states()
