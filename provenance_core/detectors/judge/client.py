"""Asks a judge: chat completions at an OpenAI-compatible endpoint, by the ``openai`` client."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from provenance_core.detectors.judge.reply import MalformedReply, ReadReply, beginning, read_reply
from provenance_core.detectors.judge.settings import (
    KEY,
    MODEL,
    NO_TEMPERATURE,
    TEMPERATURE,
    TIMEOUT,
    URL,
    JudgeSettings,
    read_judge_settings,
)
from provenance_core.detectors.judge.yes_or_no import Token
from provenance_core.errors import JudgeError, JudgeReplyError
from provenance_core.text.input_checks import clean_text

if TYPE_CHECKING:
    import httpx2
    from openai import APIStatusError, OpenAI
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.chat.chat_completion import Choice

# Replies asked for before it is said that none can be used.
MAX_REPLIES = 3
# Further requests after one that failed in a way that may pass: 408, 409, 429, 5xx, no connection,
# no reply in time. The client waits longer before each, or as long as the endpoint says.
MAX_RETRIES = 2

_CORRECTION = (
    "Your reply cannot be used: {reason}. Reply with the JSON object alone, in the format given "
    "above, and copy every span from the text exactly."
)
# What a request needs. The client would add the operating system, and organisation, project and
# headers of one's own from environment variables that are meant for another endpoint.
_HEADERS = frozenset(
    (
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        "user-agent",
    )
)
# A key that is shorter is a placeholder such as "none", which may well be a word of the reply.
_SHORTEST_SECRET = 8
_SECONDS_BETWEEN_SIGNS = 1.0
# Statuses that are about the texts, so that other texts may pass.
_ABOUT_THE_TEXTS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)


T = TypeVar("T")


@dataclass(frozen=True)
class Judged(Generic[T]):
    """A reply that could be read. ``attempts``: the replies asked for, this one included."""

    text: str
    read: T
    attempts: int


@dataclass(frozen=True, slots=True)
class TokenReply:
    """The text of a reply, "" where there is none. ``tokens``: none where the endpoint gives
    none."""

    text: str
    tokens: tuple[Token, ...]


def missing_client() -> str:
    """How to install the client; "" when it is installed."""
    if importlib.util.find_spec("openai"):
        return ""
    return "The judge needs the openai package: pip install 'provenance-check[judge]'"


def judge_problem() -> str:
    """Why no language model can be asked, and what to set; "" where one can."""
    if reason := missing_client():
        return reason
    try:
        read_judge_settings()
    except JudgeError as error:
        return str(error)
    return ""


def ask_judge(
    settings: JudgeSettings, prompt: str, answer: str, progress: Callable[[float], None]
) -> Judged[ReadReply]:
    """Ask the judge about an answer. A reply that cannot be read is sent back with the reason, at
    most ``MAX_REPLIES`` in all. ``progress``: Called with the share that is done, in [0, 1], again
    and again while the endpoint is waited for. What it raises ends the waiting. Raises
    JudgeReplyError if no reply can be read; the message has the reason and the start of the last.
    Or the endpoint refuses these texts, and JudgeError where the endpoint cannot be reached,
    refuses the key or fails."""
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": prompt}]
    with open_endpoint(settings) as endpoint:
        return read_or_ask_again(
            endpoint, messages, lambda text: read_reply(text, answer), progress
        )


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An open connection to the endpoint of ``settings``."""

    client: OpenAI
    settings: JudgeSettings

    def reply(
        self,
        messages: list[ChatCompletionMessageParam],
        progress: Callable[[], None],
        model_id: str = "",
    ) -> str:
        """The text of one reply, of the judge's model or of ``model_id``; "" where there is none.
        ``progress`` is called again and again while the endpoint is waited for; what it raises ends
        the waiting. Raises JudgeReplyError if the endpoint refuses these texts, and JudgeError if
        it cannot be reached, refuses the key or fails."""
        settings = replace(self.settings, model_id=model_id or self.settings.model_id)
        return _waiting(partial(_reply, self.client, settings, messages), progress).text

    def reply_with_tokens(
        self, prompt: str, progress: Callable[[], None], *, likeliest: int
    ) -> TokenReply:
        """The text of one reply to a prompt, and its tokens where the endpoint gives them, each
        with so many of the ``likeliest`` at its place; errors and ``progress`` as of
        :meth:`reply`. With 0 no tokens are asked for, which some endpoints refuse."""
        messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": prompt}]
        return _waiting(partial(_reply, self.client, self.settings, messages, likeliest), progress)


