#!/usr/bin/env bash
# Ordeal's own headers: everything in the standard library that waits compiles against them and works, with both compilers; Clang
# tells weak compare-exchanges; <ordeal/ordeal.h> is found, and is nothing without Ordeal.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
use_stub

cat >all.cpp <<'END'
#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <ordeal/ordeal.h>
#if __cplusplus > 201703L
#include <barrier>
#include <latch>
#include <semaphore>
#include <stop_token>
#include <version>
static_assert(__cpp_lib_atomic_wait == 201907L && __cpp_lib_latch && __cpp_lib_barrier && __cpp_lib_semaphore && __cpp_lib_jthread);
struct Three { char a[3]; };
struct Big { long a[4]; };
struct Float { float f; };
enum class Short : short { kNo, kYes };
template <typename Type>
bool wakes(std::atomic<Type>& object, Type from, Type to) {
  object = from;
  std::thread other([&] { object.store(to); object.notify_all(); });
  object.wait(from);
  object.wait(from, std::memory_order_relaxed);
  std::atomic_wait(&object, from);
  other.join();
  return true;
}
std::atomic<int> number;
std::atomic<char> letter;
std::atomic<bool> truth;
std::atomic<double> real;
std::atomic<int*> pointer;
std::atomic<Float> structure;
std::atomic<Short> enumeration;
std::atomic_flag flag;
int plain = 0;
bool waits() {
  bool fine = wakes(number, 0, 1) && wakes(letter, 'a', 'b') && wakes(truth, false, true) && wakes(real, 0.0, 1.0);
  fine = fine && wakes(pointer, static_cast<int*>(nullptr), &plain) && wakes(structure, Float{0}, Float{1}) && wakes(enumeration, Short::kNo, Short::kYes);
  std::atomic_ref<int> reference(plain);
  std::thread other([&] { reference.store(1); reference.notify_one(); flag.test_and_set(); flag.notify_all(); });
  reference.wait(0);
  flag.wait(false);
  other.join();
  return fine;
}
bool meets() {
  std::latch latch(3);
  std::barrier barrier(2, []() noexcept { ++plain; });
  std::counting_semaphore<5> semaphore(0);
  std::thread other([&] {
    latch.arrive_and_wait();
    for (int i = 0; i < 3; ++i) barrier.arrive_and_wait();
    semaphore.release(2);
    barrier.arrive_and_drop();
  });
  latch.count_down(2);
  latch.wait();
  for (int i = 0; i < 3; ++i) barrier.arrive_and_wait();
  semaphore.acquire();
  other.join();
  return latch.try_wait() && semaphore.try_acquire() && !semaphore.try_acquire() && !semaphore.try_acquire_for(std::chrono::seconds(1)) &&
         !semaphore.try_acquire_until(std::chrono::steady_clock::now());
}
bool stops() {
  bool called = false;
  std::jthread other([&](std::stop_token token) {
    std::stop_callback callback(token, [&] { called = true; });
    while (!token.stop_requested()) std::this_thread::yield();
  });
  other.request_stop();
  other.join();
  std::atomic<std::shared_ptr<int>> shared;
  std::thread storer([&] { shared = std::make_shared<int>(3); shared.notify_one(); });
  shared.wait(nullptr);
  storer.join();
  return called && *shared.load() == 3;
}
bool all() { return waits() && meets() && stops(); }
void not_lock_free(std::atomic<Three>& three, std::atomic<Big>& big) { three.wait({}); big.wait({}); big.notify_one(); }
#else
bool all() { return true; }
#endif
int main() {
  ordeal_assume(true);
  ordeal_check(ordeal_choose(3) == 2, "the stub chooses the last");
  std::promise<int> promise;
  std::thread other([&] { promise.set_value(4); });
  const int four = promise.get_future().get();
  other.join();
  return all() && four == 4 && std::async(std::launch::async, [] { return 5; }).get() == 5 ? 0 : 1;
}
END

