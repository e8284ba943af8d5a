"""Damage, as disks, networks and ill will do it."""

from __future__ import annotations

from random import Random

# Numbers at which the arithmetic of sizes and offsets turns over.
_EDGES = [
    number.to_bytes(width, "little", signed=number < 0)
    for width in (1, 2, 4, 8)
    for number in (0, -1, 1 << (8 * width - 2), (1 << (8 * width - 1)) - 1)
]


def damaged(contents: bytes, chance: Random) -> bytes:
    """Return contents with one to eight changes."""
    mutant = bytearray(contents)
    for _ in range(chance.choice((1, 1, 1, 2, 4, 8))):
        change = chance.choice((_byte, _bit, _edge, _cut, _moved, _doubled))
        change(mutant, chance.randrange(max(1, len(mutant))), chance)
    return bytes(mutant)


def _byte(mutant: bytearray, place: int, chance: Random) -> None:
    mutant[place : place + 1] = bytes([chance.randrange(256)])


def _bit(mutant: bytearray, place: int, chance: Random) -> None:
    if place < len(mutant):
        mutant[place] ^= 1 << chance.randrange(8)


def _edge(mutant: bytearray, place: int, chance: Random) -> None:
    edge = chance.choice(_EDGES)
    mutant[place : place + len(edge)] = edge


def _cut(mutant: bytearray, place: int, chance: Random) -> None:
    if chance.random() < 0.2:
        del mutant[place:]
    else:
        del mutant[place : place + chance.randrange(1, 9)]


def _moved(mutant: bytearray, place: int, chance: Random) -> None:
    source = chance.randrange(max(1, len(mutant)))
    length = chance.randrange(1, 33)
    mutant[place : place + length] = mutant[source : source + length]


def _doubled(mutant: bytearray, place: int, chance: Random) -> None:
    length = chance.randrange(1, 17)
    mutant[place:place] = mutant[place : place + length]
