"""The comparisons (README.md): each raises Wrong if something differs, Skip if there is nothing to compare."""
import emit
import hangs
import litmus
from builds import Skip, Wrong


def outcome_lines(program, outcomes):
    return [f"  {emit.describe(program, outcome)}" for outcome in sorted(outcomes)[:6]] + (["  …"] if len(outcomes) > 6 else [])


def compare_outcomes(program, what, left, right, left_name, right_name, equal=True):
    """Outcomes and errors of `right` are those of `left`; if not `equal`, they are among them."""
    problems, details = [], [f"{left_name}: {left}", f"{right_name}: {right}"]
    for missing, name in ((right.outcomes - left.outcomes, left_name), (left.outcomes - right.outcomes if equal else set(), right_name)):
        if missing:
            problems.append(f"outcomes missing in {name}")
            details += [f"{len(missing)} outcomes missing in {name}:"] + outcome_lines(program, missing)
    for missing, name in ((right.errors - left.errors, left_name), (left.errors - right.errors if equal else set(), right_name)):
        if missing:
            problems.append(f"{' '.join(sorted({kind for kind, _ in missing}))} missing in {name}")
            details.append(f"bugs missing in {name}: " + ", ".join(" ".join(key) for key in sorted(missing)))
    if problems:
        raise Wrong(f"{what}: {'; '.join(problems)}", details)


def compare_reduction(build, number, program, counts):
    bound = ["--loop-bound", str(program.bound)]
    full = build.check(number, "--no-reduction", *bound)
    if full.is_limited():
        raise Skip("limit")
    reduced = build.check(number, *bound, limit=4 * build.options.executions)
    if reduced.is_limited():
        if not any("--executions" in bound for bound in reduced.bounds):
            raise Skip("limit")
        raise Wrong("reduction: the reduced search is the larger one", [f"reduced: {reduced}", f"full: {full}"])
    if reduced.has_race() and full.has_race():  # an execution ends at its race: what comes after it depends on which executions are cut before it
        reduced.outcomes = full.outcomes = set()
        reduced.errors, full.errors = reduced.races(), full.races()
    compare_outcomes(program, "reduction", reduced, full, "reduced", "full")
    compare_hangs(build, number, program, reduced, full, counts)
    if reduced.verdict == "verified":
        compare_verified(build, number, program, reduced)
    compare_unbounded(build, number, program, reduced, full, counts)
    compare_eager_races(build, number, program, reduced, full, counts)
    counts["races"] += full.has_race()
    counts["hangs"] += len(reduced.waits)
    counts["classes, full"] += full.executions + full.blocked
    counts["classes, reduced"] += reduced.executions + reduced.blocked


def compare_eager(build, number, free, counts):
    """Dead ends by what was seen (ADR 38) begin at once: the complete executions are the same."""
    eager = build.check(number, "--eager", limit=4 * build.options.executions)
    if (eager.verdict, eager.executions) != (free.verdict, free.executions):
        raise Wrong("eager: other complete executions", [f"eager: {eager}", f"otherwise: {free}"])
    counts["eager: fewer blocked"] += eager.blocked < free.blocked


def compare_eager_races(build, number, program, reduced, full, counts):
    """What begins at once must lose no race, either. Only where main takes part: other programs with races are too many for what they could show."""
    if program.main is None or not full.has_race() or reduced.is_cut():
        return
    try:
        eager = build.check(number, "--eager", limit=4 * build.options.executions)
    except Skip as skip:
        counts[f"eager: skipped ({skip})"] += 1
        return
    if eager.is_limited():
        return
    if reduced.races() - eager.races():
        raise Wrong("eager: data-race missing", [f"eager: {eager}", f"reduced: {reduced}", ", ".join(" ".join(key) for key in sorted(reduced.races() - eager.races()))])
    counts["eager: races compared"] += 1


def compare_unbounded(build, number, program, reduced, full, counts):
    """Without a bound other things are learnt of waiting loops. What ends within the bound must be found there, too. Not for programs that the bound has cut: they may never end."""
    if full.has_race() or reduced.verdict != "verified":
        return
    free = build.check(number, limit=4 * build.options.executions)
    if free.verdict != "verified":
        return
    compare_eager(build, number, free, counts)
    counts["unbounded: compared"] += 1
    compare_outcomes(program, "unbounded", free, full, "unbounded", "full", equal=False)


def compare_verified(build, number, program, reduced):
    """What is verified, `test` must not refute."""
    if build.options.model != "cpp20" or "test" not in build.options.comparisons:
        return
    sampled = sample(build, number)
    if sampled.bugs:
        raise Wrong("test: a bug of a verified program", [", ".join(" ".join(bug) for bug in sampled.bugs)])
    compare_outcomes(program, "test", reduced, sampled, "check", "test", equal=False)


def sample(build, number):
    return build.run("test", ["--executions", str(build.options.samples), "--max-events", "500"], number)


