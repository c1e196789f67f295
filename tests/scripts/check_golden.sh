#!/usr/bin/env bash
# Whole reports, as users see them: each file of tests/golden has a command and what it prints, read by eye against the program's source.
# Of what it prints only times are left out. ORDEAL_GOLDEN=write writes the files anew (read the difference before you commit it).
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi

for folder in examples tests benchmarks; do ln -s "$ORDEAL_SOURCE_DIR/$folder" "$folder"; done
printed() { sed -E 's/ in [0-9.,]+ (ns|µs|ms|s|min)$/ in TIME/' stdout; }

count=0
wrong=()
for golden in "$ORDEAL_SOURCE_DIR"/tests/golden/*.txt; do
  read -r prompt words <"$golden"
  [[ $prompt == '$' && $words == 'ordeal '* ]] || fail "$golden does not begin with a command: \$ ordeal check …"
  read -ra arguments_of_command <<<"${words#ordeal }"
  run "$ordeal" "${arguments_of_command[@]}" && exits 1
  { printf '$ %s\n' "$words" && printed; } >now
  if [[ ${ORDEAL_GOLDEN-} == write ]]; then
    cp now "$golden"
  elif ! diff -u "$golden" now >>differences; then
    wrong+=("$(basename "$golden" .txt)")
  fi
  count=$((count + 1))
done
((${#wrong[@]} == 0)) || { cat differences; fail "other reports than in tests/golden: ${wrong[*]}"; }
((count >= 30)) || fail "only $count reports"
echo "$count reports"
