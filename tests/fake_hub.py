"""A model hub on 127.0.0.1, as far as downloads ask for it, with faults to order."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from provenance_core.models.catalogue.profiles import (
    Architecture,
    ModelRole,
    PublicModel,
    TokenizerSource,
)

MAIN, NEXT = "1" * 40, "2" * 40
NAME = "owner/model"
WEIGHTS = "model.safetensors"
# What a download keeps of model_files().
WANTED = ["config.json", WEIGHTS, "tokenizer.json"]
CONFIG = {"id2label": {"0": "contradiction", "1": "entailment", "2": "neutral"}}


def model_files(config: dict | None = None, weights: bytes | None = None) -> dict[str, bytes]:
    """The files of a small repository; large ones are the weights."""
    return {
        "config.json": json.dumps(config or CONFIG).encode(),
        "tokenizer.json": b'{"version": "1.0"}',
        WEIGHTS: weights if weights is not None else bytes(range(256)) * 400,
        "README.md": b"not wanted",
        "onnx/model.safetensors": b"not wanted",
        "pytorch_model.bin": b"never wanted",
    }


def git_blob(content: bytes) -> str:
    """The name that git gives a file."""
    return hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()


def named(revision: str = "main", tokenizer: TokenizerSource | None = None) -> PublicModel:
    """The model of the hub, at a branch, tag or commit."""
    return PublicModel(
        NAME, revision, ModelRole.NLI, Architecture.SEQUENCE_CLASSIFIER, 0, "", 0,
        tokenizer=tokenizer,
    )  # fmt: skip


@dataclass
class FakeHub:
    """What the hub has and does. ``commits``: by repository, branch and commit, its files."""

    url: str
    commits: dict[tuple[str, str], dict[str, bytes]] = field(default_factory=dict)
    branches: dict[tuple[str, str], str] = field(default_factory=dict)
    # Who opened pull request 1, 2, ... of a repository; refs/pr/1 is a branch like another.
    offers: dict[str, list[str]] = field(default_factory=dict)
    # What every request for the names of files gets, in place of an answer.
    page: bytes = b""
    # How many bytes of a file are sent before the connection breaks, for each request in turn.
    breaks: dict[str, list[int]] = field(default_factory=dict)
    # What is sent in place of a file, listed or not.
    instead: dict[str, bytes] = field(default_factory=dict)
    # Status and X-Error-Code of every request for a repository.
    refused: dict[str, tuple[int, str]] = field(default_factory=dict)
    # A file that waits until ``go`` is set, after its first bytes.
    waits: str = ""
    go: threading.Event = field(default_factory=threading.Event)
    # Set when the first bytes of that file are on their way.
    waiting: threading.Event = field(default_factory=threading.Event)
    asked: list[str] = field(default_factory=list)
    ranges: list[str] = field(default_factory=list)

    def publish(
        self, model_id: str, files: dict[str, bytes], commit: str = MAIN, branch: str = "main"
    ) -> None:
        self.commits[model_id, commit] = files
        self.branches[model_id, branch] = commit

    def listing(self, model_id: str, revision: str) -> dict | None:
        commit = self.branches.get((model_id, revision), revision)
        files = self.commits.get((model_id, commit))
        if files is None:
            return None
        siblings = []
        for name, content in files.items():
            each = {"rfilename": name, "size": len(content), "blobId": git_blob(content)}
            if name.endswith((".safetensors", ".bin")):
                sha256 = hashlib.sha256(content).hexdigest()
                each["lfs"] = {"size": len(content), "sha256": sha256, "pointerSize": 100}
            siblings.append(each)
        return {"id": model_id, "sha": commit, "siblings": siblings}

    def tree(self, model_id: str, commit: str) -> list[dict]:
        listing = self.listing(model_id, commit)
        assert listing is not None
        return [
            {
                "type": "file",
                "path": each["rfilename"],
                "size": each["size"],
                "oid": each["blobId"],
                **({"lfs": {**each["lfs"], "oid": each["lfs"]["sha256"]}} if "lfs" in each else {}),
            }
            for each in listing["siblings"]
        ]

    def discussions(self, model_id: str) -> dict:
        """Every one of them, whoever's were asked for."""
        opened = [
            {
                "title": "Adding `safetensors` variant of this model",
                "num": number,
                "author": {"name": author},
                "createdAt": "2024-01-01T00:00:00.000Z",
                "status": "open",
                "repo": {"name": model_id, "type": "model"},
                "isPullRequest": True,
            }
            for number, author in enumerate(self.offers[model_id], 1)
        ]
        return {"count": len(opened), "start": 0, "discussions": opened}

    def has(self, model_id: str) -> bool:
        return any(each == model_id for each, _ in self.commits)


