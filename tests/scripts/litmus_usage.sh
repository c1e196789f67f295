#!/usr/bin/env bash
# Called wrongly, `ordeal litmus` exits with 2, prints nothing on stdout, and says what is wrong and what would work.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/litmus.bash"

message_passing good.litmus 'exists (1:r0=1)'

# wrong MESSAGE ARGUMENTS…
wrong() {
  local message=$1
  shift
  run "$@"
  exits 2
  prints_nothing
  complains <<END
ordeal: $message
usage: ordeal litmus [OPTIONS] FILE…
'ordeal litmus --help' lists the options.
END
}

wrong 'FILE is missing'
wrong 'FILE is missing' --json
wrong 'unknown option --frobnicate' --frobnicate good.litmus
wrong 'unknown option --frobnicate' --frobnicate=3 good.litmus
wrong 'unknown option -x' -x good.litmus
wrong 'unknown option --modle. Did you mean --model?' --modle sc good.litmus
wrong 'unknown option --loop_bound. Did you mean --loop-bound?' --loop_bound 3 good.litmus
wrong "--model: there is no 'cpp17'; choose one of: cpp20, rc11, sc, tso" --model cpp17 good.litmus
wrong '--model needs a value' good.litmus --model
wrong '--model was given twice' --model sc --model tso good.litmus
wrong "--loop-bound: '0' is not a whole number from 1 to 1000000" --loop-bound 0 good.litmus
wrong "--loop-bound: '1000001' is not a whole number from 1 to 1000000" --loop-bound 1000001 good.litmus
wrong "--loop-bound: 'many' is not a whole number from 1 to 1000000" --loop-bound many good.litmus
wrong "--executions: '0' is not a whole number above 0" --executions 0 good.litmus
wrong "--executions: '-3' is not a whole number above 0" --executions=-3 good.litmus
wrong "--executions: '2.5' is not a whole number above 0" --executions 2.5 good.litmus
wrong "--executions: '99999999999999999999' is not a whole number above 0" --executions 99999999999999999999 good.litmus
wrong "--time: '0' is not a number of seconds above 0" --time 0 good.litmus
wrong "--time: '-1' is not a number of seconds above 0" --time=-1 good.litmus
wrong "--time: 'inf' is not a number of seconds above 0" --time inf good.litmus
wrong "--time: '5s' is not a number of seconds above 0" --time 5s good.litmus
wrong '--show and --json do not go together' --show --json good.litmus

# What works does: an option behind the files, with =, and files behind --.
run good.litmus --model=rc11 && exits 0
cp good.litmus ./--odd.litmus
run -- --odd.litmus && exits 0

# The command without a verb, or with one that it does not have.
for arguments in '' 'litmis good.litmus' '--frobnicate'; do
  status=0
  # shellcheck disable=SC2086
  "$ORDEAL" $arguments >stdout 2>stderr || status=$?
  exits 2
  prints_nothing
  has stderr "'ordeal --help' lists the verbs."
done
"$ORDEAL" litmis good.litmus 2>stderr || true
has stderr "ordeal: unknown verb 'litmis'. Did you mean litmus?"

# Help goes to stdout, fits 100 columns, names every option and the default model.
run --help && exits 0
complains_not
for option in --model --load-buffering --no-spurious --loop-bound --time --executions --expect --show --json; do
  grep -qE "^  $option( [A-Z]+)?  +[A-Z]" stdout || fail "no line for $option in the help"
done
has stdout 'cpp20 (default), rc11, sc or tso'
has stdout 'Usage: ordeal litmus [OPTIONS] FILE...'
grep -q '[{}]' stdout && fail "braces in the help"
"$ORDEAL" --help >>stdout
grep -qE '.{101}' stdout && fail "a line of the help has more than 100 columns"
for code in 0 1 2 3; do grep -q "^  $code  " stdout || fail "the help does not say what exit code $code means"; done
has stdout "litmus                      Explores every behaviour of litmus tests in herd's C syntax"
"$ORDEAL" --version >stdout
grep -qxE 'ordeal [0-9]+\.[0-9]+\.[0-9]+' stdout || fail "no version"

# --load-buffering has no effect in the models with a memory of their own, and says so.
run --load-buffering --model tso good.litmus && exits 0
complains <<'END'
ordeal: --load-buffering changes nothing in the model tso
END

# Nobody reads what is printed: an error, not silence.
if [[ -w /dev/full ]]; then
  status=0
  "$ORDEAL" litmus good.litmus >/dev/full 2>stderr || status=$?
  exits 2
  has stderr 'ordeal: cannot write to standard output'
fi
