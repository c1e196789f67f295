#!/usr/bin/env python3
"""Checks which folder includes which, in src/ and oracle/.

The arrows are those of CMakeLists.txt: `ordeal_folder(explore DEPS base model …)` is the whole list of folders that
src/explore may include, itself aside; `ordeal_oracle(HEADERS …)` the headers of src/ that oracle/ may include. Some
arrows are wrong even if CMakeLists.txt says otherwise (NEVER). Folders that live inside a tested process include
nothing but the standard library, and POSIX where they meet the system.

usage: arrows.py ROOT            prints file:line of each violation; exits with 1 if there is one
       arrows.py --self-check    makes trees with one violation each, and expects that each is found
"""

import pathlib
import re
import sys
import tempfile

NEVER = {
    "base": {"model", "engine", "trace", "explore", "parallel", "analysis", "infer", "runtime", "litmus", "symbols", "report", "tools"},
    "model": {"engine", "trace", "explore", "parallel", "analysis", "infer", "runtime", "litmus", "symbols", "report", "tools"},
    "engine": {"trace", "explore", "parallel", "analysis", "infer", "runtime", "litmus", "symbols", "report", "tools"},
    "trace": {"explore", "parallel", "analysis", "infer", "runtime", "litmus", "symbols", "report", "tools"},
    "analysis": {"explore", "parallel", "infer", "runtime", "litmus", "symbols", "report", "tools"},
    "explore": {"parallel", "runtime", "litmus", "symbols", "report", "tools"},
    "litmus": {"explore", "runtime", "symbols", "report", "tools"},
    "runtime": {"explore", "analysis", "symbols", "report", "tools"},
    "symbols": {"model", "engine", "explore", "analysis", "runtime", "litmus", "report", "tools"},
    "report": {"model", "engine", "explore", "runtime", "litmus", "symbols", "tools"},
}

STANDARD = set(
    """
    algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts condition_variable
    coroutine deque exception execution filesystem format forward_list fstream functional future initializer_list iomanip
    ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new numbers numeric
    optional ostream queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span
    sstream stack stdexcept stop_token streambuf string string_view syncstream system_error thread tuple type_traits
    typeindex typeinfo unordered_map unordered_set utility valarray variant vector version
    cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal cstdarg cstddef cstdint cstdio
    cstdlib cstring ctime cuchar cwchar cwctype
    """.split()
)
POSIX = re.compile(r"(sys|linux|asm)/[\w/]+\.h|(unistd|fcntl|pthread|signal|poll|sched|dlfcn|errno|time|link|elf)\.h")

# Folders that live inside a tested process, and what else than STANDARD they may include in angle brackets.
STANDARD_ONLY = {
    "base": POSIX,
    "model": None,
    "engine": None,
    "analysis": None,
    "explore": None,
    "trace": POSIX,
}
# The model computes: it has no I/O, no threads, no clock.
NOT_IN_MODEL = set(
    """
    chrono condition_variable cstdio ctime filesystem fstream future iostream istream mutex semaphore shared_mutex sstream
    syncstream thread
    """.split()
)

SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".c", ".inc"}
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def read_arrows(cmake):
    """The allowed folders of each folder, and the headers allowed to oracle/."""
    text = re.sub(r"#.*", "", cmake)
    folders = {}
    for call in re.finditer(r"\bordeal_(?:folder|command|inside)\(([^)]*)\)", text):
        words = call.group(1).split()
        deps, keyword = set(), None
        for word in words[1:]:
            if word in ("DEPS", "LIBS"):
                keyword = word
            elif keyword == "DEPS":
                deps.add(word)
        folders[words[0]] = deps
    call = re.search(r"\bordeal_oracle\(\s*HEADERS([^)]*)\)", text)
    return folders, set(call.group(1).split()) if call else set()


def includes_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == "<", match.group(2)


def check_angle(folder, header):
    if folder not in STANDARD_ONLY:
        return None
    if folder == "model" and header in NOT_IN_MODEL:
        return f"<{header}>: the model has no I/O, no threads and no clock"
    others = STANDARD_ONLY[folder]
    if header in STANDARD or (others and others.fullmatch(header)):
        return None
    return f"<{header}>: src/{folder} lives inside tested processes and includes only the standard library"


def check_quoted(folder, header, arrows):
    other, slash, _ = header.partition("/")
    if not slash or ".." in header.split("/"):
        return f'"{header}": includes are written from src/ on, "{folder}/…"'
    if other == folder or (other == "ordeal" and folder in ("runtime", "tools")):
        return None
    if other in arrows.get(folder, set()) and other not in NEVER.get(folder, set()):
        return None
    return f'"{header}": src/{folder} must not know src/{other}'


def check_oracle(header, headers):
    if header.startswith("oracle/") and ".." not in header.split("/") or header in headers:
        return None
    return f'"{header}": of src/, oracle/ may include only {", ".join(sorted(headers)) or "nothing"}'


