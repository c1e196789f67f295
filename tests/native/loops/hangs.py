"""Hangs: what the reduced search calls "no progress" must be, in the full search, an execution that the bound has cut in the middle of a cycle.

Such an execution, as outcomes.c writes it down, has
  - of each thread that waits in a loop: the events of the report, and then turns, the last two of which have the same events with the same values. They
    read what may be the last values in memory, and change nothing: their stores repeat the thread's own, their read-modify-writes write back what they read. Variables that no other
    thread accesses may change: they hold the same at the end of both turns;
  - of each other thread: exactly the events of the report.
Events are atomic accesses and fences. Plain accesses are not seen.
"""
import collections
import re

Execution = collections.namedtuple("Execution", "threads ended first")  # first: 1 if main (0) only creates and joins, and its accesses say nothing


def is_mutex(event):
    return variable(event).startswith("m")


def variable(event):
    return event.lstrip("RWu").partition("=")[0]


def bare(events):
    return [event.rstrip("!") for event in events]


class Hang:
    """Of a bug of the report."""

    def __init__(self, bug):
        self.message = bug["message"]
        self.looping = {number(party["name"]) for party in bug["threads"] if "in a loop" in party["what"]}
        self.events = {}
        for event in bug["events"]:
            if event["kind"] not in ("read", "write", "fence"):
                continue
            if event["kind"] == "fence":
                text = "F"
            else:
                text = f"{event['kind'][0].upper()}{'u' if event.get('rmw') else ''}{re.match(r'[^.[]*', event['location'])[0]}={event['value']}"
            self.events.setdefault(number(event["thread"]), []).append(text)

    def is_cut_in_one_of(self, executions):
        return any(self.is_cut_in(execution) for execution in executions)

    def is_cut_in(self, execution):
        for thread, events in taking_part(execution):
            reported = self.events.get(thread, [])
            if thread not in self.looping:
                if bare(events) != reported:
                    return False
            elif bare(events)[:len(reported)] != reported or not any(waits(events, size, shared(execution, thread)) for size in periods(events)):
                return False
        return True


def number(name):
    """Of a thread: main is 0."""
    thread = re.fullmatch(r"thread (\d+)", name)
    return int(thread[1]) if thread else 0


def taking_part(execution):
    """Numbers and events of threads."""
    return list(enumerate(execution.threads))[execution.first:]


def executions(text, main_takes_part):
    """Of the file of outcomes.c: each with a list of threads, main first, each a list of events; and which of them are known to have ended."""
    found = []
    for line in text.splitlines():
        threads = [thread.split() for thread in line.split("|")]
        ended = {number for number, events in enumerate(threads) if events[-1:] == ["."]}
        found.append(Execution([events[:-1] if number in ended else events for number, events in enumerate(threads)], ended, 0 if main_takes_part else 1))
    return found


def shared(execution, thread):
    """Variables that other threads than this one access."""
    return {variable(event) for other, events in taking_part(execution) if other != thread for event in events}


def periods(events):
    """How many events a turn may have, if the last two are the same."""
    events = bare(events)
    return [size for size in range(1, len(events) // 2 + 1) if events[-size:] == events[-2 * size:-size]]


def changes_memory(events, size, seen):
    """Whether one of the last `size` events changes an atomic variable that others have seen."""
    for place in range(len(events) - size, len(events)):
        event = events[place].rstrip("!")
        if event[0] != "W" or is_mutex(event) or variable(event) not in seen:
            continue
        if event[1] == "u":
            if events[place - 1].rstrip("!")[1:] != event[1:]:
                return True
            continue
        before = next((e for e in reversed(events[:place]) if e[0] == "W" and variable(e) == variable(event)), None)
        if before is None or before.rstrip("!") != event:
            return True
    return False


def waits(events, size, seen):
    return not changes_memory(events, size, seen) and all(e.endswith("!") or is_mutex(e) or variable(e) not in seen for e in events[-size:] if e[0] == "R")


def can_go_on_alone(events, size):
    """Whether another turn like the last one needs nobody else: it reads what the thread wrote itself, or what may be the last values."""
    for place in range(len(events) - size, len(events)):
        event = events[place]
        if event[0] != "R" or event.endswith("!"):
            continue
        before = next((e for e in reversed(events[:place]) if e[0] == "W" and variable(e) == variable(event)), None)
        if not before or before.rstrip("!").partition("=")[2] != event.partition("=")[2]:
            return False
    return True


def is_answered(events, size):
    """Whether somebody has changed a variable since, which the turn reads and writes: a read-modify-write reads what was written last, so the next turn is another."""
    names = {variable(event) for event in events[-size:] if event.startswith("Wu")}
    return any(not next(event for event in reversed(events) if event[0] == "W" and variable(event) == name).endswith("!") for name in names)


def is_cut_while_it_changes_memory(execution, says_when_it_ends):
    """Whether a thread was stopped in a cycle that changes an atomic variable. Of threads that do not say whether they ended nothing is known."""
    return any(changes_memory(events, size, shared(execution, thread)) and can_go_on_alone(events, size) and not is_answered(events, size) for thread, events in taking_part(execution)
               if thread and says_when_it_ends[thread - 1] and thread not in execution.ended for size in periods(events)[:1])
