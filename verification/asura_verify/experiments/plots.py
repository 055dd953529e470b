"""The look of the plots: SVG that is readable on a light and on a dark ground.

Axes and text take the colour of the surrounding text (`currentColor`); series have middle tones
with a contrast of at least 3:1 against both grounds, and differ in marker and dash as well.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

#: Stands for the colour of the text; replaced in the SVG.
TEXT = "#010203"
COLOURS = ("#3f7fd0", "#d0672b", "#2f9668", "#a866c4", "#c2507a", "#7d8590")
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))

_STYLE: Any = {
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "svg.fonttype": "none",
    "svg.hashsalt": "asura",
    "font.family": "sans-serif",
    "font.size": 10.0,
    "axes.titlesize": 10.5,
    "axes.titleweight": "normal",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.edgecolor": TEXT,
    "axes.labelcolor": TEXT,
    "text.color": TEXT,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.0,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
}


@contextmanager
def style() -> Iterator[None]:
    """The look of all plots, for the time of one drawing."""
    with mpl.rc_context(_STYLE):
        yield


def axes_grid(
    rows: int, columns: int, *, width: float = 7.2, height: float = 3.6
) -> tuple[Figure, Any]:
    """A figure and its axes, as an array of `rows` by `columns`."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def plain_ticks(axes: Axes, *, x: Sequence[float] = (), y: Sequence[float] = ()) -> None:
    """Ticks of a logarithmic axis at these places, as plain numbers."""
    for axis, places in ((axes.xaxis, x), (axes.yaxis, y)):
        if places:
            axis.set_major_locator(FixedLocator(list(places)))
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axis.set_minor_locator(NullLocator())


def stacked(figure: Figure, *, width: float = 3.9, height: float = 3.1) -> Figure:
    """The same panels one above the other, for a narrow screen; letters keep their size."""
    panels = [axes for axes in figure.axes if axes.get_subplotspec() is not None]
    grid = GridSpec(len(panels), 1, figure=figure)
    for row, axes in enumerate(panels):
        axes.set_subplotspec(grid[row])
        axes.tick_params(labelleft=True)  # which panels side by side may share
    lines = 0
    for legend in [*figure.legends]:  # of all panels, in columns that a wide figure has room for
        names = [text.get_text() for text in legend.get_texts()]
        handles = [handle for handle in legend.legend_handles if handle is not None]
        legend.remove()
        with style():
            figure.legend(handles, names, loc="outside lower left", ncols=1)
        lines += len(names)
    figure.set_size_inches(width, height * len(panels) + 0.2 * lines)
    return figure


def rule(axes: Axes, value: float, label: str, *, horizontal: bool = True) -> None:
    """A thin line in the colour of the text: a bound."""
    draw = axes.axhline if horizontal else axes.axvline
    draw(value, color=TEXT, linewidth=0.9, linestyle=(0, (4, 2)), label=label)


def bound(axes: Axes, x: list[float], y: list[float], label: str, order: int = 0) -> None:
    """A bound as a line in the colour of the text."""
    axes.plot(x, y, color=TEXT, linewidth=0.9, linestyle=DASHES[1 + order], label=label)


def series(axes: Axes, points: Sequence[tuple[float, float]], order: int, **look: Any) -> None:
    """One curve, in the colour, marker and dash of its place unless `look` says otherwise."""
    own = {"color": COLOURS[order], "marker": MARKERS[order], "linestyle": DASHES[order]}
    axes.plot([x for x, _ in points], [y for _, y in points], **own | look)


def svg(figure: Figure, *, title: str, description: str, standalone: bool = True) -> str:
    """The figure as SVG with a title and a description; alone in a file, with its own colours."""
    stream = io.StringIO()
    with style():
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :].replace(TEXT, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    head, body = text.split(">", 1)
    head = re.sub(r' (width|height)="[^"]*"', "", head)
    own = (
        "<style>svg{color:#1b1b1b;background:#fff;font-family:sans-serif}"
        "@media(prefers-color-scheme:dark){svg{color:#e4e4e0;background:#15171a}}</style>"
        if standalone
        else ""
    )
    label = f"<title>{_escaped(title)}</title><desc>{_escaped(description)}</desc>"
    return f'{head} role="img">{label}{own}{body}'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
