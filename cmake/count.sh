#!/usr/bin/env bash
# Runs small programs with the libordeal.so that counts: see profile.cmake.
#
#   count.sh SOURCE TREE COMPILER
#
# It never fails: without counts the library is only slower. TREE/count.log tells then why there are none.
set -euo pipefail
source=$1 tree=$2 compiler=$3
counts=$tree/counts library=$tree/lib
rm -rf "$counts" "$tree/counted"
mkdir -p "$counts" "$tree/programs"

# What `ordeal c++` does, as far as it matters here.
compile() { # NAME SOURCE FLAGS…
  local program=$tree/programs/$1 file=$2
  shift 2
  "$compiler" -std=c++20 -O2 -g -fsanitize=thread -fno-builtin -U_FORTIFY_SOURCE -U__SANITIZE_THREAD__ -D__ORDEAL__=1 -D_GLIBCXX_TSAN=1 -Wno-tsan -fno-tree-ch -fno-lto \
    -isystem "$source/include/ordeal/inside" -idirafter "$source/include" "$@" -c "$file" -o "$program.o" &&
    "$compiler" "$program.o" -o "$program" -Wl,--no-as-needed "$library/libordeal.so" -Wl,-z,now -Wl,-rpath,"$library" -lpthread
}
count() { # MODE NAME SOURCE FLAGS…
  local mode=$1 name=$2
  shift
  compile "$@" && (cd "$tree/programs" && ORDEAL_OPTIONS=mode=$mode:result_fd=5 timeout 60 "./$name" 5>/dev/null >/dev/null)
}
count_all() {
  local scaling=$source/benchmarks/scaling
  count check adds "$source/benchmarks/profile/two_threads.cpp" -DADDS &&
    count check loads "$source/benchmarks/profile/two_threads.cpp" &&
    count check casrot "$scaling/casrot.cpp" -DN=8 &&
    count check indexer "$scaling/indexer.cpp" -DN=14 &&
    count check fib "$scaling/fib.cpp" -DN=3 &&
    count check ticket "$scaling/ticket.cpp" -DN=5 &&
    count check mcs "$scaling/mcs.cpp" -DN=3 &&
    count check lockinc "$scaling/lockinc.cpp" -DN=6 &&
    count check padding "$scaling/padding-before-add.cpp" -DN=5 &&
    count test:executions=1 ring "$source/benchmarks/testing/spsc-ring.cpp"
}

# Counts are named after objects: those of the library that counts go to those of the usual libraries.
rename_counts() {
  local file name folder
  for file in "$counts"/*.gcda; do
    name=${file##*/}
    folder=${name#*#src#}
    mv "$file" "$counts/${name/ordeal_counting.dir/ordeal_${folder%%#*}.dir}"
  done
}

if ! { count_all && rename_counts; } >"$tree/count.log" 2>&1; then
  echo "no profile ($tree/count.log tells why): the library is built without, and is slower"
  rm -rf "$counts"
fi
touch "$tree/counted"
