"""What `run` prints: the conversation, each question with its answer, and how many were answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cognis_local.cli import output
from cognis_local.cli.questions import TOP_K, Asked, scores
from cognis_local.conversations import Conversation

NO_ANSWER = "(the conversation does not say)"


def introduction(conversation: Conversation) -> str:
    first = conversation.sessions[0].started_at.date()
    return (
        f"{conversation.id}: {len(conversation.sessions)} sessions, {conversation.turn_count} messages, "
        f"{' and '.join(conversation.speakers)}, {first} to {conversation.ended_at.date()}"
    )


def shown(answers: Iterator[Asked], console: Console, show: int, timezone: str) -> Iterator[Asked]:
    """Prints each question as it is answered, with the first `show` results and what was expected."""
    zone = ZoneInfo(timezone)
    for number, asked in enumerate(answers, start=1):
        question = asked.question
        then = f" (as of {output.day(question.as_of, zone)})" if question.as_of else ""
        console.print(Text(f"\n{number}. {output.plain(question.text)}{then}", style="bold"))
        results = asked.answer.results[:show]
        console.print(output.brief_rows(results, zone) if results else "  nothing relevant is remembered")
        expected = NO_ANSWER if question.answer is None else output.plain(question.answer)
        console.print(f"  expected: {expected}{_place(asked)}")
        yield asked


def _place(asked: Asked) -> str:
    if asked.question.answer is None or not asked.question.evidence:
        return ""
    if asked.evidence_rank is None:
        return f" · evidence not among the first {TOP_K}"
    return f" · evidence at {asked.evidence_rank}"


def conclusion(asked: Sequence[Asked], seconds: float) -> Table:
    """Per kind of question, how often the evidence came first and how often among the first TOP_K."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption_justify="left")
    table.add_column("questions")
    for column in ("asked", "evidence first", f"among {TOP_K}"):
        table.add_column(column, justify="right")
    for score in scores(asked):
        table.add_row(score.kind, str(score.asked), str(score.first), str(score.found))
    unanswerable = [item for item in asked if item.question.answer is None]
    if unanswerable:
        nothing = sum(item.right for item in unanswerable)
        table.add_row("without an answer", str(len(unanswerable)), "", f"{nothing} left open")
    table.caption = f"{len(asked)} questions in {seconds:.1f} s"
    return table
