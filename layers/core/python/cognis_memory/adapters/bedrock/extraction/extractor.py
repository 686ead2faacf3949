"""The `Extractor` port on Bedrock's Converse."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from cognis_memory.adapters.bedrock.extraction.answer import MAX_FAULTS, AnswerFault, Asked, read_answer
from cognis_memory.adapters.bedrock.extraction.converse import (
    Converse,
    Guardrail,
    Reply,
    StructuredOutput,
    Truncated,
)
from cognis_memory.adapters.bedrock.extraction.pieces import Piece, chunks, halves, pieces_of
from cognis_memory.adapters.bedrock.extraction.prompt import (
    CUT_OFF_FAULT,
    PROMPT_VERSION,
    REPAIR_PROMPT,
    SYSTEM_PROMPT,
)
from cognis_memory.adapters.bedrock.extraction.rendering import render
from cognis_memory.adapters.bedrock.extraction.schema import answer_schema
from cognis_memory.domain.text import normalise_text
from cognis_memory.errors import CognisError, ExtractionFailed
from cognis_memory.models.event import Usage
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest

CHUNK_MESSAGES: Final = 20
"""Of one request: they share ten similar memories, and their facts fit well into one answer."""


class BedrockExtractor:
    """Asks a model once for a usual request, and once more, with its faults, where the answer is unusable.

    Messages beyond `max_message_tokens` go in parts, cut between turns; so does what a call has no tokens
    left for, half by half. Later parts see the facts of earlier ones as noted, not as memories to change.
    """

    def __init__(
        self,
        client: Any,
        model_id: str,
        *,
        output: StructuredOutput = StructuredOutput.TEXT_FORMAT,
        chunk_messages: int = CHUNK_MESSAGES,
        max_message_tokens: int = 12_000,
        max_output_tokens: int = 4_096,
        temperature: float | None = 0.0,
        guardrail: Guardrail | None = None,
    ) -> None:
        """`client` is a `bedrock-runtime` client, `model_id` a model's or an inference profile's id or ARN.

        Tokens of messages are estimated. `temperature` None is for models that take none.
        `guardrail` looks at what is asked and answered.
        """
        self._chunk_messages = chunk_messages
        self._max_message_tokens = max_message_tokens
        self._model = Converse(
            client,
            model_id,
            system=SYSTEM_PROMPT,
            schema=answer_schema(),
            output=output,
            max_output_tokens=max_output_tokens,
            temperature=temperature,
            metadata={"purpose": "cognis-extraction", "prompt_version": str(PROMPT_VERSION)},
            guardrail=guardrail,
        )

    @property
    def chunk_messages(self) -> int:
        return self._chunk_messages

    def extract(self, request: ExtractionRequest) -> Extraction:
        """As `ports.Extractor.extract`. Raises ContentBlocked, too, for messages that a filter refuses.

        Errors say what the calls before them consumed.
        """
        waiting = deque(chunks(pieces_of(request.messages), self._max_message_tokens))
        facts: list[ExtractedFact] = []
        consumed: list[Usage] = []
        while waiting:
            pieces = waiting.popleft()
            try:
                facts += self._facts_of(pieces, request, facts, consumed)
            except Truncated:
                waiting.extendleft(reversed(halves(pieces) or ()))
            except CognisError as error:
                error.consumed = _sum(consumed).calls
                raise
        ordered = sorted(_distinct(facts), key=lambda fact: fact.message_index)
        return Extraction(tuple(ordered), _sum(consumed))

    def _facts_of(
        self,
        pieces: Sequence[Piece],
        request: ExtractionRequest,
        noted: Sequence[ExtractedFact],
        consumed: list[Usage],
    ) -> list[ExtractedFact]:
        """The facts of one part; what each call consumed is added to `consumed`.

        Raises Truncated where smaller parts may fit.
        """
        asked = Asked(request.messages, pieces, {memory.label for memory in request.similar})
        question = render(request, pieces, noted)
        said: Reply | None = None
        try:
            said = self._ask([_user(question)], consumed)
            return read_answer(said.text, asked)
        except AnswerFault as fault:
            complaint = REPAIR_PROMPT.format(faults="\n".join(fault.faults[:MAX_FAULTS]))
        except Truncated:
            if halves(pieces) is not None:
                raise
            complaint = REPAIR_PROMPT.format(faults=CUT_OFF_FAULT)
        try:
            repaired = self._ask(_once_more(question, said, complaint), consumed)
            return read_answer(repaired.text, asked, any_language=True)
        except AnswerFault as fault:
            raise ExtractionFailed(f"the model's answer cannot be used, nor its repair: {fault}") from None
        except Truncated:
            if halves(pieces) is not None:
                raise
            raise ExtractionFailed("the model has no tokens left over a short text, twice") from None

    def _ask(self, turns: Sequence[dict[str, Any]], consumed: list[Usage]) -> Reply:
        try:
            reply = self._model.ask(turns)
        except Truncated as truncated:
            consumed.append(truncated.usage)
            raise
        except CognisError as error:
            consumed.append(Usage.of_calls(error.consumed))
            raise
        consumed.append(reply.usage)
        return reply


def _once_more(question: str, said: Reply | None, complaint: str) -> list[dict[str, Any]]:
    """The question, the answer and the complaint; an empty answer is no turn of a conversation."""
    turns_back = [] if said is None else said.turns_back(complaint)
    return [_user(question), *turns_back] if turns_back else [_user(f"{question}\n\n{complaint}")]


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"text": text}]}


def _distinct(facts: Sequence[ExtractedFact]) -> list[ExtractedFact]:
    """Without those that say once more, in the same words and of the same memory, what one before says."""
    first: dict[tuple[object, ...], ExtractedFact] = {}
    for fact in facts:
        first.setdefault((fact.operation, fact.label, normalise_text(fact.content)), fact)
    return list(first.values())


def _sum(usages: Sequence[Usage]) -> Usage:
    return sum(usages, start=Usage())
