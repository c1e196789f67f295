"""The table: a line a program, as soon as it is measured, beside what other tools need (published.json)."""
import json
import pathlib

NONE = "–"


def grouped(number):
    return NONE if number is None else f"{number:,}"


def duration(seconds):
    if seconds is None:
        return NONE
    # The limits are where the digits would round up to the next unit.
    if seconds < 999.5e-6:
        return f"{seconds * 1e6:.3g} µs"
    if seconds < 0.9995:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.1f} s"


def published():
    return json.loads(pathlib.Path(__file__).with_name("published.json").read_text())


def cdschecker_text(figures):
    """Executions, in seconds as measured again (as published)."""
    if figures is None:
        return ""
    ours, theirs = figures.get("measured_again", {}), figures.get("published", {})
    executions = grouped(ours.get("executions", theirs.get("executions")))
    return f"{executions} in {ours['seconds']:g} s ({theirs['seconds']:g})" if "seconds" in ours and "seconds" in theirs else executions


def genmc_text(figures):
    """Executions, blocked ones too, times µs each."""
    return "" if figures is None else f"{figures['executions'] + figures.get('blocked', 0):,} × {figures['us']:g} µs"


def columns(suite, with_instructions):
    """Title, width, text of a row; the name, which comes first, is as wide as need be."""
    others = published()
    shown = [
        ("threads", 7, lambda row: grouped(row["threads"])),
        ("events", 6, lambda row: grouped(row["events"])),
        ("classes", 11, lambda row: grouped(row["classes"])),
        ("blocked", 8, lambda row: grouped(row["blocked"])),
        ("time", 8, lambda row: duration(row["seconds"])),
        ("µs/class", 8, lambda row: f"{row['us_per_class']:.2f}"),
        ("spread", 6, lambda row: f"{100 * row['spread']:.0f}%"),
        ("peak MB", 7, lambda row: f"{row['peak_kb'] / 1024:.1f}"),
    ]
    if suite == "litmus":
        shown.insert(4, ("dead ends", 9, lambda row: grouped(row.get("given_up"))))
    if with_instructions:
        shown.append(("instructions", 14, lambda row: grouped(row.get("instructions"))))
    shown.append(("verdict", 8, lambda row: row["verdict"]))
    if suite == "papers":
        shown.append(("CDSChecker", 24, lambda row: cdschecker_text(others["cdschecker"].get(row["name"]))))
    if suite != "litmus":
        shown.append(("GenMC", 18, lambda row: genmc_text(others["genmc"][suite].get(row["name"]))))
    return shown


FOOTERS = {
    "CDSChecker": "CDSChecker: executions, in seconds as measured again (as published)",
    "GenMC": "GenMC: executions, blocked ones too, × time of one",
}


class Table:
    def __init__(self, stream, programs, with_instructions=False):
        self.stream, self.with_instructions = stream, with_instructions
        self.name_width = max([len(program.name) for program in programs] + [len("program")])
        self.suite, self.columns, self.footers = None, [], []

    def line(self, name, cells):
        # The verdict and what others need are words, and stand left.
        text = [name.ljust(self.name_width)]
        for (title, width, _), cell in zip(self.columns, cells):
            text.append(cell.ljust(width) if title in ("verdict", *FOOTERS) else cell.rjust(width))
        print("  ".join(text).rstrip(), file=self.stream, flush=True)

    def add(self, row):
        if row["suite"] != self.suite:
            if self.suite is not None:
                print(file=self.stream)
            self.suite = row["suite"]
            self.columns = columns(self.suite, self.with_instructions)
            self.footers += [FOOTERS[title] for title, _, _ in self.columns if title in FOOTERS and FOOTERS[title] not in self.footers]
            self.line("program", [title for title, _, _ in self.columns])
        if "error" in row:
            print(f"{row['name'].ljust(self.name_width)}  {row['verdict']}: {row['error']}", file=self.stream, flush=True)
        else:
            self.line(row["name"], [text(row) for _, _, text in self.columns])

    def end(self):
        for footer in self.footers:
            print(footer, file=self.stream)


def json_text(rows):
    """A list, an object a line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]" if rows else "[]"
