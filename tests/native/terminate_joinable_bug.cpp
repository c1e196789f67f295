// EXPECT: bug abort terminate
// A joinable std::thread is destroyed.
#include <thread>

int main() {
  std::thread a([] {});
}
