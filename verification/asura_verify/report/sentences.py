"""What check and conform say about a trace, in sentences for people."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from asura_verify.oracle.judgement import Judgement, Ruling, Violation
from asura_verify.oracle.picks.distribution import UNNAMED, DistributionReport
from asura_verify.report.text import on_one_line

ADVICE = "give uniforms in the header: then each pick is decided at once"


def _gap(violation: Violation) -> str:
    gap = violation.gap
    if gap is None or not math.isfinite(gap):
        return "no allowance applies"
    return f"{gap:.3g} times the allowance of {violation.allowance:.2g}"


def place(violation: Violation) -> str:
    """Where a value stands in its trace."""
    where = f"line {violation.line}"
    return where if violation.j is None else f"{where}, j = {violation.j}"


def claim_words(slug: str) -> str:
    """The claim with its title and note; the registry is large, and read only when needed."""
    from asura_verify.claims import BY_SLUG  # noqa: PLC0415
    from asura_verify.report.mathematics import as_text  # noqa: PLC0415

    claim = BY_SLUG.get(slug)
    return slug if claim is None else f"{slug}: {as_text(claim.title)} ({claim.note})"


def headline(judgement: Judgement) -> str:
    """One line per file."""
    name = on_one_line(judgement.name)
    if judgement.ruling is Ruling.MALFORMED:
        known = " (known to fail)" if judgement.accepted else ""
        return f"{name}: malformed{known}: {judgement.fault}"
    values = sum(judgement.checked.values())
    undecided = sum(judgement.undecided.values())
    known = " (known to fail)" if judgement.accepted else ""
    text = f"{name}: {judgement.ruling}{known}, m = {judgement.length}"
    text += f", {values} values judged"
    if judgement.ruling is Ruling.UNDECIDED:
        text += f", {decided_line(judgement)}"
    elif undecided:
        text += f", {undecided} undecided"
    if judgement.violations:
        text += f", {judgement.violations} wrong"
    elif judgement.worst:
        text += f", largest error {judgement.worst:.2g} of its allowance"
    return text


def picks_line(report: DistributionReport) -> str:
    """What the picks of an implementation show; traces without a name are taken for one's."""
    if report.implementation != UNNAMED or report.traces == 1:
        return report.sentence
    return f"{report.sentence}; traces that name no implementation are taken for those of one"


def decided_line(judgement: Judgement) -> str:
    """The share of values at which a gross mistake would have been seen."""
    return f"{100 * judgement.decided:.0f} % of the values decided"


def local_line(judgement: Judgement) -> str:
    """How many steps follow from the reported state, and the first that does not."""
    local = judgement.local
    if local is None:
        return ""
    text = f"{local.followed} of {local.judged} steps follow from the reported state"
    if local.first is not None:
        text += f", not {local.first.field} at line {local.first.line}"
    return text


def claims_line(judgement: Judgement) -> str:
    """How many claims of the registry hold on the trace, and which one fails first."""
    counts = Counter(view.verdict for view in judgement.claims.values())
    failed = judgement.failed
    parts = [f"{counts['holds']} hold{'s' if counts['holds'] == 1 else ''}"]
    if counts["undecided"]:
        parts.append(f"{counts['undecided']} undecided")
    if failed:
        (slug,) = _first_failing(judgement)
        view = failed[slug]
        more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
        verb = "fails" if len(failed) == 1 else "fail"
        parts.append(f"{len(failed)} {verb}: {slug} at line {view.line}{more}")
    return ", ".join(parts)


def _first_failing(judgement: Judgement) -> list[str]:
    """The claim that was judged on this trace and fails first, if one does."""
    failed = sorted(judgement.failed.items(), key=lambda item: item[1].line or 0)
    return [slug for slug, _ in failed[:1]]


def details(judgement: Judgement) -> list[str]:
    """What a person needs to repair a violation, or to know what was not judged."""
    lines = []
    first = judgement.first
    if judgement.meaning is not None:
        lines.append(f"means:    {judgement.meaning}")
    if judgement.slugs:
        lines.append(f"rests on: {', '.join(judgement.slugs)}")
    if first is not None:
        lines += [
            f"first violation: {place(first)}, field {first.field}: {first.message}",
            f"reported: {first.reported}",
            f"required: {first.lower} to {first.upper}",
            f"gap:      {_gap(first)}",
        ]
        lines += [f"claim:    {claim_words(slug)}" for slug in _first_failing(judgement)]
        lines += _views(judgement)
        if judgement.diagnosis:
            for diagnosis in judgement.diagnosis[:4]:
                extent = "" if diagnosis.complete else f" (up to line {diagnosis.lines})"
                lines.append(f"diagnosis: {diagnosis.mistake}{extent}: {diagnosis.explanation}")
        elif not judgement.by_picks:
            lines.append("diagnosis: no single known mistake reproduces these values")
        lines.append(f"again:    {judgement.command}")
    lines += [f"remark:   {remark}" for remark in judgement.remarks]
    if judgement.coverage:
        lines.append(f"not judged, absent: {', '.join(judgement.coverage)}")
    return lines


def _views(judgement: Judgement) -> list[str]:
    """The local view and the claims; a claim that fails with its two sides."""
    lines = [f"local:    {local_line(judgement)}"] if judgement.local is not None else []
    if judgement.claims:
        lines.append(f"claims:   {claims_line(judgement)}")
    lines += [f"  {slug}: {view.detail}" for slug, view in list(judgement.failed.items())[:3]]
    return lines


def _plain(judgement: Judgement) -> list[str]:
    """The rest of the one line of a trace that conforms."""
    parts = [] if judgement.local is None else [local_line(judgement)]
    if judgement.claims:
        parts.append(f"claims: {claims_line(judgement)}")
    parts += [f"remark: {remark}" for remark in judgement.remarks]
    if judgement.coverage:
        parts.append(f"not judged, absent: {', '.join(judgement.coverage)}")
    return parts


def pretty(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """For people."""
    lines = [
        "; ".join([headline(judgement), *(line.strip() for line in _plain(judgement))])
        if judgement.ruling is Ruling.CONFORMS
        else "\n  ".join([headline(judgement), *details(judgement)])
        for judgement in judgements
    ]
    lines += [
        "\n  ".join([f"distribution: {picks_line(report)}", *_power(report)]) for report in picks
    ]
    return "\n".join(lines)


def _power(report: DistributionReport) -> list[str]:
    """What this many draws can and cannot see, in 80 columns."""
    if report.biased:
        return []
    lines = []
    needs = [need for need in report.needs if need.necessary is not None]
    if needs:
        lines.append(f"{'draws that a bias takes on such data':40} necessary   expected")
        ordered = sorted(needs, key=lambda need: need.expected or math.inf)
        lines += [
            f"  {need.bias:38} {count_words(need.necessary):>9}  {count_words(need.expected):>9}"
            f"{'  hopeless' if need.hopeless else ''}"
            for need in ordered
        ]
    return [*lines, ADVICE]


def count_words(draws: int | None) -> str:
    """A number of draws."""
    if draws is None:
        return "-"
    return str(draws) if draws < 10**9 else f"{draws:.0e}"
