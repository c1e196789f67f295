#!/usr/bin/env bash
# The README and the manuals show what is printed: numbers of executions and percentages of a seed, tables, sentences (tests/formats/shown.py).
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/shown.py" "$ordeal" "$ORDEAL_SOURCE_DIR" README.md docs/{check,test,litmus,sc-analysis,formats,debugger,loops}.md >found || fail "$(<found)"
