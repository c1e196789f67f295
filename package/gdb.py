"""gdb on the execution of a replay file: `ordeal replay FILE --gdb` starts gdb with this script (docs/debugger.md).

The program's threads are fibers on one kernel thread. The runtime inside of the program (src/runtime/debugger.cpp) tells where they
are; an unwinder of ours then lets gdb walk the stack of any of them, without touching a register.
"""

import os
import re

import gdb
from gdb.unwinder import Unwinder

STOP = "ordeal_failing_operation"
VERSION = 1
HEAD = 7  # words before the threads
STATES = {0: "does not exist yet", 1: "has not begun", 3: "has ended"}  # runtime/thread.h; 2: it runs, or waits
RUNNING = 2
WORD = 8

# What jump_fcontext of Boost.Context leaves on a stack that it leaves: registers, and where to go on.
SAVED = {"r12": 0x08, "r13": 0x10, "r14": 0x18, "r15": 0x20, "rbx": 0x28, "rbp": 0x30, "rip": 0x38}
SIZE_OF_SAVED = 0x40

SIGNAL = "a signal"


class Failure(gdb.GdbError):
    pass


def word_at(address):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, WORD), "little")


def name_of(number):
    return "main" if number == 0 else f"thread {number}"


class Thread:
    """A thread of the program."""

    def __init__(self, number, address, table):
        self.number = number
        self.is_current = address == table["current"]
        self.state = gdb.selected_inferior().read_memory(address + table["state"], 1)[0][0]
        self.context = word_at(address + table["context"])


def read_threads():
    """All of them; none before the first execution has begun."""
    if not gdb.selected_inferior().pid:
        raise Failure("The program is not being run.")
    try:
        address = int(gdb.parse_and_eval("(unsigned long)&ordeal_debugger"))
    except gdb.error:
        return []
    version, count, current, state, context = (word_at(address + WORD * i) for i in range(5))
    if version != VERSION:
        raise Failure("The program was built by another version of Ordeal.")
    if count == 0:
        return []
    table = {"current": word_at(current), "state": state, "context": context}
    return [Thread(i, word_at(address + WORD * (HEAD + i)), table) for i in range(count)]


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class FiberUnwinder(Unwinder):
    """Of the innermost frame says that it was called by a thread that waits: gdb goes on with that one's stack."""

    def __init__(self):
        super().__init__("ordeal")
        self.enabled = True
        self.context = 0
        self.pc = self.sp = 0

    def look_at(self, context):
        self.context = 0
        gdb.invalidate_cached_frames()
        if context:
            frame = gdb.newest_frame()
            self.pc, self.sp = int(frame.read_register("rip")), int(frame.read_register("rsp"))
            self.context = context
            gdb.invalidate_cached_frames()

    def __call__(self, pending_frame):
        if not self.context:
            return None
        pc, sp = pending_frame.read_register("rip"), pending_frame.read_register("rsp")
        if int(pc) != self.pc or int(sp) != self.sp:
            return None
        # Stacks of threads are anywhere: a frame that seems to lie below all of them lets gdb go on to each.
        info = pending_frame.create_unwind_info(FrameId(gdb.Value(0).cast(sp.type), pc))
        for register, distance in SAVED.items():
            kind = pending_frame.read_register(register).type
            info.add_saved_register(register, gdb.Value(word_at(self.context + distance)).cast(kind))
        info.add_saved_register("rsp", gdb.Value(self.context + SIZE_OF_SAVED).cast(sp.type))
        return info


unwinder = FiberUnwinder()
gdb.unwinder.register_unwinder(None, unwinder, replace=True)


def is_ours(frame):
    return (gdb.solib_name(frame.pc()) or "").endswith("/libordeal.so")


def stack_frames(is_current):
    """From the innermost on. Of a thread that waits the first is not its own."""
    frame = gdb.newest_frame() if is_current else gdb.newest_frame().older()
    while frame is not None and frame.is_valid():
        yield frame
        try:
            frame = frame.older()
        except gdb.error:
            return


def called_function(frame):
    """What the call before the frame's place calls; empty: that is not known."""
    pc = frame.pc()
    code = bytes(gdb.selected_inferior().read_memory(pc - 6, 6))
    distance = int.from_bytes(code[2:], "little", signed=True)
    if code[1] == 0xE8:  # call
        target = pc + distance
    elif code[:2] == b"\xff\x15":  # call through a pointer in memory
        target = word_at(pc + distance)
    else:
        return ""
    symbol = gdb.execute(f"info symbol {target}", to_string=True).split()
    return "" if symbol[0] == "No" else symbol[0].split("@")[0]


def users_part(is_current):
    """What the program has called, and its frames."""
    called, frames, is_in_ours = "", [], False
    for frame in stack_frames(is_current):
        if frame.type() == gdb.SIGTRAMP_FRAME and not frames:
            called, is_in_ours = SIGNAL, False
        elif is_ours(frame):
            is_in_ours = not frames or is_in_ours
        elif frame.name():  # the others are behind the end of the stack
            if is_in_ours and not frames:
                called = called_function(frame) or "a library"
            frames.append(frame)
    return called, frames


def is_users(frame):
    symtab = frame.find_sal().symtab
    return symtab is not None and not symtab.fullname().startswith("/usr/")


def users_frame(frames):
    return next((frame for frame in frames if is_users(frame)), frames[0] if frames else None)


PLAIN = re.compile(r"__tsan_(?:unaligned_|volatile_)?(read|write)\w*$")
ATOMIC = re.compile(r"__(?:tsan_atomic\d+_|atomic_)(\w+?)(?:_\d+)?$")