cat >weak.c <<'END'
#include <stdatomic.h>
unsigned long stub_weak_calls(void) __attribute__((weak));
_Atomic int x;
int plain;
int main(void) {
  int old = 0, new_value = 2, expected = 0;
  atomic_compare_exchange_weak(&x, &old, 1), ++expected;
  atomic_compare_exchange_weak_explicit(&x, &old, 1, memory_order_relaxed, memory_order_relaxed), ++expected;
  atomic_compare_exchange_strong(&x, &old, 1);
  __atomic_compare_exchange_n(&plain, &old, 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED), ++expected;
  __atomic_compare_exchange_n(&plain, &old, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  __atomic_compare_exchange(&plain, &old, &new_value, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED), ++expected;
  if (__atomic_compare_exchange_n(&plain, &old, __atomic_compare_exchange_n(&plain, &old, 1, 1, 0, 0), 0, 0, 0)) ++expected; else ++expected;
#if !__has_builtin(__atomic_compare_exchange_n)
  return 99;
#endif
  return (int)stub_weak_calls() - expected;
}
END
cat >weak.cpp <<'END'
#include <atomic>
extern "C" unsigned long stub_weak_calls();
template <int kOne, int kTwo> int sum() { return kOne + kTwo; }
struct Pair { short one, two; };
std::atomic<int> x;
std::atomic<int*> p;
std::atomic<Pair> pair;
int plain;
int main() {
  int old = 0;
  int* none = nullptr;
  Pair zero{0, 0};
  x.compare_exchange_weak(old, 1);
  x.compare_exchange_strong(old, 1);
  p.compare_exchange_weak(none, &plain);
  pair.compare_exchange_weak(zero, Pair{1, 1});
  std::atomic_ref<int>(plain).compare_exchange_weak(old, 1);
  __atomic_compare_exchange_n(&plain, &old, sum<1, 2>(), true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  // a comma too many
  return static_cast<int>(stub_weak_calls()) - 4;
}
END

for compiler in g++ clang++; do
  export ORDEAL_CXX=$compiler
  for flags in '-std=c++17 -O2' '-std=c++20 -O0' '-std=gnu++20 -O2'; do
    # shellcheck disable=SC2086
    run "$ordeal" c++ $flags -Wall -Wextra -Wpedantic -Werror all.cpp -o all -latomic && exits 0 && complains_not
    run ./all && exits 0
  done
  nm all | grep -E ' U (syscall|futex)' && fail "$compiler: a wait that the runtime does not see" || true
  nm all | grep ' U __ordeal_atomic_wait$' >/dev/null || fail "$compiler: no wait"
  for compile in "$compiler -std=c++20" "$compiler -std=c++14"; do
    echo '#include <ordeal/ordeal.h>
int main() { int x = 1; ordeal_assume(x == 2); ordeal_check([&] { return x == 2; }(), "never evaluated"); return int(ordeal_choose(3)); }' >nothing.cpp
    $compile -Wall -Wextra -Wpedantic -Werror -I"$tree/include" nothing.cpp -o nothing && ./nothing || fail "$compile: ordeal.h is not nothing"
  done
done
export ORDEAL_CC=clang ORDEAL_CXX=clang++
for level in -O0 -O2; do
  for standard in c99 gnu17; do
    run "$ordeal" cc -std=$standard $level -Wall -Wextra -Werror weak.c -o weak && exits 0 && complains_not && run ./weak && exits 0
  done
  run "$ordeal" c++ -std=c++20 $level -Wall -Wextra -Werror weak.cpp -o weak -latomic && exits 0 && complains_not && run ./weak && exits 0
done

# A check that fails says where.
printf '#include <ordeal/ordeal.h>\nint main(void) {\n  ordeal_check(1 == 2, "as expected");\n}\n' >fails.c
run "$ordeal" cc fails.c -o fails && exits 0 && run ./fails && exits 66 && has stderr 'fails.c:3: 1 == 2: as expected'