def compare_hangs(build, number, program, reduced, full, counts):
    details = [f"reduced: {reduced}", f"full: {full}"]
    if reduced.hangs - full.hangs and not full.is_cut():
        raise Wrong("reduction: a hang that the full search does not cut", details)
    if not reduced.has_race() and not full.has_race():  # an execution ends at its race
        no_cycle = [hang for hang in reduced.waits if not hang.is_cut_in_one_of(full.cut)]
        if no_cycle:  # its first turns may have been different ones
            more = build.check(number, "--no-reduction", "--loop-bound", str(program.bound + 2), limit=10 * build.options.executions)
            no_cycle = [] if more.is_limited() else [hang for hang in no_cycle if not hang.is_cut_in_one_of(more.cut)]
        if no_cycle:
            raise Wrong("reduction: a hang that is no cycle", details + [no_cycle[0].message])
        changing = [execution for execution in full.cut if hangs.is_cut_while_it_changes_memory(execution, program.in_memory)]
        counts["cut while they change memory"] += bool(changing)
        if changing and not reduced.is_cut():
            raise Wrong("reduction: turns that change memory are cut in full only", details + [str(changing[0])])
    if full.hangs - reduced.hangs:
        raise Wrong("reduction: a hang missing in reduced", details)
    if full.verdict == "verified" and reduced.verdict == "bug":
        raise Wrong("reduction: a bug of a verified program", details)


def compare_unrolled(build, number, program, counts):
    if program.changes_counters():
        raise Skip("changed counter")
    counted = program.is_counted()
    bound = [] if counted else ["--loop-bound", str(2 * program.visits(build.options.unroll))]
    written_out = build.check(number + len(build.programs))
    if written_out.is_limited():
        raise Skip("limit")
    loops = build.check(number, *bound, limit=4 * build.options.executions)
    if loops.is_limited():
        raise Skip("limit")
    if loops.has_race() or written_out.has_race():
        if build.options.level != "O0":
            raise Skip("races")  # of plain accesses, which the compiler may have left out
        loops.outcomes = written_out.outcomes = set()
    compare_outcomes(program, "unrolled", loops, written_out, "loops", "written out", equal=counted)
    counts["counted" if counted else "not counted"] += 1


class LitmusResult:
    """As Result."""

    def __init__(self, report, program):
        self.report = report
        self.bounds = report["bounds"]
        self.outcomes = {litmus.outcome(program, state) for state in report["states"]}
        self.errors = set()

    def __str__(self):
        return f"{self.report['executions']} executions, {self.report['blocked']} blocked, {len(self.outcomes)} outcomes" + (f", bounds: {', '.join(self.bounds)}" if self.bounds else "")


def compare_litmus(build, number, program, counts):
    try:
        text = litmus.Writer(program).test(f"program{number}")
    except litmus.Unsuitable:
        raise Skip("not a litmus test") from None
    turns = litmus.turns(program, build.options.unroll)
    file = build.directory / f"{build.name}.{number}.litmus"
    file.write_text(text)
    report, _, _ = build.ask(["litmus", "--json", "--model", build.options.model, "--loop-bound", str(turns), "--executions", str(build.options.executions), str(file)])
    file.unlink()
    interpreted = LitmusResult(report, program)
    if any("--executions" in bound for bound in interpreted.bounds):
        raise Skip("limit")
    counted = program.is_counted()
    checked = build.check(number, *([] if counted else ["--loop-bound", str(2 * program.visits(turns))]), limit=4 * build.options.executions)
    if checked.is_limited():
        raise Skip("limit")
    has_race = checked.has_race()
    if interpreted.report["racy"] and not has_race and build.options.level == "O0":
        raise Wrong("litmus: data-race missing in check", [f"check: {checked}", f"litmus: {interpreted}"])
    if has_race and not interpreted.report["racy"] and counted:
        raise Wrong("litmus: data-race missing in litmus", [f"check: {checked}", f"litmus: {interpreted}"])
    if has_race or interpreted.report["racy"]:
        raise Skip("races")
    checked.errors = set()
    compare_outcomes(program, "litmus", checked, interpreted, "check", "litmus", equal=counted)


def compare_test(build, number, program, counts):
    counted = program.is_counted()
    checked = build.check(number, *([] if counted else ["--loop-bound", str(2 * program.visits(3))]))
    if checked.is_limited():
        raise Skip("limit")
    sampled = sample(build, number)
    if checked.has_race():
        raise Skip("races")
    if checked.errors:  # an execution ends at its bug: a race after it may not be reached in any
        sampled.errors = {key for key in sampled.errors if key[0] != "data-race"}
    if not counted:
        sampled.outcomes = set()
        if any("loop-bound" in bound for bound in checked.bounds):
            sampled.errors = {key for key in sampled.errors if key[0] == "data-race"}
    compare_outcomes(program, "test", checked, sampled, "check", "test", equal=False)


COMPARISONS = {"reduction": compare_reduction, "unrolled": compare_unrolled, "litmus": compare_litmus, "test": compare_test}
