"""A real HTTP server that speaks chat completions, as a judge's endpoint."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from provenance_core.detectors.judge.settings import JUDGE_SETTINGS

KEY = "sk-secret-0123456789"


@dataclass(frozen=True)
class Reply:
    """What the server sends: a chat completion with ``content``, or ``body`` as it is. ``tokens``:
    of the content, each with the likeliest at its place and their log-probabilities; sent where
    the request asks for them. ``without_tokens``: whether a request for them is refused."""

    content: str | None = None
    status: int = 200
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    tokens: Sequence[tuple[str, Sequence[tuple[str, float]]]] = ()
    without_tokens: bool = False

    def text(self, *, with_tokens: bool = False) -> str:
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": "no", "type": "t"}})
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        if with_tokens and self.tokens:
            content = [
                {
                    "token": text,
                    "logprob": likeliest[0][1],
                    "bytes": None,
                    "top_logprobs": [
                        {"token": other, "logprob": value, "bytes": None}
                        for other, value in likeliest
                    ],
                }
                for text, likeliest in self.tokens
            ]
            choice["logprobs"] = {"content": content, "refusal": None}
        return json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "judge-1",
                "choices": [choice],
            }
        )


@dataclass
class Endpoint:
    """A running server: what it was asked, and what it answers; the last reply is repeated."""

    url: str
    replies: list[Reply]
    requests: list[tuple[str, dict[str, str], dict]] = field(default_factory=list)
    end: threading.Event = field(default_factory=threading.Event)

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://").removesuffix("/v1")


@contextmanager
def serving(replies: Sequence[Reply]) -> Iterator[Endpoint]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            endpoint.requests.append((self.path, headers, json.loads(raw)))
            reply = endpoint.replies[min(len(endpoint.requests), len(endpoint.replies)) - 1]
            if reply.hangs:
                endpoint.end.wait()
                return
            asks = bool(endpoint.requests[-1][2].get("logprobs"))
            if asks and reply.without_tokens:
                reply = Reply(status=400)
            body = reply.text(with_tokens=asks).encode()
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", list(replies))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield endpoint
    finally:
        endpoint.end.set()
        server.shutdown()
        server.server_close()


def environment(url: str, **others: str) -> dict[str, str]:
    given = {"URL": url, "MODEL": "judge-1", "KEY": KEY, **others}
    return {f"PROVENANCE_JUDGE_{name}": value for name, value in given.items()}


def forget_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the tester's own endpoint away, and any proxy for an address of this machine."""
    for setting in JUDGE_SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