def _handler(hub: FakeHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self):
            self.do_GET()

        def do_GET(self):
            path = unquote(urlsplit(self.path).path)
            if self.command == "GET":
                hub.asked.append(path)
            parts = path.strip("/").split("/")
            if parts[:2] == ["api", "models"]:
                model_id, revision = "/".join(parts[2:4]), "/".join(parts[5:])
            else:
                model_id = "/".join(parts[:2])
            if hub.page:
                self.whole(hub.page)
            elif model_id in hub.refused:
                status, code = hub.refused[model_id]
                self.error(status, code)
            elif not hub.has(model_id):
                self.error(404, "RepoNotFound")
            elif parts[0] == "api" and parts[4] == "discussions":
                if model_id in hub.offers:
                    self.whole(json.dumps(hub.discussions(model_id)).encode())
                else:
                    self.error(404, "")
            elif parts[0] == "api" and parts[4] == "tree":
                self.whole(json.dumps(hub.tree(model_id, parts[5])).encode())
            elif parts[0] == "api":
                found = hub.listing(model_id, revision)
                if found is None:
                    self.error(404, "RevisionNotFound")
                else:
                    self.whole(json.dumps(found).encode())
            elif parts[2] == "resolve" and path.endswith(".safetensors"):
                # Large files are at another place, as at the real hub.
                content = hub.commits[model_id, parts[3]].get("/".join(parts[4:]), b"")
                self.send_response(302)
                self.send_header("Location", hub.url + self.path.replace("/resolve/", "/large/", 1))
                self.send_header("X-Repo-Commit", parts[3])
                self.send_header("X-Linked-Etag", f'"{hashlib.sha256(content).hexdigest()}"')
                self.send_header("X-Linked-Size", str(len(content)))
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                self.file(hub.commits[model_id, parts[3]], "/".join(parts[4:]))

        def error(self, status: int, code: str) -> None:
            self.send_response(status)
            if code:
                self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def whole(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def file(self, files: dict[str, bytes], name: str) -> None:
            if name not in files:
                self.error(404, "EntryNotFound")
                return
            body = hub.instead.get(name, files[name])
            wanted = self.headers.get("Range", "")
            start = int(wanted.removeprefix("bytes=").split("-")[0]) if wanted else 0
            if wanted:
                hub.ranges.append(wanted)
            self.send_response(206 if wanted else 200)
            self.send_header("X-Repo-Commit", urlsplit(self.path).path.split("/")[4])
            self.send_header("ETag", f'"{git_blob(files[name])}"')
            if wanted:
                self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
            self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            if self.command == "HEAD":
                return
            rest = body[start:]
            breaks = hub.breaks.get(name, [])
            if breaks:
                self.wfile.write(rest[: breaks.pop(0)])
                self.wfile.flush()
                self.close_connection = True
                self.connection.close()
                return
            if name == hub.waits:
                self.wfile.write(rest[:1000])
                self.wfile.flush()
                hub.waiting.set()
                hub.go.wait(60)
                rest = rest[1000:]
            self.wfile.write(rest)

        def log_message(self, *arguments):
            pass

    return Handler


@contextmanager
def serving() -> Iterator[FakeHub]:
    """The hub, running."""
    hub = FakeHub("")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield hub
    finally:
        hub.go.set()
        server.shutdown()
        server.server_close()
