#!/usr/bin/env python3
"""Damages a replay file in many ways: `ordeal report` must read what it gets or refuse it, with a message and exit code 2; `ordeal replay`
must show the bug or say why not. Neither may crash.

    mutate.py ORDEAL FILE"""
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

ORDEAL, ORIGINAL = sys.argv[1], pathlib.Path(sys.argv[2]).read_bytes()
FORMATS = ["--sarif", "--junit", "--dot"]


def damaged(rng):
    text = bytearray(ORIGINAL)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        way = rng.randrange(5)
        if way == 0:
            text[at] ^= 1 << rng.randrange(8)
        elif way == 1:
            text[at : at + rng.randrange(1, 8)] = rng.randbytes(rng.randrange(8))
        elif way == 2:  # a number grows, or becomes another
            digits = [i for i, c in enumerate(text) if chr(c).isdigit()]
            at = rng.choice(digits)
            text[at : at + 1] = rng.choice([b"0", b"1", b"2", b"7", b"-1", b"99", b"4294967296", b"18446744073709551615"])
        else:  # lines go, come twice or change places
            lines = bytes(text).split(b"\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            if way == 3:
                lines[i], lines[j] = lines[j], lines[i]
            else:
                lines[i:j] = lines[i : i + 1] * 2 if i > j else []
            text = bytearray(b"\n".join(lines))
        if not text:
            break
    return bytes(text)


def foreign():
    yield from (b"", b"\n", b"hello\n", b"\x7fELF\x02\x01\x01" + bytes(100), bytes(range(256)), b'{"verdict":"bug"}\n', b"ordeal-result\n")
    version = ORIGINAL.split(b"\n", 1)[0]
    yield from (version + b"0" + ORIGINAL[len(version) :], version[:-1] + b"-1" + ORIGINAL[len(version) :], ORIGINAL + ORIGINAL, ORIGINAL + b"x\n")


def run(verb, text, extra, folder, number):
    file = folder / f"{verb}{number}"
    file.write_bytes(text)
    return subprocess.run([ORDEAL, verb, file, *extra], capture_output=True, timeout=100, cwd=folder)


def complaint(verb, text, must_refuse, folder, number):
    """What is wrong, or nothing."""
    extra = [word for option in FORMATS for word in (option, f"{number}{option}")] if verb == "report" and not must_refuse else []
    done = run(verb, text, extra, folder, number)
    refused = done.returncode == 2 and done.stderr.startswith(b"ordeal: ") and b"replay" in done.stderr and not done.stdout
    if must_refuse:
        return "" if refused else f"{done.returncode} {done.stderr[:300]}"
    is_fine = refused or done.returncode in ((0,) if verb == "report" else (1, 4))
    return "" if is_fine else f"{done.returncode} {done.stderr[:300]}"


def main():
    rng = random.Random(7)
    lines = ORIGINAL.split(b"\n")
    tasks = [("report", b"\n".join(lines[:i]) + b"\n" * (i > 0), True) for i in range(len(lines) - 1)]
    tasks += [("report", text, True) for text in foreign()] + [("replay", text, True) for text in foreign()]
    tasks += [("report", damaged(rng), False) for _ in range(1200)] + [("replay", damaged(rng), False) for _ in range(100)]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(name)
        found = list(pool.map(lambda task: complaint(*task[1], folder, task[0]), enumerate(tasks)))
        read = sum(1 for file in folder.glob("*--junit"))
    for task, text in zip(tasks, found):
        if text:
            print(f"{task[0]}: {text}\n--- of\n{task[1].decode(errors='backslashreplace')}\n---")
    print(f"{len(tasks)} files, {read} of them could be read, {sum(map(bool, found))} went wrong")
    return 1 if any(found) or read < 100 else 0


sys.exit(main())
