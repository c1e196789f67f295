"""The command ./bench: what was asked for is measured, program by program; a program that fails does not stop the rest."""
import pathlib
import sys
import tempfile

from . import check, compare, loops, measure, testing
from .command_line import parse
from .instructions import Instructions
from .programs import SUITES, UsageError, select
from .table import Table, json_text


def measured(program, folder, options, instructions):
    """The row of a program, whatever happens to it."""
    try:
        if program.suite == "litmus":
            row = measure.litmus(program, options)
            count = instructions and instructions.litmus(program, row, options)
        else:
            row, executable = measure.native(program, folder, options)
            count = instructions and instructions.native(executable, row)
        return {**row, "instructions": count} if count else row
    except measure.Failure as failure:
        return measure.failed_row(program, failure)


def measure_all(programs, table, options):
    """The rows, and whether Ctrl-C came before the last."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="ordeal-bench-") as name:
        folder = pathlib.Path(name)
        instructions = Instructions(folder) if options.instructions else None
        try:
            for program in programs:
                rows.append(measured(program, folder, options, instructions))
                table.add(rows[-1])
        except KeyboardInterrupt:
            return rows, True
    return rows, False


def run(options):
    suites = SUITES if options.command == "all" else (options.command,)
    programs = [program for suite in suites for program in select(suite, options.names)]
    if not programs:
        raise UsageError(f"there are no programs in {', '.join(suites)} yet")
    table = Table(sys.stderr if options.json else sys.stdout, programs, options.instructions)
    rows, interrupted = measure_all(programs, table, options)
    table.end()
    if options.json:
        print(json_text(rows))
    failed = [row["name"] for row in rows if "error" in row]
    if failed:
        print(f"bench: not measured: {', '.join(failed)}", file=sys.stderr)
    if interrupted:
        print(f"bench: interrupted; {len(rows)} of {len(programs)} programs were measured", file=sys.stderr)
        return 130
    return 1 if failed else 0


def main(arguments):
    options = parse(arguments)
    if options.command == "test":
        options.stream = sys.stderr if options.json else sys.stdout
        return testing.main(options)
    if options.command == "loops":
        return loops.main(options)
    if options.command == "compare":
        return compare.main(options.old, options.new)
    return check.main(options) if options.command == "check" else run(options)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UsageError as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(2)
    except measure.Failure as failure:  # of ./bench check and test, which have no rows that failed
        print(f"bench: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
