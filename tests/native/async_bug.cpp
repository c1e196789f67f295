// EXPECT: bug data-race data
// Nobody waits before the end of the scope.
#include <future>

int main() {
  int data = 0;
  std::future<void> answer = std::async(std::launch::async, [&] { data = 1; });  // BUG
  data = 2;  // BUG
}
