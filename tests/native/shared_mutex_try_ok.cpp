// EXPECT: verified 4
// OPTIONS: --no-spurious
// One tries to write, one to read. The writer comes before the reader, or behind it; or the reader fails while the writer has it, or
// the writer fails while the reader has it. One of the two succeeds in any case.
#include <cassert>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
int data;

int main() {
  std::thread a([] {
    if (!guard.try_lock()) return;
    data = 1;
    guard.unlock();
  });
  std::thread b([] {
    if (!guard.try_lock_shared()) return;
    assert(data == 0 || data == 1);
    guard.unlock_shared();
  });
  a.join();
  b.join();
}
