"""A visitor of the app without a browser: Streamlit's messages over its websocket.

Of what a browser does, this does what the server can tell: it opens a page, keeps what is typed
into its boxes, presses its buttons and reads what the server sends.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable
from http.client import HTTPConnection
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

_WIDGET_WITH_KEY = re.compile(r"\$\$ID-[0-9a-f]+-(?P<key>.*)", re.DOTALL)
_NO_KEY = "None"
# A page that takes longer than this counts as failed.
SECONDS_TO_WAIT = 300.0
_LARGEST_MESSAGE = 200 * 2**20


class VisitFailed(Exception):
    """The server said something else than what the visitor came for."""


class Visitor:
    """One session of one browser tab.

    ``patience``: seconds after which a page counts as failed. ``strangers``: words that this
    visitor must never be sent; ``leaks`` has those of them that it was sent.
    """

    def __init__(self, base: str, name: str = "", patience: float = SECONDS_TO_WAIT) -> None:
        self._base = base
        self._patience = patience
        self.name = name
        self.strangers: frozenset[str] = frozenset()
        self.leaks: list[str] = []
        self.query = ""
        self._page = ""
        self._typed: dict[str, str] = {}
        self._pages: dict[str, str] = {}
        self._elements: dict[str, Element] = {}
        self._shown: list[Element] = []
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        """Fetch what a browser fetches first, and open the websocket."""
        await asyncio.to_thread(
            _fetch, self._base, ("/", "/_stcore/health", "/_stcore/host-config")
        )
        address = self._base.replace("http://", "ws://", 1)
        self._socket = await connect(
            f"{address}/_stcore/stream",
            origin=None,
            max_size=_LARGEST_MESSAGE,
            proxy=None,
            ping_interval=None,
        )
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Close the tab."""
        if self._socket is not None:
            await self._socket.close()

    async def open(self, page: str, query: str = "") -> float:
        """Open ``page`` by its address; the seconds until it is drawn. VisitFailed on an error."""
        self._page, self.query = page, query
        self._typed.clear()
        return await self._run()

    async def press(self, button: str) -> float:
        """Press the button with this key or label; the seconds until the page is drawn."""
        return await self._run(self._widget("button", button))

    async def type(self, box: str, text: str) -> float:
        """Type into the box with this key and leave it; the seconds until the page is drawn."""
        self.fill(box, text)
        return await self._run()

    def fill(self, box: str, text: str) -> None:
        """Type into the box with this key; it is sent with what is pressed next."""
        for kind in ("text_area", "text_input"):
            if found := self._find(kind, box):
                self._typed[found] = text
                return
        raise VisitFailed(f"{self.name}: there is no box {box!r} on the page. {self.said()}")

    def shows(self, button: str) -> bool:
        """Whether there is a button with this key or label."""
        return self._find("button", button) is not None

    def parameter(self, name: str) -> str:
        """A query parameter of the page's address; "" where it has none."""
        return parse_qs(self.query).get(name, [""])[0]

    def said(self) -> str:
        """The page's texts, shortened, for a message."""
        texts = (_text(element) for element in self._shown)
        return " | ".join(text for text in texts if text)[:600]

    def box_with(self, start: str) -> str:
        """The key of the first box that begins with ``start``. VisitFailed when there is none."""
        for element in self._shown:
            kind = element.WhichOneof("type")
            if kind in ("text_area", "text_input"):
                key = _key(getattr(element, kind).id)
                if key.startswith(start):
                    return key
        raise VisitFailed(f"{self.name}: there is no box {start!r} on the page. {self.said()}")

    async def _run(self, trigger: str = "") -> float:
        """Have the script run as the page is now, and read until it has."""
        assert self._socket is not None
        message = BackMsg(rerun_script=self._state(trigger))
        self._shown.clear()
        start = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        try:
            async with asyncio.timeout(self._patience):
                await self._read()
        except TimeoutError:
            raise VisitFailed(
                f"{self.name}: nothing was drawn within {self._patience:.0f} s. {self.said()}"
            ) from None
        taken = time.perf_counter() - start
        self._raise_errors()
        return taken

    def _state(self, trigger: str) -> ClientState:
        state = ClientState(
            query_string=self.query,
            page_name=self._page if self._page not in self._pages else "",
            page_script_hash=self._pages.get(self._page, ""),
        )
        state.context_info.timezone = "UTC"
        state.context_info.locale = "en-US"
        state.context_info.url = f"{self._base}/{self._page}"
        for widget, text in self._typed.items():
            state.widget_states.widgets.add(id=widget, string_value=text)
        if trigger:
            state.widget_states.widgets.add(id=trigger, trigger_value=True)
        return state

    async def _read(self) -> None:
        """Read messages until a run of the script has ended by itself."""
        assert self._socket is not None
        while True:
            raw = await self._socket.recv()
            if isinstance(raw, str):
                raise VisitFailed(f"{self.name}: the server sent text instead of a message.")
            self._note_leaks(raw)
            message = ForwardMsg.FromString(raw)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self._shown.clear()
                self._elements.clear()
            elif kind == "navigation":
                self._pages = {
                    page.url_pathname: page.page_script_hash
                    for page in message.navigation.app_pages
                }
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "page_not_found":
                raise VisitFailed(f"{self.name}: there is no page {self._page!r}.")
            elif kind == "delta" and message.delta.HasField("new_element"):
                self._note(message.delta.new_element)
            elif kind == "script_finished" and message.script_finished in (
                ForwardMsg.FINISHED_SUCCESSFULLY,
                ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
            ):
                return

    def _note(self, element: Element) -> None:
        self._shown.append(element)
        kind = element.WhichOneof("type")
        widget = getattr(element, kind) if kind else None
        number = str(getattr(widget, "id", ""))
        if number:
            self._elements[number] = element
        if kind in ("text_area", "text_input") and getattr(widget, "set_value", False):
            self._typed[number] = str(getattr(widget, "value", ""))

    def _note_leaks(self, raw: bytes) -> None:
        for word in self.strangers:
            if word.encode() in raw:
                self.leaks.append(word)

    def _find(self, kind: str, name: str) -> str | None:
        """The widget of this kind whose key, or else whose label, is ``name``."""
        by_label = None
        for number, element in self._elements.items():
            if element.WhichOneof("type") == kind:
                if _key(number) == name:
                    return number
                if getattr(element, kind).label == name:
                    by_label = number
        return by_label

    def _widget(self, kind: str, name: str) -> str:
        found = self._find(kind, name)
        if found is None:
            raise VisitFailed(
                f"{self.name}: there is no {kind} {name!r} on the page. {self.said()}"
            )
        return found

    def _raise_errors(self) -> None:
        """VisitFailed when the page shows an error, with all of what it says."""
        for element in self._shown:
            kind = element.WhichOneof("type")
            wrong = kind == "exception" or (
                kind == "alert" and element.alert.format == element.alert.ERROR
            )
            if wrong:
                raise VisitFailed(f"{self.name}: {_text(element)} | {self.said()}")


def _key(number: str) -> str:
    match = _WIDGET_WITH_KEY.fullmatch(number)
    key = match["key"] if match else _NO_KEY
    return "" if key == _NO_KEY else key


def _text(element: Element) -> str:
    kind = element.WhichOneof("type")
    shown: Message | None = getattr(element, kind) if kind else None
    if kind in ("alert", "markdown", "text", "heading"):
        return str(getattr(shown, "body", ""))
    return element.exception.message if kind == "exception" else ""


def _fetch(base: str, paths: Iterable[str]) -> None:
    """VisitFailed when one of ``paths`` is not answered with success."""
    host = urlsplit(base)
    connection = HTTPConnection(host.hostname or "", host.port, timeout=SECONDS_TO_WAIT)
    try:
        for path in paths:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise VisitFailed(f"{path} was answered with {answer.status}")
    finally:
        connection.close()
