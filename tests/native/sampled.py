"""What `check` has verified, `ordeal test` must not refute: one of the two verdicts would be wrong.

Used by run_native.py and litmus/run_litmus.py. `options_of` says with which options; `differences` what is wrong with the result.
"""
EXECUTIONS = 300
SECONDS = 2
EVENTS = 20000  # in one execution: two threads that step back for each other may do so forever
# Options of `check` that `test` has, too, and those under which it still samples only what `check` has verified: symmetric executions are
# executions, load buffering adds some to what `test` samples, and a limit that was not reached is none.
SAME = {"--no-spurious": 0, "--watchdog": 1}
DROPPED = {"--symmetry": 0, "--load-buffering": 0, "--leaks": 0, "--time": 1, "--executions": 1, "--keep-going": 0}
# `test` samples the default model, cpp20. It allows what rc11 forbids only where accesses of one object are seq_cst in one place and weaker in
# another; no program that is verified with rc11 here depends on that. Other models (sc, tso) forbid much more.
MODELS = ("cpp20", "rc11")


def options_of(options):
    """Those of `test` for a program that was verified with these options of `check`; None: verified under an assumption that `test` does not know."""
    kept, rest = [], list(options)
    while rest:
        option = rest.pop(0)
        if option == "--model":
            if rest.pop(0) not in MODELS:
                return None
        elif option in SAME:
            kept += [option] + [rest.pop(0) for _ in range(SAME[option])]
        elif option in DROPPED:
            del rest[:DROPPED[option]]
        else:
            return None
    return kept + ["--executions", str(EXECUTIONS), "--time", str(SECONDS), "--max-events", str(EVENTS), "--exit-code"]  # `check` takes other exit codes than 0 for bugs


def differences(result):
    """What is wrong with the JSON result of `test`, as sentences."""
    wrong = [f"test finds what check has not: {bug['kind']}: {bug['message']} {bug['detail']}" for bug in result["bugs"]]
    if not wrong and result["verdict"] != "sampled":
        wrong.append(f"test: verdict {result['verdict']}: {'; '.join(result['bounds'] + [result.get('reason', '')])}")
    return wrong