def doing(called):
    """In words."""
    if not called:
        return "in code of the program"
    if called == SIGNAL:
        return "where a signal stopped it"
    match = PLAIN.match(called)
    if match:
        return "at a plain " + match.group(1)
    match = ATOMIC.match(called)
    if match:
        return "at an atomic " + match.group(1).replace("_", " ")
    return "in " + called


def describe(frame):
    sal = frame.find_sal()
    place = f" at {sal.symtab.filename}:{sal.line}" if sal.symtab else f" from {gdb.solib_name(frame.pc()) or 'nowhere known'}"
    return f"#{frame.level():<3} {frame.name() or hex(frame.pc())}{place}"


def print_thread(thread):
    mark = "*" if thread.is_current else " "
    if thread.state != RUNNING:
        return print_line(f"{mark} {name_of(thread.number)}: {STATES.get(thread.state, 'unknown')}")
    unwinder.look_at(0 if thread.is_current else thread.context)
    called, frames = users_part(thread.is_current)
    print_line(f"{mark} {name_of(thread.number)}: {doing(called)}")
    for frame in [frame for frame in frames if is_users(frame)] or frames:
        print_line("    " + describe(frame))


def print_line(text):
    gdb.write(text + "\n")


class OrdealCommand(gdb.Command):
    """Commands for an execution of `ordeal replay`.

ordeal threads     the program's threads, with their stacks
ordeal thread N    lets bt, up, down and print look at thread N (main is 0), until the program goes on
ordeal restart     runs the execution again from its start; breakpoints stay"""

    def __init__(self):
        super().__init__("ordeal", gdb.COMMAND_RUNNING, prefix=True)


class ThreadsCommand(gdb.Command):
    """The program's threads, with their stacks. The one that runs has a star."""

    def __init__(self):
        super().__init__("ordeal threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        threads = [thread for thread in read_threads() if thread.state != 0]
        if not threads:
            print_line("The program has not begun.")
            return
        chosen, context = gdb.selected_frame().level(), unwinder.context
        for thread in threads:
            print_thread(thread)
        unwinder.look_at(context)
        gdb.execute(f"select-frame {chosen}")


class ThreadCommand(gdb.Command):
    """Lets bt, up, down and print look at a thread of the program: ordeal thread N, main is 0.
Until the program goes on. Frame 0 is where it really stands."""

    def __init__(self):
        super().__init__("ordeal thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        threads = {thread.number: thread for thread in read_threads()}
        number = 0 if argument.strip() == "main" else int(argument) if argument.strip().isdigit() else None
        if number not in threads or threads[number].state == 0:
            raise Failure("Which thread? 'ordeal threads' lists them.")
        thread = threads[number]
        if thread.state != RUNNING:
            raise Failure(f"{name_of(number)} {STATES[thread.state]}: it has no stack.")
        unwinder.look_at(0 if thread.is_current else thread.context)
        show_users_frame(thread.is_current)


class RestartCommand(gdb.Command):
    """Runs the execution again from its start. Breakpoints stay."""

    def __init__(self):
        super().__init__("ordeal restart", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        gdb.execute("run")  # asks nothing: it is not from the terminal


def show_users_frame(is_current):
    frame = users_frame(users_part(is_current)[1])
    if frame is not None:
        frame.select()
        gdb.execute("frame")


def told_kind():
    address = int(gdb.parse_and_eval("(unsigned long)&ordeal_debugger"))
    start, length = word_at(address + 5 * WORD), word_at(address + 6 * WORD)
    return bytes(gdb.selected_inferior().read_memory(start, length)).decode()


def is_at_stop(event):
    return isinstance(event, gdb.BreakpointEvent) and any(each.location == STOP and each.number < 0 for each in event.breakpoints)


def stopped(event):
    if not is_at_stop(event):
        return
    kind, headline = recorded
    print_line("")
    if told_kind() == kind:
        print_line(headline)
    else:
        print_line(f"Another bug than that of the replay file: {told_kind()}")
    threads = read_threads()
    if any(thread.is_current for thread in threads):
        show_users_frame(True)
    else:
        print_line("No thread runs: this is at the end of the execution.")


def goes_on(event):
    unwinder.context = 0


def stop_at_bug():
    gdb.Breakpoint(STOP, internal=True).silent = True


def set_up():
    gdb.execute("set pagination off", to_string=True)
    # First writes to a page are seen by these; what is a crash goes to the breakpoint.
    for signal in ("SIGSEGV", "SIGBUS", "SIGALRM"):
        gdb.execute(f"handle {signal} nostop noprint pass", to_string=True)
    for variable in ("LINES", "COLUMNS", "ORDEAL_GDB"):
        gdb.execute(f"unset environment {variable}", to_string=True)
    gdb.execute("set environment LD_BIND_NOW 1", to_string=True)
    gdb.execute("set disable-randomization on", to_string=True)
    gdb.execute("set print thread-events off", to_string=True)  # those of the runtime are nobody's business
    gdb.execute("python stop_at_bug()", to_string=True)  # says that there is no such function yet
    for command in (OrdealCommand, ThreadsCommand, ThreadCommand, RestartCommand):
        command()
    gdb.events.stop.connect(stopped)
    gdb.events.cont.connect(goes_on)
    gdb.events.exited.connect(goes_on)


recorded = (os.environ.get("ORDEAL_GDB", "") + "\n").split("\n")[:2]
set_up()
gdb.execute("run")
