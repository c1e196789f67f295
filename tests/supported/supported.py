#!/usr/bin/env python3
"""docs/supported.md is true as far as a script can tell: it has the names that the headers have, no others; each supported name has a test x_ok and a
test x_bug that use it; each refused name is one that the runtime knows. Argument: the source tree."""
import pathlib
import re
import subprocess
import sys

import cpp_names

HEADERS = {
    "<pthread.h>": r"pthread_[a-z0-9_]+",
    "<semaphore.h>": r"sem_[a-z0-9_]+",
    "<threads.h>": r"(?:thrd|mtx|cnd|tss)_[a-z0-9_]+|call_once",
    "<stdatomic.h>": r"atomic_[a-z0-9_]+|kill_dependency",
}


def table(text):
    """(header, name, status, rest) of each row."""
    header = None
    for line in text.splitlines():
        if line.startswith("## "):
            header = line[3:].strip("`")
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| `") else []
        if cells:
            yield header, cells[0].strip("`"), cells[1], cells[2] if len(cells) > 2 else ""


def functions_of(header, pattern):
    """What the header declares or defines, with all extensions."""
    source = f"#define _GNU_SOURCE 1\n#include {header}\n"
    command = ["gcc", "-E", "-dD", "-P", "-x", "c", "-"]
    text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    macros = re.findall(rf"^#define ({pattern})\(", text, re.M)
    declared = re.findall(rf"^(?:extern )?[a-z_][\w \t*]*?\b({pattern})\s*\([^;{{]*\)[^;{{]*;", text, re.M)
    return {name for name in macros + declared if not name.endswith("_t")}


def tests_named(directory, rest):
    found = []
    for name in re.findall(r"`([\w]+)`", rest):
        files = [path for path in directory.glob(name + ".*") if path.suffix in (".c", ".cpp")]
        found.append((name, files[0].read_text() if files else None))
    return found


def uses(text, name):
    code = re.sub(r"//.*", "", text)
    return all(re.search(rf"\b{word}\b", code) for word in re.findall(r"\w+", name))


def wrong_in_row(root, header, name, status, rest, runtime):
    if status == "not applicable":
        return [] if rest else [f"{header} {name}: not applicable, but why?"]
    if status == "refused":
        in_tests = any(name in path.read_text() and "cannot-check" in path.read_text() for path in (root / "tests/native").glob("*_bug.c*"))
        known = name in runtime or in_tests or "at_thread_exit" in name or name.startswith("pthread_cleanup")
        return [] if known else [f"{header} {name}: nothing refuses it"]
    if status != "supported":
        return [f"{header} {name}: what is '{status}'?"]
    wrong = []
    tests = tests_named(root / "tests/native", rest)
    for end in ("_ok", "_bug"):
        if not any(test.endswith(end) for test, _ in tests):
            wrong.append(f"{header} {name}: no test {end}")
    for test, text in tests:
        if text is None:
            wrong.append(f"{header} {name}: there is no test {test}")
        elif not uses(text, name):
            wrong.append(f"{header} {name}: {test} does not use it")
        elif "PENDING" in text or "cannot-check" in text:
            wrong.append(f"{header} {name}: {test} shows nothing")
    return wrong


def wrong_names(rows):
    """What is in a header or in the table, but not in both."""
    in_headers, wrong = cpp_names.names()
    for header, pattern in HEADERS.items():
        in_headers[header] = functions_of(header, pattern)
    listed = {}
    for header, name, _, _ in rows:
        if name in listed.setdefault(header, []):
            wrong.append(f"{header} {name}: twice in the table")
        listed[header].append(name)
    for header, found in in_headers.items():
        of_header = {name for name in listed.get(header, []) if "<" not in name}  # atomic<shared_ptr>
        wrong += [f"{header} {name}: not in the table" for name in sorted(found - of_header)]
        wrong += [f"{header} {name}: not in the header" for name in sorted(of_header - found)]
    return wrong + [f"{header}: no such header is looked at" for header in listed.keys() - in_headers.keys()]


def main():
    root = pathlib.Path(sys.argv[1])
    rows = list(table((root / "docs/supported.md").read_text()))
    runtime = " ".join(path.read_text() for path in (root / "src/runtime").glob("*.cpp"))
    wrong = []
    for header, name, status, rest in rows:
        wrong += wrong_in_row(root, header, name, status, rest, runtime)
    wrong += wrong_names(rows)
    for line in wrong:
        print(line)
    print(f"{len(rows)} names, {len(wrong)} wrong")
    return 1 if wrong or len(rows) < 100 else 0


sys.exit(main())
