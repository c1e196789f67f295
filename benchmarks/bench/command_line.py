"""The words and options of ./bench. Each command has the options that mean something to it; the search has its default options
always."""
import argparse
import sys

from .programs import SUITES, UsageError

USAGE = """\
usage: ./bench [COMMAND] [NAME…] [options]

Builds Ordeal and measures it. No part of the tests: machines are noisy, so compare ratios of one run.

  all                       litmus, papers and scaling; what is done without a COMMAND
  litmus [FAMILY[:N,…]…]    families of litmus programs
  papers [NAME…]            the programs that papers measure
  scaling [FAMILY[:N,…]…]   families of C++ programs
  loops [NAME…]             structures with retry and waiting loops, beside GenMC
  check                     executions a second of small programs, start to verdict
  test                      random testing: how often bugs show, and long programs beside ThreadSanitizer
  compare OLD.json NEW.json what changed between two outputs of --json; exits with 1 if a verdict or a number of classes did

A * in a name stands for any letters. './bench COMMAND --help' lists the options of a command. Exit codes: 1 if a program could not be measured, 2 for wrong usage.
"""
COMMANDS = ("all", *SUITES, "loops", "check", "compare", "test")


def number(kind, least, most):
    def parse_number(text):
        value = kind(text)
        if not least <= value <= most:
            raise ValueError
        return value

    parse_number.__name__ = f"number from {least} to {most}"  # what argparse calls it
    return parse_number


def parser(command):
    made = argparse.ArgumentParser(prog=f"bench {command}")
    add = made.add_argument
    if command == "compare":
        add("old", metavar="OLD.json")
        add("new", metavar="NEW.json")
    if command == "compare":
        return made
    add("--repeat", metavar="N", type=number(int, 1, 1000), default=3, help="runs of each program; the best counts (default 3)")
    if command == "loops":
        add("--time", metavar="SECONDS", type=number(float, 0.001, 1e6), default=60, help="a search ends after this time (default 60)")
        add("--compiler", metavar="NAME", default="g++", help="the C++ compiler; for programs in C the one that goes with it (default g++)")
        add("--json", action="store_true", help="a JSON list on standard output; the table goes to standard error")
        add("names", metavar="NAME", nargs="*", help="only these")
        return made
    add("--limit", metavar="SECONDS", type=number(float, 0.001, 1e6), default=300, help="a run is stopped after this time (default 300)")
    if command != "litmus":
        add("--compiler", metavar="NAME", default="g++", help="for programs in C++ (default g++)")
    if command == "check":
        add("--times", metavar="N", type=number(int, 1, 1000000), default=1000, help="252 executions each (default 1000; 40000 are 10 million executions)")
        return made
    if command == "test":
        add("--executions", metavar="N", type=number(int, 1, 10000000), default=500, help="of programs with a bug (default 500)")
        add("--json", action="store_true", help="a JSON list on standard output; the tables go to standard error")
        return made
    if command in ("all", "litmus"):
        add("--model", choices=("cpp20", "rc11", "sc", "tso"), default="cpp20", help="of litmus programs (default cpp20)")
    add("--json", action="store_true", help="a JSON list on standard output; the table goes to standard error")
    add("--instructions", action="store_true", help="count instructions too, of searches of up to 2 s; takes long")
    if command == "all":
        made.set_defaults(names=[])
    else:
        add("names", metavar="NAME" if command == "papers" else "FAMILY[:N,…]", nargs="*", help="only these")
    return made


def parse(arguments):
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE, end="")
        sys.exit(0)
    command = "all"
    if arguments and not arguments[0].startswith("-"):
        command, *arguments = arguments
    if command not in COMMANDS:
        raise UsageError(f"there is no '{command}' to measure; known: {', '.join(COMMANDS)}")
    options = parser(command).parse_intermixed_args(arguments)
    options.command = command
    return options