@contextmanager
def open_endpoint(settings: JudgeSettings) -> Iterator[Endpoint]:
    """Connect to an endpoint for as long as the block runs."""
    from openai import OpenAI

    with OpenAI(
        base_url=settings.url,
        api_key=settings.key or "none",  # else it takes one that is meant for another endpoint
        timeout=settings.timeout,
        max_retries=MAX_RETRIES,
        http_client=_http_client(settings),
    ) as client:
        yield Endpoint(client, settings)


def read_or_ask_again(
    endpoint: Endpoint,
    messages: list[ChatCompletionMessageParam],
    read: Callable[[str], T],
    progress: Callable[[float], None],
) -> Judged[T]:
    """Ask until ``read`` can read the reply, at most ``MAX_REPLIES`` times. ``read`` raises
    MalformedReply with the reason, which is sent back. ``progress`` is called with the share that
    is done, in [0, 1]. Raises JudgeReplyError if no reply can be read; the message has the reason
    and the start of the last."""
    settings, reason, text = endpoint.settings, "", ""
    for attempt in range(1, MAX_REPLIES + 1):
        text = endpoint.reply(messages, partial(progress, (attempt - 1) / MAX_REPLIES))
        try:
            return Judged(text, read(text), attempt)
        except MalformedReply as error:
            reason = str(error)
        messages = [
            *messages,
            {"role": "assistant", "content": text},
            {"role": "user", "content": _CORRECTION.format(reason=reason)},
        ]
    raise JudgeReplyError(
        f"{settings.host}: none of {MAX_REPLIES} replies of {settings.model_id} can be used, so "
        f"the answer was not judged. The last: {reason}. It begins: {beginning(text)!r}. Set "
        f"{MODEL.variable} to a model that follows formats better, or choose another method."
    )


def _http_client(settings: JudgeSettings) -> httpx2.Client:
    from openai import DefaultHttpxClient

    def only_what_is_needed(request: httpx2.Request) -> None:
        for name in [name for name in request.headers if name not in _HEADERS]:
            del request.headers[name]
        if settings.key:
            request.headers["Authorization"] = f"Bearer {settings.key}"

    # A redirect would carry the texts to a host that nobody was told of.
    return DefaultHttpxClient(
        timeout=settings.timeout,
        follow_redirects=False,
        event_hooks={"request": [only_what_is_needed]},
    )


