#!/usr/bin/env bash
# Manual pages and shell completions know every verb and option of --help, and no other; man has nothing to complain about.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
share=${ORDEAL%/bin/ordeal}/share
pages=$share/man/man1

"$ordeal" --help >help
verbs=$(sed -n '/^Verbs:/,/^$/s/^  \([a-z+]*\) .*/\1/p' help)
[[ $(wc -w <<<"$verbs") -ge 6 ]] || fail "which verbs? $verbs"

same() { # WHAT LIST LIST
  [[ $(sort -u <<<"$2") == "$(sort -u <<<"$3")" ]] || fail "$1: $(diff <(sort -u <<<"$2") <(sort -u <<<"$3"))"
}
words_of() { tr -s ' ' '\n' <<<"$1" | sed '/^$/d'; }

# --- manual pages ------------------------------------------------------------------------------------------------------------
same 'the verbs of ordeal(1)' "$verbs" "$(sed -n '/^\.SH VERBS/,/^\.SH OPTIONS/s/^\\fB\([a-z+]*\)\\fR$/\1/p' "$pages/ordeal.1")"
for verb in check test replay report litmus; do
  options=$("$ordeal" "$verb" --help | grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+')
  [[ $options == *--json* ]] || fail "which options has $verb?"
  same "the options of ordeal-$verb(1)" "$options" \
    "$(sed -n '/^\.SH OPTIONS/,/^\.SH/s/^\\fB\(\\-[^ ]*\)\\fR.*/\1/p' "$pages/ordeal-$verb.1" | sed 's/\\-/-/g')"
done
(cd "$share/man" && for page in man1/*.1; do
  complaint=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 "$page" 2>&1 >/dev/null || echo "man fails")
  [[ -z $complaint ]] || fail "$page: $complaint"
  LC_ALL=C.UTF-8 MANWIDTH=80 man -l "$page" | grep '^NAME' >/dev/null || fail "$page has no name"
done)

# --- bash --------------------------------------------------------------------------------------------------------------------
cat >complete.bash <<'END'
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_ordeal
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
END
completed() { bash complete.bash "$share/bash-completion/completions/ordeal" "$@"; }
same 'verbs in bash' "$verbs --help --version" "$(completed ordeal '' | tr '\n' ' ' | sed 's/ --help --version //' | tr ' ' '\n') --help --version"
for verb in check test replay report litmus; do
  options=$("$ordeal" "$verb" --help | grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+')
  same "options of $verb in bash" "$options" "$(completed ordeal "$verb" --)"
  for shell in zsh/site-functions/_ordeal fish/vendor_completions.d/ordeal.fish; do
    for option in $options; do
      grep -qE -- "'$option\[|seen_subcommand_from $verb' -l ${option#--}( |\$)" "$share/$shell" || fail "$shell lacks $option of $verb"
    done
  done
done
same 'models' "$(words_of 'cpp20 rc11 sc tso')" "$(completed ordeal check --model '')"
same 'a model' sc "$(completed ordeal litmus --model s)"
[[ -z $(completed ordeal check --time '') && -z $(completed ordeal check te) && -z $(completed ordeal c++ te) ]] || fail "files are left to the shell"
for shell in 'bash bash-completion/completions/ordeal' 'zsh zsh/site-functions/_ordeal' 'fish fish/vendor_completions.d/ordeal.fish'; do
  ! command -v "${shell% *}" >/dev/null || "${shell% *}" -n "$share/${shell#* }" || fail "$shell: wrong syntax"
done
