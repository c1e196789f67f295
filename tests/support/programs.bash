# Sourced by tests of random testing on whole programs: `build NAME` compiles NAME.cpp; `tests NAME OPTIONS [arguments]` runs it, with the
# result in the file `result`; `sampled` says that nothing was found.
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi
build() { "$ordeal" c++ -O1 -g -pthread "$1.cpp" -o "$1"; }
tests() {
  local program=$1 options=$2
  shift 2
  ORDEAL_OPTIONS=mode=test:result_fd=7:seed=1:$options run "./$program" "$@" 7>result
  exits 0
}
sampled() { has result "verdict sampled"; }
finds() { has result "bug $1"; }
