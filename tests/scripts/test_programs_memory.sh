#!/usr/bin/env bash
# Random testing: memory that is used again. Bugs in its use are found, what is right is not blamed, and it does not run out.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

# 8 GB in all, 80 KB at once: what is freed is used again.
cat >much.cpp <<'END2'
#include <cstdlib>
#include <cstring>
#include <thread>
int main() {
  const auto work = [] {
    for (int i = 0; i < 40000; ++i) {
      char* block = static_cast<char*>(std::malloc(100000));
      block[0] = block[99999] = 1;
      std::free(block);
    }
    void* kept[16] = {};
    for (int i = 0; i < 100000; ++i) {
      std::free(kept[i % 16]);
      kept[i % 16] = std::calloc(1, static_cast<std::size_t>(i % 5000));
      for (int k = 0; k < i % 5000; ++k)
        if (static_cast<char*>(kept[i % 16])[k] != 0) std::abort();
      if (i % 5000 > 0) std::memset(kept[i % 16], 1, static_cast<std::size_t>(i % 5000));
      if (i >= 2000) break;
    }
    for (void* block : kept) std::free(block);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}
END2
build much
tests much executions=1 && sampled

# A mutex, a semaphore and an atomic object that were there before have nothing to do with those that come to lie in the same place:
# the first ends locked, its memory is taken for another.
cat >again.cpp <<'END2'
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>
struct Node {
  std::mutex mutex;
  std::atomic<int> state{0};
  int payload = 0;
};
int main() {
  for (int i = 0; i < 5000; ++i) {
    Node* node = new Node;
    if (i % 2 == 0) node->mutex.lock();
    ::operator delete(node);
  }
  std::atomic<Node*> next{nullptr};
  std::thread producer([&] {
    for (int i = 0; i < 5000; ++i) {
      Node* node = new Node;
      node->payload = 1;
      node->state.store(1, std::memory_order_relaxed);
      while (next.load(std::memory_order_relaxed) != nullptr) std::this_thread::yield();
      next.store(node, std::memory_order_release);
    }
  });
  for (int i = 0; i < 5000;) {
    Node* node = next.load(std::memory_order_acquire);
    if (node == nullptr) {
      std::this_thread::yield();
      continue;
    }
    std::lock_guard lock(node->mutex);
    if (node->state.load(std::memory_order_relaxed) != 1 || node->payload != 1) std::abort();
    next.store(nullptr, std::memory_order_relaxed);
    node->mutex.unlock();
    node->mutex.lock();
    ++i;
  }
  producer.join();
}
END2
sed -i 's/    next.store(nullptr, std::memory_order_relaxed);/    next.store(nullptr, std::memory_order_release);/' again.cpp
build again
tests again executions=3 && sampled

cat >bugs.cpp <<'END2'
#include <cstdlib>
#include <cstring>
#include <thread>
int main(int, char** arguments) {
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  std::thread thread([&] {
    volatile char* small = static_cast<char*>(std::malloc(24));
    volatile char* large = static_cast<char*>(std::malloc(1000000));
    if (is("beyond")) small[24] = 1;
    if (is("before")) small[-1] = 1;
    if (is("beyond-large")) large[1000000] = 1;
    std::free(const_cast<char*>(small));
    for (int i = 0; i < 500; ++i) std::free(std::malloc(24));  // it waits in the queue all the time
    if (is("use")) small[3] = 1;
    if (is("twice")) std::free(const_cast<char*>(small));
    if (is("middle")) std::free(const_cast<char*>(large + 16));
    std::free(const_cast<char*>(large));
    if (is("use-large")) small = large, small[500000] = 1;
    if (is("realloc")) {
      small = static_cast<char*>(std::malloc(10));
      volatile char* old = small;
      small = static_cast<char*>(std::realloc(const_cast<char*>(small), 1000));
      old[0] = 1;
    }
    if (is("aligned")) {
      small = static_cast<char*>(std::aligned_alloc(256, 512));
      if (reinterpret_cast<unsigned long>(small) % 256 != 0) std::abort();
      small[511] = 1;
      small[512] = 1;
    }
  });
  thread.join();
  if (is("alone")) {
    volatile char* block = static_cast<char*>(std::malloc(8));
    std::free(const_cast<char*>(block));
    block[0] = 1;
  }
}
END2
build bugs
tests bugs executions=2 none && sampled
for bug in beyond:out-of-bounds before:out-of-bounds beyond-large:out-of-bounds use:use-after-free twice:double-free middle:invalid-free \
  use-large:use-after-free realloc:use-after-free aligned:out-of-bounds alone:use-after-free; do
  tests bugs executions=2 "${bug%:*}" && finds "${bug#*:} count=2"
done

# Atomic operations of every sort, with another thread beside them and without: the whole object must be there.
cat >atomics.cpp <<'END2'
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
int main(int, char** arguments) {
  const auto use = [&](char which, std::atomic<int>* object) {
    int expected = 3;
    if (which == 'l') (void)object->load();
    if (which == 's') object->store(1);
    if (which == 'r') object->fetch_add(1);
    if (which == 'c') object->compare_exchange_strong(expected, 4);
  };
  const auto work = [&] {
    auto* block = static_cast<std::atomic<int>*>(std::malloc(6));  // the second does not fit
    block[0] = 0;
    use(arguments[1][1], block);
    if (arguments[1][2] == 'o') use(arguments[1][1], block + 1);
    std::free(block);
    if (arguments[1][2] == 'f') use(arguments[1][1], block);
  };
  std::thread other([&] { if (arguments[1][0] == 't') work(); });
  other.join();
  if (arguments[1][0] == 'a') work();
}
END2
build atomics
for who in t a; do
  for how in l s r c; do
    tests atomics executions=2 "$who$how-" && sampled
    tests atomics executions=2 "$who${how}f" && finds "use-after-free count=2" && has result "$([[ $how == l ]] && echo reads || echo writes) 4 bytes"
    tests atomics executions=2 "$who${how}o" && finds "out-of-bounds count=2"
  done
done

# Given to another thread without an order: its accesses and the allocation are a race, and so is a free.
cat >race.cpp <<'END2'
#include <atomic>
#include <thread>
std::atomic<int*> shared{nullptr};
int main(int count, char**) {
  std::thread a([] { shared.store(new int, std::memory_order_relaxed); });
  std::thread b([=] {
    int* block = shared.load(std::memory_order_relaxed);
    if (block != nullptr && count == 1) *block = 1;
    if (block != nullptr && count == 2) delete block;
  });
  a.join();
  b.join();
}
END2
build race
tests race executions=200 && finds data-race
tests race executions=200 free && finds data-race

# The first thing that a thread does when another has given way to it is its only atomic access: that is its own, not the other's. (The
# store and the plain write are a race in every execution, whoever comes first.)
cat >mixed.cpp <<'END2'
#include <thread>
int cell = 0;
int main(int count, char**) {
  std::thread thread([] { __atomic_store_n(&cell, 1, __ATOMIC_SEQ_CST); });
  if (count == 1) cell = 2;
  thread.join();
  if (count > 1) cell = 2;
}
END2
build mixed
tests mixed executions=100 && finds "data-race count=100"
tests mixed executions=100 joined && sampled

# A plain write and an atomic one of the same thread, with nothing between: the race is with the plain one, and the report names that.
cat >published.cpp <<'END2'
#include <atomic>
#include <thread>
struct Block {
  Block() : tail(0) {}  // PLAIN
  std::atomic<int> tail;
};
std::atomic<Block*> shared{nullptr};
int main() {
  std::thread writer([] {
    Block* block = new Block;
    block->tail.store(1, std::memory_order_relaxed);
    shared.store(block, std::memory_order_relaxed);
  });
  if (Block* block = shared.load(std::memory_order_relaxed)) block->tail.load(std::memory_order_relaxed);
  writer.join();
}
END2
run "$ordeal" test --executions 500 published.cpp && exits 1
tr -s '\n ' ' ' <stdout >line
has line "main atomically reads at published.cpp:14, thread 1 writes at published.cpp:$(grep -n PLAIN published.cpp | cut -d: -f1) "

# Pages that are given back to the system and mapped again by another thread: what was done there before is forgotten, the state of
# atomic objects and of mutexes too.
cat >map.cpp <<'END2'
#include <sys/mman.h>
#include <atomic>
#include <cassert>
#include <mutex>
#include <new>
#include <thread>
struct Page {
  std::atomic<int> count{0};
  std::mutex mutex;
  int plain = 0;
};
void use() {
  for (int i = 0; i < 2; ++i) {
    void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    auto* raw = static_cast<std::atomic<int>*>(memory);
    assert(raw[5].load(std::memory_order_relaxed) == 0);
    raw[5].store(7, std::memory_order_relaxed);
    Page* page = new (static_cast<char*>(memory) + 64) Page;
    page->count.fetch_add(1, std::memory_order_relaxed);
    page->mutex.lock();  // unmapped while it is held
    page->plain = 1;
    assert(page->count == 1);
    munmap(memory, 4096);
  }
}
int main() {
  std::thread one(use), other(use);
  one.join();
  other.join();
}
END2
build map
tests map executions=50 && sampled
sed 's/4096/4194304/' map.cpp >map_much.cpp
build map_much
tests map_much executions=20 && sampled
sed 's/  for (int i = 0; i < 2; ++i) {/  static int common = 0; ++common; {/' map.cpp >map_race.cpp  # … and nothing else
build map_race
tests map_race executions=20 && finds data-race

# A race in mapped memory: the execution is run again to be shown, in a process where the memory is mapped at the same place.
cat >mapped.cpp <<'END2'
#include <sys/mman.h>
#include <atomic>
#include <thread>
std::atomic<bool> ready{false};
int main() {
  auto* memory = static_cast<int*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::thread writer([memory] {
    memory[3] = 1;  // WRITES
    ready.store(true, std::memory_order_relaxed);
  });
  if (ready.load(std::memory_order_relaxed) && memory[3] == 0) return 1;  // READS
  writer.join();
}
END2
run "$ordeal" test --executions 100 mapped.cpp && exits 1
writes=$(grep -n WRITES mapped.cpp | cut -d: -f1) reads=$(grep -n READS mapped.cpp | cut -d: -f1)
has_not stdout 'not deterministic'
[[ $(grep '^>' stdout | grep -o 'mapped.cpp:[0-9]*' | tr '\n' ' ') == "mapped.cpp:$writes mapped.cpp:$reads " ]] || fail "the rows of the race are others"
(($(grep -n '^>.*writes' stdout | cut -d: -f1) < $(grep -n 'ready = true' stdout | cut -d: -f1))) || fail "the write does not stand before the store that follows it"
run "$ordeal" replay ordeal-mapped-data-race.replay && exits 1
has_not stdout 'not deterministic'
