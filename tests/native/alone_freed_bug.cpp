// EXPECT: bug use-after-free
// What main has freed while it was alone is still used by a thread that it creates then.
#include <thread>

int main() {
  int* value = new int(1);
  std::thread([=] { *value = 2; }).join();
  delete value;
  std::thread([=] { *value = 3; }).join();  // BUG
}
