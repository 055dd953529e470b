"""The claims and what they depend on, as SVG; the colours are those of the computed verdicts."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT, _COLUMN, _ROW = 124, 24, 172, 33
_MARGIN = 6


@dataclass(frozen=True)
class Node:
    """A claim in the graph: its verdict in words, and the class that colours it."""

    slug: str
    verdict: str
    tone: str
    depends: tuple[str, ...]


def levels(nodes: Sequence[Node]) -> dict[str, int]:
    """How many claims lie below each one on the longest chain.

    >>> levels([Node("a", "", "", ()), Node("b", "", "", ("a",)), Node("c", "", "", ("a", "b"))])
    {'a': 0, 'b': 1, 'c': 2}
    """
    known = {node.slug: node for node in nodes}
    found: dict[str, int] = {}

    def level(slug: str) -> int:
        if slug not in found:
            below = [level(other) for other in known[slug].depends if other in known]
            found[slug] = 1 + max(below, default=-1)
        return found[slug]

    return {node.slug: level(node.slug) for node in nodes}


def _columns(nodes: Sequence[Node]) -> list[list[Node]]:
    """Columns by level; within one, claims stand near what they depend on."""
    level = levels(nodes)
    columns: list[list[Node]] = [[] for _ in range(1 + max(level.values()))]
    for node in nodes:
        columns[level[node.slug]].append(node)
    users: dict[str, list[str]] = {node.slug: [] for node in nodes}
    for node in nodes:
        for other in node.depends:
            users.setdefault(other, []).append(node.slug)

    def sort(column: list[Node], neighbours: Mapping[str, Sequence[str]]) -> None:
        place = {
            node.slug: (i + 0.5) / len(each) for each in columns for i, node in enumerate(each)
        }

        def key(node: Node) -> float:
            near = [place[other] for other in neighbours[node.slug] if other in place]
            return sum(near) / len(near) if near else place[node.slug]

        column.sort(key=key)

    below = {node.slug: node.depends for node in nodes}
    for _ in range(6):
        for column in columns[1:]:
            sort(column, below)
        for column in reversed(columns[:-1]):
            sort(column, users)
    return columns


def connected(nodes: Sequence[Node]) -> list[Node]:
    """The claims of the graph: each uses another one, or is used."""
    used = {other for node in nodes for other in node.depends}
    return [node for node in nodes if node.depends or node.slug in used]


def unconnected(nodes: Sequence[Node]) -> list[Node]:
    """The claims that the graph leaves out."""
    shown = connected(nodes)
    return [node for node in nodes if node not in shown]


def graph(nodes: Sequence[Node]) -> str:
    """The SVG; claims without any dependency, either way, are left out."""
    shown = connected(nodes)
    if not shown:
        return ""
    columns = _columns(shown)
    tallest = max(len(column) for column in columns)
    height = tallest * _ROW + 2 * _MARGIN
    width = (len(columns) - 1) * _COLUMN + _WIDTH + 2 * _MARGIN
    place: dict[str, tuple[float, float]] = {}
    for x, column in enumerate(columns):
        gap = (height - 2 * _MARGIN) / len(column)
        for y, node in enumerate(column):
            place[node.slug] = (_MARGIN + x * _COLUMN, _MARGIN + (y + 0.5) * gap)
    opening = (
        f'<svg class="graph" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'style="min-width:{width * 0.82:.0f}px" role="group" aria-label="Dependency graph">'
    )
    output = [opening]
    output.append('<g class="edges" aria-hidden="true">')
    for node in shown:
        x2, y2 = place[node.slug]
        for other in node.depends:
            if other in place:
                x1, y1 = place[other][0] + _WIDTH, place[other][1]
                bend = (x2 - x1) / 2
                output.append(
                    f'<path data-from="{other}" data-to="{node.slug}" d="M{x1:.0f} {y1:.1f}'
                    f"C{x1 + bend:.0f} {y1:.1f} {x2 - bend:.0f} {y2:.1f} {x2:.0f} {y2:.1f}"
                    '"/>'
                )
    output.append("</g>")
    for node in shown:
        left, middle = place[node.slug]
        label = html.escape(f"{node.slug}: {node.verdict}")
        top = middle - _HEIGHT / 2
        output.append(
            f'<a href="#{node.slug}" class="{node.tone}" data-slug="{node.slug}" '
            f'aria-label="{label}"><title>{label}</title>'
            f'<rect x="{left:.0f}" y="{top:.1f}" width="{_WIDTH}" height="{_HEIGHT}" '
            f'rx="3"/><text x="{left + _WIDTH / 2:.0f}" y="{middle + 4:.1f}">'
            f"{node.slug}</text></a>"
        )
    output.append("</svg>")
    return "".join(output)
