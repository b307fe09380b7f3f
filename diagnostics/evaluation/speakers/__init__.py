"""Who speaks next in a group: how often the right one is chosen, and how many groups come to the end while agents fail."""

from __future__ import annotations

from typing import Any

from diagnostics.evaluation.speakers import choosing, playing


def measured() -> dict[str, Any]:
    by_others = choosing.measured(choosing.INDEPENDENT)
    chosen = choosing.document(choosing.measured()) | {
        "independent": choosing.pooled(by_others),
        "independent_held_out": choosing.pooled([each for each in by_others if each.asked.held_out]),
        "calibration": choosing.pooled(choosing.measured(choosing.CALIBRATION)),
        "symptoms": choosing.pooled(choosing.measured(choosing.SYMPTOMS)),
    }
    return {"chosen": chosen, "played": playing.document(playing.play())}


def table(found: dict[str, Any]) -> str:
    """What was measured, in lines for a terminal."""
    chosen, played = found["chosen"], found["played"]
    lines = []
    for name in ("development", "held_out", "independent", "independent_held_out", "calibration", "symptoms"):
        half, sure, unsure = chosen[name], chosen[name]["sure"], chosen[name]["unsure"]
        by_domain = ", ".join(f"{domain} {share:.0%}" for domain, share in half["domains"].items())
        mark = "ok  " if half["share"] >= chosen["target"] else "MISS"
        lines.append(f"{mark} {name.replace('_', ' '):20} {half['right']} of {half['of']} right ({half['share']:.1%}): {by_domain}")
        mark = "ok  " if not sure["of"] or sure["share"] >= chosen["target"] else "MISS"
        told = f"sure {sure['of']}, right {sure['right']}; unsure {unsure['of']}, right {unsure['right']}"
        lines.append(f"{mark} {'':20} {told}; by chance {half['by_chance']:.0f}")
    mark = "ok  " if played["share"] >= played["target"] else "MISS"
    ended = f"{played['completed']} of {played['groups']} came to the end, with {played['failures']} failures"
    lines.append(f"{mark} {'groups':20} {ended}")
    return "\n".join(lines) + "\n"
