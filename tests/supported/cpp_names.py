"""The names that the C++ headers about threads really have: read from Clang's syntax tree of libstdc++'s own headers."""
import re
import subprocess

# Of each header: its classes (with the bases that libstdc++ hides their members in), and what else stands in its synopsis: functions, enumerations, constants.
CLASSES = {
    "<thread>": ["thread", "jthread"],
    "<mutex>": ["mutex", "recursive_mutex", "timed_mutex", "recursive_timed_mutex", "lock_guard", "scoped_lock", "unique_lock", "once_flag"],
    "<shared_mutex>": ["shared_mutex", "shared_timed_mutex", "shared_lock"],
    "<condition_variable>": ["condition_variable", "condition_variable_any"],
    "<future>": ["promise", "future", "shared_future", "__basic_future", "packaged_task", "future_error"],
    "<semaphore>": ["counting_semaphore"],
    "<latch>": ["latch"],
    "<barrier>": ["barrier"],
    "<stop_token>": ["stop_token", "stop_source", "stop_callback"],
    "<atomic>": ["atomic", "__atomic_base", "__atomic_float", "atomic_ref", "__atomic_ref", "atomic_flag"],
}
OTHERS = {
    "<thread>": "yield|sleep_for|sleep_until",
    "<mutex>": "lock|try_lock|call_once|defer_lock|try_to_lock|adopt_lock",
    "<condition_variable>": "cv_status|notify_all_at_thread_exit",
    "<future>": "async|launch|future_status|future_errc",
    "<semaphore>": "binary_semaphore",
    "<stop_token>": "nostopstate",
    "<atomic>": r"atomic_(?!u?int|[us]?char|u?short|u?long|u?llong|wchar|bool|size_t|ptrdiff_t|signed_lock|unsigned_lock|flag$|ref$|uintptr_t)\w+|kill_dependency|memory_order",
}
MEMBERLESS = {"once_flag", "lock_guard", "scoped_lock", "stop_callback", "atomic_ref"}  # of their own: constructors at most
# Members that say nothing about threads.
LEFT_OUT = {"what", "code", "mutex", "max"}

DECLARATION = re.compile(r"^([| `]*)-(\w+Decl) 0x\w+ (?:parent 0x\w+ )?(?:prev 0x\w+ )?<.*?> (.*)$")
MEMBERS = {"CXXMethodDecl", "FunctionTemplateDecl", "VarDecl"}


def syntax_tree():
    source = "".join(f"#include {header}\n" for header in CLASSES)
    command = ["clang++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-Xclang", "-ast-dump", "-"]
    text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        if len(line) - len(line.lstrip("| `-")) > 14:
            continue
        if found := DECLARATION.match(line):
            yield len(found[1]) // 2, found[2], found[3]


def name_of(kind, rest):
    """Of a declaration, from what stands behind its place."""
    rest = re.sub(r" (definition|inline|static|constexpr|noexcept|cinit|callinit|listinit|inline nested)\b.*", "", rest.split(" '")[0])
    words = rest.split()
    return words[-1] if words and re.fullmatch(r"\w+", words[-1]) else ""


class Reader:
    """Walks through the tree, with what it stands in."""

    def __init__(self):
        self.members = {}  # of a class: public functions and constants
        self.of_namespace = set()
        self.inside = []   # (depth, kind, name)
        self.is_public = {}

    def read(self, depth, kind, rest):
        while self.inside and self.inside[-1][0] >= depth:
            self.inside.pop()
        around = self.inside[-1] if self.inside else (0, "", "")
        name = name_of(kind, rest)
        if kind == "AccessSpecDecl":
            self.is_public[around[0]] = rest.endswith("public")
        elif kind == "NamespaceDecl":
            self.inside.append((depth, "namespace", rest.split()[-1] if rest.split() else ""))
        elif kind in ("CXXRecordDecl", "ClassTemplateDecl", "ClassTemplateSpecializationDecl", "ClassTemplatePartialSpecializationDecl"):
            self.enter_class(depth, kind, rest, around)
        elif around[1] == "class" and kind in MEMBERS and self.is_public.get(around[0]) and name and not name.startswith("_"):
            self.members.setdefault(around[2], set()).add(name)
        elif around[1] == "namespace" and name:
            self.of_namespace.add(name)

    def enter_class(self, depth, kind, rest, around):
        words = [word for word in rest.split() if word not in ("definition", "referenced", "implicit", "invalid")]
        name = words[-1] if words else ""
        if around[1] == "namespace":
            self.of_namespace.add(name)
        self.inside.append((depth, "template" if kind == "ClassTemplateDecl" else "class", name))
        self.is_public[depth] = "struct" in rest.split()


def names():
    """(header → the names of its table, what is wrong with the lists above)."""
    reader = Reader()
    for depth, kind, rest in syntax_tree():
        reader.read(depth, kind, rest)
    found, wrong = {}, []
    for header, classes in CLASSES.items():
        of_header = {name for name in reader.of_namespace if re.fullmatch(OTHERS.get(header, ""), name) and not name.endswith("_t")}
        for name in classes:
            if name not in reader.of_namespace or not (reader.members.get(name) or name in MEMBERLESS):
                wrong.append(f"{header} {name}: no such class was found, or no member of it")
            members = {member for member in reader.members.get(name, set()) if member != name} - LEFT_OUT
            of_header |= members | ({name} if not name.startswith("_") else set())
        found[header] = of_header
    return found, wrong


if __name__ == "__main__":
    all_found, all_wrong = names()
    for at, of in all_found.items():
        print(at, *sorted(of))
    print(*all_wrong, sep="\n")
