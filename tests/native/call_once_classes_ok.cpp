// EXPECT: verified 2
// Who calls: a or b. Nothing else can differ: the once flag is one location (memory-model.md, 4b).
#include <mutex>
#include <thread>

std::once_flag once;

int main() {
  std::thread a([] { std::call_once(once, [] {}); });
  std::thread b([] { std::call_once(once, [] {}); });
  a.join();
  b.join();
}
