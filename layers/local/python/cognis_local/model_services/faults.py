"""How services and their models misbehave: steps for `ModelServices.plan`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count, cycle
from threading import Lock
from typing import Any, Final

from cognis_local.model_services.calls import Call
from cognis_local.model_services.replies import Reply, converse_content, converse_reply, error_reply
from cognis_local.model_services.server import Responder, Step

Facts = list[dict[str, Any]]

INVENTED_LABEL: Final = 999


def failing(status: int, code: str, message: str = "refused", **members: object) -> Step:
    """An error of the service."""
    return lambda call, responder: error_reply(status, code, message, **members)


def throttled(call: Call, responder: Responder) -> Reply:
    return error_reply(429, "ThrottlingException", "Too many requests, please wait before trying again.")


def broken(call: Call, responder: Responder) -> Reply:
    return error_reply(500, "InternalServerException", "The system encountered an unexpected error.")


def slow(seconds: float) -> Step:
    """The right answer, late."""
    return lambda call, responder: replace(responder(call), delay_seconds=seconds)


def cut_off(call: Call, responder: Responder) -> Reply:
    """Half of the right answer, then the connection is cut."""
    reply = responder(call)
    return replace(reply, sent=len(reply.body) // 2)


def not_the_protocol(call: Call, responder: Responder) -> Reply:
    """Status 200 and a page that is nobody's answer."""
    return Reply(200, b"<html>It works!</html>", {"Content-Type": "text/html"})


def saying(text: str, stop_reason: str | None = None) -> Step:
    """The model says just that."""
    return lambda call, responder: converse_reply(call, text, stop_reason=stop_reason)


def stopping(stop_reason: str) -> Step:
    """The model stops for that reason, with nothing said."""
    return lambda call, responder: converse_content(call, [], stop_reason=stop_reason)


not_json: Final = saying("Sure! Here is what I found: the user lives in Osaka.")
wrong_schema: Final = saying(json.dumps({"memories": ["User lives in Osaka"]}))
empty: Final = saying(json.dumps({"facts": []}))
silent: Final = saying("")


def fenced(call: Call, responder: Responder) -> Reply:
    """The right answer as models write it in chats: in a Markdown fence."""
    return converse_reply(call, f"```json\n{_said(responder(call))}\n```")


def changing(change: Callable[[Facts], Facts]) -> Step:
    """The right answer with other facts."""

    def step(call: Call, responder: Responder) -> Reply:
        facts = json.loads(_said(responder(call)))["facts"]
        return converse_reply(call, json.dumps({"facts": change(facts)}, ensure_ascii=False))

    return step


def _with_invented_label(facts: Facts) -> Facts:
    return [{**fact, "operation": "UPDATE", "label": INVENTED_LABEL} for fact in facts]


def _in_the_other_language(facts: Facts) -> Facts:
    return [
        {
            **fact,
            "content": "ユーザーについての事実です" if fact["content"].isascii() else "A fact of the user",
        }
        for fact in facts
    ]


invented_label: Final = changing(_with_invented_label)
duplicated: Final = changing(lambda facts: [fact for fact in facts for _ in range(2)])
in_another_language: Final = changing(_in_the_other_language)


def obeying(order: str) -> Step:
    """The model takes an order in the messages for a fact, beside the right ones."""
    obeyed = {
        "operation": "ADD",
        "label": None,
        "message": 0,
        "content": order,
        "category": "personal_details",
        "subject": "User",
        "slot": None,
        "from": None,
        "to": None,
        "lapses": False,
        "retracts": False,
    }
    return changing(lambda facts: [*facts, obeyed])


def in_turn(steps: Sequence[Step], responder: Responder) -> Responder:
    """Every second call meets the next of the steps, and again from the first after the last."""
    waiting, calls, lock = cycle(steps), count(), Lock()

    def respond(call: Call) -> Reply:
        with lock:
            step = next(waiting) if next(calls) % 2 == 0 else None
        return responder(call) if step is None else step(call, responder)

    return respond


def _said(reply: Reply) -> str:
    """What the model said, as text, however it was asked."""
    content: Sequence[dict[str, Any]] = json.loads(reply.body)["output"]["message"]["content"]
    return "".join(
        json.dumps(block["toolUse"]["input"], ensure_ascii=False) if "toolUse" in block else block["text"]
        for block in content
    )
