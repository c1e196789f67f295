// EXPECT: bug data-race use after free (race between free and access)
// An atomic access that nothing orders with the free.
#include <atomic>
#include <thread>

int main() {
  auto* flag = new std::atomic<int>(1);
  std::thread user([flag] { flag->load(); });  // BUG
  delete flag;                                 // BUG
  user.join();
}
