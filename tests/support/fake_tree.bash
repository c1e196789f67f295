# Sourced by script tests of ./ordeal and ./test: makes a tree that has the real scripts but stand-ins for cmake, ctest,
# dpkg-query, apt-get, sudo and id, so that what the scripts do can be watched. Gives `tree`, `expect` and `fail`.
#
# The stand-ins write what they are asked to $tree/calls. Files under $tree/fake change what they do:
#   installed        the packages that are installed, one a line
#   uid              what `id -u` prints (default 0)
#   edit             a source changes while cmake --build runs
#   build_fails      cmake --build prints a compiler's error and fails

tree=$(cd "$(mktemp -d)" && pwd -P)/tree
trap 'rm -rf "${tree%/tree}"' EXIT
mkdir -p "$tree"/{bin,fake,src/tools,cmake}
cp "$ORDEAL_SOURCE_DIR"/{ordeal,test} "$tree"
cp "$ORDEAL_SOURCE_DIR/cmake/setup.sh" "$tree/cmake"
printf '# compilers\ng++\ncmake\n\nlibfmt-dev\n' >"$tree/packages.txt"
printf 'g++\ncmake\nlibfmt-dev\n' >"$tree/fake/installed"
: >"$tree/calls"
: >"$tree/CMakeLists.txt"
: >"$tree/CMakePresets.json"
: >"$tree/src/tools/main.cpp"

stand_in() {
  { printf '#!/usr/bin/env bash\ntree=%q\n' "$tree" && cat; } >"$tree/bin/$1"
  chmod +x "$tree/bin/$1"
}

stand_in cmake <<'EOF'
echo "cmake $*" >>"$tree/calls"
if [[ $1 == --preset ]]; then
  : >"$tree/build/$2/build.ninja"
  exit 0
fi
if mkdir "$tree/fake/building" 2>/dev/null; then
  sleep 0.1
  [[ ! -e $tree/fake/edit ]] || echo >>"$tree/src/tools/main.cpp"
  rmdir "$tree/fake/building"
else
  echo "two builds at once" >>"$tree/calls"
fi
if [[ -e $tree/fake/build_fails ]]; then
  printf 'FAILED: main.o\n/usr/bin/c++ -c main.cpp\nmain.cpp:1:1: error: made up\n'
  exit 1
fi
mkdir -p "$2/bin"
printf '#!/usr/bin/env bash\necho "in $PWD:" "$@"\nexit 7\n' >"$2/bin/ordeal"
chmod +x "$2/bin/ordeal"
EOF

stand_in dpkg-query <<'EOF'
echo "dpkg-query" >>"$tree/calls"
while read -r package; do echo "installed $package"; done <"$tree/fake/installed"
EOF

stand_in apt-get <<'EOF'
echo "apt-get $*" >>"$tree/calls"
EOF

stand_in id <<'EOF'
cat "$tree/fake/uid" 2>/dev/null || echo 0
EOF

export PATH=$tree/bin:$PATH
unset ORDEAL_TEST_SCALE

fail() {
  printf '%s\n' "$*" >&2
  printf 'calls:\n' >&2
  cat "$tree/calls" >&2
  exit 1
}

# expect WHAT EXPECTED FOUND
expect() { [[ $3 == "$2" ]] || fail "$1"$'\n'"expected: $2"$'\n'"found:    $3"; }

calls() { grep -c "$1" "$tree/calls" || true; }
