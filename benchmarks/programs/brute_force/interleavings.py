#!/usr/bin/env python3
"""Runs all interleavings of ms-queue on a memory of plain values and counts the classes among them: what each read read.

    interleavings.py          178 classes, and as many under CDSChecker's fairness (-y), which is that of CHESS
                              (Musuvathi and Qadeer, PLDI 2008)

It shares nothing with the C++ programs of this folder. Turns that change nothing are kept.
"""

HEAD, TAIL, NEXT = 0, 1, 10
POISON = 0x666
INITIAL = {HEAD: 1, TAIL: 1, NEXT + 1: 0, NEXT + 2: POISON, NEXT + 6: POISON}


def pointer(node, count):
    return count << 32 | node


def node_of(value):
    return value & 0xFFFFFFFF


def count_of(value):
    return value >> 32


# Threads yield their operations and are sent what they read.
def load(place):
    return (yield "load", place)


def replace(place, old, node):
    return (yield "replace", place, old, pointer(node, count_of(old) + 1)) == old


def enqueue(node):
    old = yield from load(NEXT + node)
    yield "store", NEXT + node, pointer(0, count_of(old))
    while True:
        tail = yield from load(TAIL)
        next_of_tail = NEXT + node_of(tail)
        following = yield from load(next_of_tail)
        if tail != (yield from load(TAIL)):
            continue
        if node_of(following) == 0 and (yield from replace(next_of_tail, following, node)):
            yield from replace(TAIL, tail, node)
            return
        yield from replace(TAIL, tail, node_of((yield from load(next_of_tail))))
        yield ("yield",)


def dequeue():
    while True:
        head = yield from load(HEAD)
        tail = yield from load(TAIL)
        following = yield from load(NEXT + node_of(head))
        if head != (yield from load(HEAD)):
            continue
        if node_of(head) == node_of(tail):
            if node_of(following) == 0:
                return
            yield from replace(TAIL, tail, node_of(following))
        elif (yield from replace(HEAD, head, node_of(following))):
            return
        yield ("yield",)


def thread(number):
    yield from enqueue(2 + 4 * number)
    yield from dequeue()


def next_operation(number, history):
    """None: it has ended."""
    running = thread(number)
    try:
        operation = next(running)
        for value, _ in history:
            operation = running.send(value)
        return operation
    except StopIteration:
        return None


class Fairness:
    """For each thread: who has been enabled since its last yield, who has run since, and who goes first."""

    def __init__(self, enabled=((), ()), ran=((0, 1), (0, 1)), first=((), ())):
        self.enabled, self.ran, self.first = enabled, ran, first

    def allows(self, number, is_running):
        return not any(is_running[other] for other in self.first[number])

    def after(self, number, is_yield, is_running):
        enabled = [{other for other in seen if is_running[other]} for seen in self.enabled]
        ran = [set(seen) | {number} for seen in self.ran]
        first = [set(seen) - {number} for seen in self.first]
        if is_yield:
            first[number] |= enabled[number] - ran[number]
            enabled[number] = {other for other in (0, 1) if is_running[other]}
            ran[number] = set()
        freeze = lambda sets: tuple(tuple(sorted(one)) for one in sets)
        return Fairness(freeze(enabled), freeze(ran), freeze(first))

    def name(self):
        return self.enabled, self.ran, self.first


def step(operation, event, memory):
    """What the operation reads: the value, and the event that wrote it. Memory has both too."""
    if operation[0] == "yield":
        return None, None
    place = operation[1]
    if operation[0] == "store":
        memory[place] = operation[2], event
        return None, None
    read = memory[place]
    if operation[0] == "replace" and read[0] == operation[2]:
        memory[place] = operation[3], event
    return read


def classes(is_fair):
    found, seen = set(), set()
    work = [(((), ()), {place: (value, None) for place, value in INITIAL.items()}, Fairness())]
    while work:
        histories, memory, fairness = work.pop()
        name = histories, tuple(sorted(memory.items())), fairness.name() if is_fair else None
        if name in seen:
            continue
        seen.add(name)
        operations = [next_operation(number, histories[number]) for number in (0, 1)]
        if operations == [None, None]:
            found.add(tuple(tuple(source for _, source in history) for history in histories))
        is_running = [operation is not None for operation in operations]
        for number in (0, 1):
            if not is_running[number] or (is_fair and not fairness.allows(number, is_running)):
                continue
            then = dict(memory)
            read = step(operations[number], (number, len(histories[number])), then)
            longer = tuple(history + (read,) if i == number else history for i, history in enumerate(histories))
            still = [next_operation(i, longer[i]) is not None for i in (0, 1)]
            work.append((longer, then, fairness.after(number, operations[number][0] == "yield", still)))
    return found


if __name__ == "__main__":
    everything, fair = classes(False), classes(True)
    print(f"ms-queue, all turns: {len(everything)} classes, {len(fair)} of them fair")
