"""`ordeal batch`: one process for many command lines (src/tools/batch.cpp), which starts a program once for all its runs."""
import os
import pathlib
import queue
import select
import shlex
import shutil
import subprocess
import tempfile

ORDEAL = os.environ.get("ORDEAL", "ordeal")


def wrapper():
    return str(pathlib.Path(shutil.which(ORDEAL) or ORDEAL).absolute())  # it is run in other folders


class NoAnswer(Exception):
    """With the command line, and what was printed."""


class Process:
    def __init__(self, directory, name):
        self.name = name
        self.outcomes, self.blocked = (directory / f"{name}.{what}" for what in ("outcomes", "blocked"))
        self.errors = tempfile.TemporaryFile()
        environment = dict(os.environ, ORDEAL_LOOPS_OUTCOMES=str(self.outcomes), ORDEAL_LOOPS_BLOCKED=str(self.blocked))
        self.process = subprocess.Popen([wrapper(), "batch"], env=environment, cwd=directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)

    def run(self, words, seconds):
        """What it prints on standard output."""
        self.errors.seek(0)
        self.errors.truncate()
        text = b""
        try:
            os.write(self.process.stdin.fileno(), ("\t".join(words) + "\n").encode())
            while not text.endswith(b"\n") or not text[text.rfind(b"\n", 0, -1) + 1:].startswith(b"exit "):
                more = os.read(self.process.stdout.fileno(), 1 << 20) if select.select([self.process.stdout], [], [], seconds)[0] else None
                if not more:
                    raise NoAnswer("no end" if more is None else "no JSON", [shlex.join([ORDEAL] + words), self.complaints()])
                text += more
        except BrokenPipeError:
            raise NoAnswer("no JSON", [shlex.join([ORDEAL] + words), self.complaints()]) from None
        return text[:text.rfind(b"\n", 0, -1) + 1].decode()

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")[-1000:]

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.errors.close()


class Commands:
    """Processes, one for each job that needs one at a time."""

    def __init__(self, directory, name):
        self.directory, self.name = directory, name
        self.idle, self.made = queue.SimpleQueue(), 0

    def take(self):
        try:
            return self.idle.get_nowait()
        except queue.Empty:
            self.made += 1
            return Process(self.directory, f"{self.name}.{self.made}")

    def give_back(self, process):
        self.idle.put(process)

    def drop(self, process):
        """After no answer: another one is started in its place."""
        process.process.kill()
        process.end()

    def end(self):
        while not self.idle.empty():
            self.idle.get().end()
