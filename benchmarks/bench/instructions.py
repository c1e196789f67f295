"""`--instructions`: how many instructions a search takes. Unlike time it is the same in every run, so it shows a change of a percent.

Litmus programs run under callgrind, which counts inside the search only. Of compiled programs callgrind counts the whole process,
start-up included, if it can run them: valgrind 3.19 refuses a mapping of 64 GB without an address, which the runtime makes for the
states of its heap. Where it cannot, `perf stat` counts the command, if the machine has counters (virtual machines often have
none). If neither can, there is no count, and one line says so.
"""
import json
import os
import re
import shutil
import sys

from . import measure

LONGEST = 2.0  # seconds of a search that is counted: callgrind takes fifty times as long
LIMIT = 600


class Instructions:
    def __init__(self, folder):
        self.folder = folder
        self.ways = [way for tool, way in (("valgrind", self.native_callgrind), ("perf", self.native_perf)) if shutil.which(tool)]
        self.has_worked, self.said = False, set()

    def say(self, text):
        if text not in self.said:
            print(f"bench: {text}", file=sys.stderr)
        self.said.add(text)

    def litmus(self, program, row, options):
        if row["seconds"] > LONGEST:
            return None
        if not shutil.which("valgrind"):
            return self.say("no instruction counts: valgrind is not installed")
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=ordeal_bench_search", f"--callgrind-out-file={os.devnull}"]
        _, _, complaints = measure.run(command + measure.litmus_command(program, options), LIMIT)
        collected = re.search(r"Collected : (\d+)", complaints)
        return int(collected[1]) if collected else None

    def native(self, executable, row):
        """The first way that gives the same result as without it is taken from then on. What ends with a bug ends early: no figure."""
        if row["seconds"] > LONGEST or row["verdict"] == "bug":
            return None
        while self.ways:
            count = self.ways[0](executable, row)
            self.has_worked = self.has_worked or count is not None
            if self.has_worked:
                return count
            self.ways.pop(0)
        return self.say("no instruction counts of compiled programs: callgrind cannot run them, and perf finds no counters here")

    def check(self, command, executable, row):
        """Whether `ordeal check` under `command` finds what it found before."""
        _, output, _ = measure.run([*command, os.environ["ORDEAL"], "check", "--json", str(executable)], LIMIT, cwd=self.folder)
        try:
            result = json.loads(output)
        except ValueError:
            return False
        return (result["verdict"], result["executions"], result["blocked"]) == (row["verdict"], row["classes"], row["blocked"])

    def native_callgrind(self, executable, row):
        # Without randomised addresses the program does not start itself anew, which valgrind could not follow.
        out = f"{executable}.callgrind"
        command = ["setarch", "-R", "valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={out}.%p"]
        if not self.check(command, executable, row):
            return None
        for file in self.folder.glob(f"{executable.name}.callgrind.*"):
            text = file.read_text(errors="replace")
            if re.search(rf"^cmd: +{re.escape(str(executable))}", text, re.M) and (total := re.search(r"^(?:summary|totals): (\d+)", text, re.M)):
                return int(total[1])
        return None

    def native_perf(self, executable, row):
        out = self.folder / f"{executable.name}.perf"
        if not self.check(["perf", "stat", "-x", ",", "-e", "instructions:u", "-o", str(out)], executable, row):
            return None
        counted = re.search(r"^(\d+),", out.read_text(), re.M)
        return int(counted[1]) if counted else None
