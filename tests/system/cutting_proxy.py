"""Stands between the shoe and the server, and cuts the connection at each commit that deals a card it does not like."""

import contextlib
import re
import socket
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from tests.servers import Server

_DEALT: Final = re.compile(
    rb'"shoe_number":(\d+),"round_number":(\d+),"card_number":(\d+),"side":"\w+","position":\d,"card":"(\w\w)"'
)
Card = tuple[int, int, int]


class CuttingProxy:
    """`seen`: by shoe, round and card number the faces that commits came with. `cuts`: how often each was cut.

    A commit passes when its first card is a nine, or was cut `cuts_max` times.
    """

    def __init__(self, server: Server, cuts_max: int) -> None:
        self._server = server
        self._cuts_max = cuts_max
        self._lock = threading.Lock()
        self.seen: dict[Card, set[str]] = defaultdict(set)
        self.cuts: Counter[Card] = Counter()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._port = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def url_of(self, user: str) -> str:
        """The shoe comes this way, all others go straight to the server."""
        url = self._server.url_of(user)
        return url.replace(f":{self._server.port}/", f":{self._port}/") if user == "shoe" else url

    def close(self) -> None:
        """Take no connection any more, and wait until those that there are have ended at one of their ends."""
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._threads.append(threading.Thread(target=self._serve, args=(client,)))
                self._threads[-1].start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self._server.port)) as server:
            back = threading.Thread(target=self._pass_on, args=(server, client, False))
            back.start()
            self._pass_on(client, server, True)
            back.join()

    def _pass_on(self, one: socket.socket, other: socket.socket, cutting: bool) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(2**20):
                if cutting and self._is_cut(data):
                    break
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _is_cut(self, data: bytes) -> bool:
        dealt = list(_cards(data))
        if not dealt:
            return False
        with self._lock:
            for card, face in dealt:
                self.seen[card].add(face)
            first, face = dealt[0]
            if face[0] == "9" or self.cuts[first] >= self._cuts_max:
                return False
            self.cuts[first] += 1
            return True


def _cards(data: bytes) -> Iterator[tuple[Card, str]]:
    for shoe, number, card, face in _DEALT.findall(data):
        yield (int(shoe), int(number), int(card)), face.decode()
