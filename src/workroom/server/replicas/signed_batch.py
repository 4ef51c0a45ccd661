"""The form of the messages between servers: batches, numbered by their sender and signed with the servers' secret.

A process that can write to Redis but does not know the secret cannot forge a message.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson

_SIGNATURE_DIGITS = 32
# PostgreSQL accepts less than 8,000 bytes in a notification; a character has at most four.
_PART_CHARACTERS = 1_900

Message = tuple[str, Any]  # kind and body


class Batch(NamedTuple):
    sender: str  # the id of a server process
    number: int  # one more than that of the sender's batch before
    messages: Sequence[Message]


class BatchCodec:
    """Encodes and decodes batches for all servers that have this secret."""

    def __init__(self, secret: str) -> None:
        self._key = hashlib.blake2b(secret.encode(), digest_size=32, person=b"workroom servers").digest()

    @property
    def channel(self) -> str:
        """The name of the channel on Redis: installations that share a Redis have different ones."""
        return f"workroom:{hashlib.blake2b(self._key, digest_size=12, person=b'workroom channel').hexdigest()}"

    def encode(self, batch: Batch) -> str:
        body = orjson.dumps(tuple(batch))
        return self._sign(body) + body.decode()

    def decode(self, text: str) -> Batch | None:
        """The batch; None if the signature is wrong."""
        signature, body = text[:_SIGNATURE_DIGITS], text[_SIGNATURE_DIGITS:].encode()
        if not hmac.compare_digest(signature.encode(), self._sign(body).encode()):
            return None
        sender, number, messages = orjson.loads(body)
        return Batch(sender, number, [(kind, content) for kind, content in messages])

    def _sign(self, body: bytes) -> str:
        return hashlib.blake2b(body, digest_size=_SIGNATURE_DIGITS // 2, key=self._key).hexdigest()


def split(sender: str, number: int, text: str) -> list[str]:
    """A text in parts that fit into notifications."""
    starts = range(0, len(text), _PART_CHARACTERS)
    return [
        f"{sender} {number} {index} {len(starts)} {text[start : start + _PART_CHARACTERS]}"
        for index, start in enumerate(starts)
    ]


class PartJoiner:
    """Joins the parts again. A sender's parts arrive in their order, those of several senders mixed."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[int, list[str]]] = {}  # by sender: number of the batch, its parts so far

    def add(self, payload: str) -> Iterator[str]:
        """The text, if this was its last part."""
        sender, number, index, count, part = payload.split(" ", 4)
        known, parts = self._parts.pop(sender, (0, []))
        if int(number) != known or int(index) != len(parts):
            parts = []
            if int(index) != 0:
                return  # the first part was lost; the gap in the numbers of the batches shows it
        parts.append(part)
        if len(parts) == int(count):
            yield "".join(parts)
        else:
            self._parts[sender] = int(number), parts
