// EXPECT: verified
#include <cassert>
#include <future>

int main() {
  std::future<int> answer = std::async(std::launch::async, [] { return 42; });
  assert(answer.get() == 42);
}
