#!/usr/bin/env bash
# What `ordeal litmus` reads: files, folders, standard input; and what it says of input that is no litmus test.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/litmus.bash"

message_passing good.litmus 'exists (1:r0=1)'

# rejects MESSAGE… (lines of stderr) for the arguments in `call`
rejects() {
  run "${call[@]}"
  exits 2
  prints_nothing
  complains
}

# --- errors in a file: file, line, column, the line and a caret ---------------------------------------------------------
printf 'C bad\n{}\nP0 (atomic_int* x) {\n  r0 = atomic_load(x;\n}\nexists (0:r0=1)\n' >bad.litmus
call=(bad.litmus)
rejects <<'END'
bad.litmus:4:21: error: expected ')' after the arguments of 'atomic_load', found ';'
      r0 = atomic_load(x;
                        ^
END

# Several files: all errors, and nothing runs if one is broken.
call=(good.litmus bad.litmus good.litmus no-such-file)
rejects <<'END'
bad.litmus:4:21: error: expected ')' after the arguments of 'atomic_load', found ';'
      r0 = atomic_load(x;
                        ^
ordeal: cannot read 'no-such-file': No such file or directory
END
call=(--json good.litmus bad.litmus)
run "${call[@]}" && exits 2
prints_nothing

# Windows line ends: the same test, the same errors.
sed 's/$/\r/' good.litmus >crlf.litmus
run crlf.litmus && exits 0
masked stdout >from-crlf
run good.litmus && exits 0
masked stdout >from-lf
cmp -s from-crlf from-lf || fail "CRLF makes a difference"
sed 's/$/\r/' bad.litmus >crlf.litmus
call=(crlf.litmus)
rejects <<'END'
crlf.litmus:4:21: error: expected ')' after the arguments of 'atomic_load', found ';'
      r0 = atomic_load(x;
                        ^
END

# --- not a litmus test at all --------------------------------------------------------------------------------------------
: >empty.litmus
run empty.litmus && exits 2
prints_nothing
has stderr "empty.litmus:1:1: error: expected 'C' and the name of the test, found end of file"

head -c 10000 "$ORDEAL" >binary.litmus
run binary.litmus && exits 2
prints_nothing
grep -qE '^binary\.litmus:[0-9]+:[0-9]+: error: ' stderr || fail "no position"
(($(wc -c <stderr) < 2000)) || fail "a long message for a binary file"

# Long lines and deep nesting are errors or work; they do not crash, and the message stays short.
times() { yes "$2" | head -n "$1" | tr -d '\n'; }
nested() {
  printf 'C deep\n{ x = 0; }\nP0 (atomic_int* x) {\n  int r0 = %s1%s;\n}\nexists (0:r0=1)\n' "$(times "$1" '(')" "$(times "$1" ')')"
}
nested 100 >deep.litmus
run deep.litmus && exits 0
nested 100000 >deep.litmus
run deep.litmus && exits 2
has stderr 'error: expressions nested too deeply'
(($(wc -c <stderr) < 2000)) || fail "a long message for a long line"
printf 'C deep\n{}\nP0 (atomic_int* x) {%s%s}\nexists (x=0)\n' "$(times 50000 '{ ')" "$(times 50000 '} ')" >deep.litmus
run deep.litmus && exits 2
has stderr 'error: statements nested too deeply'
printf 'C deep\n{}\nP0 (atomic_int* x) {}\nexists %s x=0 %s\n' "$(times 50000 '(')" "$(times 50000 ')')" >deep.litmus
run deep.litmus && exits 2
has stderr 'error: propositions nested too deeply'
{
  head -n 7 good.litmus
  printf '%1000000s// a comment\n' ''
  tail -n +8 good.litmus
} >long.litmus
run long.litmus && exits 0
printf 'C long\n{}\nP0 (atomic_int* x) {%1000000s r0 = 1 +; }\nexists (x=0)\n' '' >long.litmus
run long.litmus && exits 2
has stderr "long.litmus:3:1000030: error: expected an expression, found ';'"
(($(wc -c <stderr) < 2000)) || fail "a long message for a long line"

# --- files that cannot be read ---------------------------------------------------------------------------------------------
call=(no-such-file)
rejects <<'END'
ordeal: cannot read 'no-such-file': No such file or directory
END
call=('')
rejects <<'END'
ordeal: cannot read '': No such file or directory
END

# --- folders ----------------------------------------------------------------------------------------------------------------
mkdir nothing
call=(nothing)
rejects <<'END'
ordeal: there are no .litmus files in the folder 'nothing'
END
mkdir -p folder/b folder/c.litmus # (a folder with such a name is no test)
for name in folder/z folder/b/y folder/b/a; do message_passing "$name.litmus" 'exists (1:r0=1)'; done
echo 'not a test' >folder/b/README
run --json folder && exits 0
[[ $(grep -o '"file":"[^"]*"' stdout | paste -sd' ') == \
  '"file":"folder/b/a.litmus" "file":"folder/b/y.litmus" "file":"folder/z.litmus"' ]] || fail "wrong files or order"
run --json folder good.litmus && exits 0
[[ $(wc -l <stdout) == 4 ]] || fail "four tests expected"
run folder/c.litmus && exits 2
has stderr "ordeal: there are no .litmus files in the folder 'folder/c.litmus'"
message_passing folder/bad.litmus 'exists (1:r0=)'
run folder && exits 2
prints_nothing
has stderr 'folder/bad.litmus:11:14: error: '

# --- standard input -----------------------------------------------------------------------------------------------------------
run - <good.litmus && exits 0
has stdout 'Test MP Allowed'
run --json - <good.litmus && exits 0
has stdout '"file":"standard input"'
run - <bad.litmus && exits 2
has stderr 'standard input:4:21: error: '
run - </dev/null && exits 2
call=(- good.litmus -)
rejects <<'END'
ordeal: standard input (-) can be read only once
END
run <(cat good.litmus) && exits 0

# --- a test that goes wrong when it runs -----------------------------------------------------------------------------------------
cat >nowhere.litmus <<'END'
C nowhere
{ x = 0; }
P0 (int* x) {
  int r0 = *(x + 100);
}
exists (0:r0=1)
END
run nowhere.litmus && exits 2
prints_nothing
has stderr 'nowhere.litmus:4:12: error: P0 uses '
# The others are still reported.
run good.litmus nowhere.litmus && exits 2
has stdout 'MP    Allowed'
has stdout '1 test: 1 Ok, 0 No'
