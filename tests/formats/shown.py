#!/usr/bin/env python3
"""Runs what the manuals show: each `$ ordeal …` with output below it, on files of this repository or on those that the manual itself shows.
What is printed must be what is shown, but for times, rates and addresses; `…` stands for any lines.

    shown.py ORDEAL SOURCE-DIR MANUAL…"""
import pathlib
import re
import subprocess
import sys
import tempfile

ORDEAL, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
MANUALS = sys.argv[3:]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def plain(text):
    """Without what differs from run to run: times, and with them the width of their column. (tests/golden look at columns.)"""
    text = re.sub(r"(\d+ min )?\d[\d.,]* (µs|ms|ns|s|min)\b", "TIME", text)
    text = re.sub(r" +", " ", text)
    text = re.sub(r"[\d,]+ a second", "RATE", text)
    text = re.sub(r'"seconds":[\d.e-]+', '"seconds":TIME', text)
    return [line.rstrip() for line in text.rstrip().split("\n")]


def fits(shown, printed):
    """Whether the lines are those, `…` being any."""
    if "…" not in shown:
        return shown == printed
    pattern = "\n".join(shown).split("…")
    return re.fullmatch(".*".join(map(re.escape, pattern)), "\n".join(printed), re.S) is not None


def commands(block):
    """Pairs of a command and what it prints."""
    found = []
    for line in block.rstrip("\n").split("\n"):
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in found if lines]


def is_ours(command, folder):
    """Whether it can be run here: its files are there, and it asks for nothing."""
    words = command.replace("./ordeal", "ordeal").split()
    if words[0] != "ordeal" or "--gdb" in words:
        return False
    files = [word for word in words if re.search(r"\.(cpp|c|litmus|replay|txt|so)$", word)]
    return bool(files) and all(list(folder.glob(word)) for word in files if "html" not in word)


def run(command, folder):
    text = re.sub(r"(^|[ |])(\./)?ordeal ", rf"\1{ORDEAL} ", command)
    done = subprocess.run(["bash", "-c", text], cwd=folder, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    return done.stdout if done.stdout else done.stderr


def main():
    wrong = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("examples", "include", "tests", "benchmarks"):
            (folder / part).symlink_to(SOURCE / part)
        for manual in MANUALS:
            text = (SOURCE / manual).read_text()
            for language, block in BLOCK.findall(text):
                if language == "c" and (test := re.match(r"C (\w+)\n", block)):
                    (folder / f"{test[1]}.litmus").write_text(block)
                for command, shown in commands(block):
                    if command.startswith("cat "):
                        (folder / command[4:]).write_text(shown + "\n")
                    if not is_ours(command, folder):
                        continue
                    count += 1
                    printed = run(command, folder)
                    if not fits(plain(shown), plain(printed)):
                        wrong += 1
                        print(f"{manual}: $ {command}\n--- shown\n{shown}\n--- printed\n{printed}---")
    print(f"{count} commands, {wrong} print something else")
    return 1 if wrong or count < 15 else 0


sys.exit(main())
