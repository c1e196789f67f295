"""`./bench compare OLD.json NEW.json`: what changed between two outputs of --json. Programs are matched by suite and name.

A ratio above 1 means that the new one is slower. The slowest come first. A ratio says little where the runs of both
overlap (~). A verdict or a number of classes that differs is no matter of speed: it is marked, and the exit code is 1.
"""
import json
import math

from .programs import UsageError
from .table import NONE, grouped


def read(file):
    """(suite, name) → row."""
    try:
        with open(file, encoding="utf-8") as stream:
            rows = json.load(stream)
        return {(row.get("suite", ""), row["name"]): row for row in rows}
    except OSError as error:
        raise UsageError(f"cannot read '{file}': {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UsageError(f"'{file}' is no output of ./bench --json") from None


def ratio(old, new, key):
    return new[key] / old[key] if old.get(key) and new.get(key) else None


def overlap(old, new):
    """Whether the slowest run of each is slower than the fastest of the other, per class."""
    slowest = [row["us_per_class"] * (1 + (row.get("spread") or 0)) for row in (old, new)]
    return old["us_per_class"] <= slowest[1] and new["us_per_class"] <= slowest[0]


def differences(old, new):
    """What should be the same and is not; blocked executions are the search's own affair."""
    changed = [f"{what}: {old.get(what)} → {new.get(what)}" for what in ("verdict",) if old.get(what) != new.get(what)]
    if old.get("classes") != new.get("classes"):
        changed.append(f"classes: {grouped(old.get('classes'))} → {grouped(new.get('classes'))}")
    return changed


def times(value):
    return NONE if value is None else f"{value:.3f}"


def microseconds(row):
    return NONE if row.get("us_per_class") is None else f"{row['us_per_class']:.2f}"


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def compare(old_rows, new_rows):
    """The lines to print, and whether a verdict or a number of classes differs."""
    both = [(key[1], old_rows[key], new_rows[key]) for key in old_rows if key in new_rows]
    both.sort(key=lambda one: -(ratio(*one[1:], "us_per_class") or math.inf))
    width = max([len(name) for name, _, _ in both] + [len("geometric mean")])
    lines = [f"{'program':<{width}}  {'old µs':>9}  {'new µs':>9}  {'ratio':>7}   {'instructions':>12}"]
    differs = False
    for name, old, new in both:
        by_time = ratio(old, new, "us_per_class")
        mark = "~" if by_time is not None and overlap(old, new) else " "
        changed = differences(old, new)
        differs = differs or bool(changed)
        blocked = [f"(blocked: {grouped(old.get('blocked'))} → {grouped(new.get('blocked'))})"] if old.get("blocked") != new.get("blocked") else []
        notes = "".join(f"  {note}" for note in [*(f"DIFFERS {change}" for change in changed), *blocked])
        lines.append(f"{name:<{width}}  {microseconds(old):>9}  {microseconds(new):>9}  {times(by_time):>7} {mark} "
                     f"{times(ratio(old, new, 'instructions')):>12}{notes}".rstrip())
    means = [mean([value for _, old, new in both if (value := ratio(old, new, key)) is not None]) for key in ("us_per_class", "instructions")]
    lines.append(f"{'geometric mean':<{width}}  {'':>9}  {'':>9}  {times(means[0]):>7}   {times(means[1]):>12}")
    for title, ours, theirs in (("OLD", old_rows, new_rows), ("NEW", new_rows, old_rows)):
        alone = [key[1] for key in ours if key not in theirs]
        if alone:
            lines.append(f"only in {title}: {', '.join(alone)}")
    return lines, differs


def main(old_file, new_file):
    lines, differs = compare(read(old_file), read(new_file))
    print("\n".join(lines))
    return 1 if differs else 0