def _waiting(call: Callable[[], T], sign: Callable[[], None]) -> T:
    """What ``call`` returns or raises; ``sign`` is called meanwhile, because a batch run whose
    worker gives no sign of life is taken as dead."""
    pool = ThreadPoolExecutor(max_workers=1)
    try:
        pending = pool.submit(call)
        while True:
            sign()
            try:
                return pending.result(timeout=_SECONDS_BETWEEN_SIGNS)
            except NotYet:
                if pending.done():
                    return pending.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _reply(
    client: OpenAI,
    settings: JudgeSettings,
    messages: list[ChatCompletionMessageParam],
    likeliest: int = 0,
) -> TokenReply:
    """One reply, with the key blotted out of its text."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError, omit
    from openai.types.chat import ChatCompletion

    # Without their causes: those hold the request, and with it the key.
    try:
        found: object = client.chat.completions.create(
            model=settings.model_id,
            messages=messages,
            temperature=omit if settings.temperature is None else settings.temperature,
            logprobs=True if likeliest else omit,
            top_logprobs=likeliest or omit,
        )
    except APITimeoutError:
        raise JudgeError(
            f"{settings.host} gave no reply within {settings.timeout:g} seconds, asked "
            f"{MAX_RETRIES + 1} times. Try again, set {TIMEOUT.variable} to more seconds, or "
            f"{MODEL.variable} to a faster model."
        ) from None
    except APIConnectionError as error:
        why = _shown(str(error.__cause__ or error), settings)
        raise JudgeError(
            f"{settings.host} cannot be reached ({why}). Start the endpoint, or correct "
            f"{URL.variable}."
        ) from None
    except APIStatusError as error:
        raise _refusal(error, settings) from None
    except ValueError:  # a body that is said to be JSON and is not
        found = None
    if not isinstance(found, ChatCompletion) or not found.choices:
        raise JudgeError(
            f"{settings.host} did not reply as a chat completions endpoint. Correct "
            f"{URL.variable}: the base URL, whose path is often /v1."
        )
    message = found.choices[0].message
    content: Any = message.content if message else None
    text = _without_key(content, settings) if isinstance(content, str) else ""
    return TokenReply(text, _tokens(found.choices[0]))


def _tokens(choice: Choice) -> tuple[Token, ...]:
    """The tokens of a reply. Endpoints leave out what the client's types promise."""
    given: Any = getattr(choice.logprobs, "content", None)
    try:
        return tuple(
            Token(each.token, tuple((top.token, float(top.logprob)) for top in each.top_logprobs))
            for each in given or ()
        )
    except (AttributeError, TypeError, ValueError):
        return ()


def _refusal(error: APIStatusError, settings: JudgeSettings) -> JudgeError | JudgeReplyError:
    status = error.status_code
    said = f"{settings.host} answered with status {status} ({_said(error, settings)})."
    if status in _ABOUT_THE_TEXTS:
        return JudgeReplyError(
            f"{said} If the texts are too long for {settings.model_id}, shorten them; if it takes "
            f"no temperature, set {TEMPERATURE.variable} to {NO_TEMPERATURE}."
        )
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        hint = f"Set {KEY.variable} to a key that the endpoint accepts for {settings.model_id}."
    elif status == HTTPStatus.NOT_FOUND:
        hint = (
            f"Correct {URL.variable} (the base URL, whose path is often /v1), or {MODEL.variable} "
            f"if the endpoint has no model {settings.model_id}."
        )
    elif status == HTTPStatus.TOO_MANY_REQUESTS:
        hint = (
            f"It was asked {MAX_RETRIES + 1} times. Wait and try again, or raise the endpoint's "
            "limit."
        )
    elif 300 <= status < 400:
        hint = (
            "It points elsewhere, and the texts were not sent there. Set "
            f"{URL.variable} to the address that is meant."
        )
    elif status >= 500:
        hint = f"It was asked {MAX_RETRIES + 1} times. Try again later, or look at its log."
    else:
        hint = f"Check {URL.variable}, {MODEL.variable} and {KEY.variable}."
    return JudgeError(f"{said} {hint}")


def _said(error: APIStatusError, settings: JudgeSettings) -> str:
    """The endpoint's own message where it has one, else the name of the status."""
    body: Any = error.body
    message = body.get("message") if isinstance(body, dict) else body
    if isinstance(message, str) and message.strip():
        return _shown(message.strip().rstrip("."), settings)
    try:
        return HTTPStatus(error.status_code).phrase
    except ValueError:
        return "no reason given"


def _shown(text: str, settings: JudgeSettings) -> str:
    return beginning(_without_key(text, settings))


def _without_key(text: str, settings: JudgeSettings) -> str:
    """``text`` as it can be kept, even if the endpoint repeats the key in it."""
    clean = clean_text(text, "reply")[0]
    if len(settings.key) < _SHORTEST_SECRET:
        return clean
    return clean.replace(settings.key, "[key]")