def violations(root):
    arrows, oracle_headers = read_arrows((root / "CMakeLists.txt").read_text(encoding="utf-8"))
    found = []
    for folder, deps in sorted(arrows.items()):
        for other in sorted(deps & NEVER.get(folder, set())):
            found.append(f"CMakeLists.txt: DEPS of {folder} must never have {other}")
    for path in sorted([*root.glob("src/**/*"), *root.glob("oracle/**/*")]):
        if path.suffix not in SUFFIXES or not path.is_file():
            continue
        parts = path.relative_to(root).parts
        if len(parts) == 2 and parts[0] == "src":
            found.append(f"{path.relative_to(root)}:1: a file of src/ belongs into a folder")
            continue
        folder = parts[1]
        if parts[0] == "src" and folder not in arrows:
            found.append(f"{path.relative_to(root)}:1: CMakeLists.txt has no ordeal_folder({folder} …)")
            continue
        for number, is_angle, header in includes_of(path):
            if parts[0] == "oracle":
                message = check_oracle(header, oracle_headers) if not is_angle or "/" in header else None
            elif is_angle:
                message = check_angle(folder, header)
            else:
                message = check_quoted(folder, header, arrows)
            if message:
                found.append(f"{path.relative_to(root)}:{number}: {message}")
    return found


def self_check():
    cmake = """
    ordeal_folder(base)
    ordeal_folder(model DEPS base)
    ordeal_folder(engine DEPS base model)
    ordeal_folder(trace DEPS base model engine)  # not: explore
    ordeal_folder(report DEPS base trace
                  LIBS fmt::fmt)
    ordeal_oracle(HEADERS litmus/ast.h)
    """
    good = {
        "CMakeLists.txt": cmake,
        "src/base/arena.h": "#pragma once\n#include <cstddef>\n#include <sys/mman.h>\n",
        "src/model/event.h": '#include <vector>\n#include "base/arena.h"\n#include "model/event.h"\n',
        "src/report/text.cpp": '#include <fmt/format.h>\n\n#include "trace/format.h"\n',
        "oracle/oracle.cpp": '#include "oracle/oracle.h"\n#include "litmus/ast.h"\n#include <vector>\n',
    }
    # What is put into the tree, and the place where the violation must be reported.
    bad = [
        ({"src/base/arena.cpp": '\n#include "model/event.h"\n'}, "src/base/arena.cpp:2:"),
        ({"src/model/event.cpp": '#include "engine/session.h"\n'}, "src/model/event.cpp:1:"),
        ({"src/model/event.cpp": '#include "event.h"\n'}, "src/model/event.cpp:1:"),
        ({"src/model/event.cpp": '#include "base/../engine/session.h"\n'}, "src/model/event.cpp:1:"),
        ({"src/model/event.cpp": "#include <fmt/core.h>\n"}, "src/model/event.cpp:1:"),
        ({"src/model/event.cpp": "  # include <iostream>\n"}, "src/model/event.cpp:1:"),
        ({"src/engine/session.h": "#include <sys/mman.h>\n"}, "src/engine/session.h:1:"),
        ({"src/trace/deep/writer.h": "\n\n#include <boost/context/fiber.hpp>\n"}, "src/trace/deep/writer.h:3:"),
        ({"src/trace/writer.h": '#include "explore/random.h"\n'}, "src/trace/writer.h:1:"),
        ({"src/report/text.h": '#include "engine/session.h"\n'}, "src/report/text.h:1:"),
        ({"src/report/text.h": '#include "fmt/format.h"\n'}, "src/report/text.h:1:"),
        ({"src/utils/all.h": "#pragma once\n"}, "src/utils/all.h:1:"),
        ({"src/all.h": "#pragma once\n"}, "src/all.h:1:"),
        ({"oracle/oracle.cpp": '#include "litmus/parser.h"\n'}, "oracle/oracle.cpp:1:"),
        ({"oracle/oracle.cpp": '#include "model/event.h"\n'}, "oracle/oracle.cpp:1:"),
        ({"oracle/oracle.cpp": "#include <model/event.h>\n"}, "oracle/oracle.cpp:1:"),
        ({"CMakeLists.txt": cmake.replace("report DEPS", "report DEPS model")}, "CMakeLists.txt:"),
    ]
    failures = 0
    for change, expected in [({}, None), *bad]:
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for name, text in {**good, **change}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            found = violations(root)
        is_right = len(found) == 1 and found[0].startswith(expected) if expected else not found
        if not is_right:
            failures += 1
            print(f"self-check: {change}\n  expected: {expected}\n  found:    {found}")
    return failures


def main():
    if sys.argv[1:] == ["--self-check"]:
        return 1 if self_check() else 0
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1])
    found = violations(root)
    for violation in found:
        print(violation)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
