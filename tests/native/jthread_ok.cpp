// EXPECT: verified
// The destructor asks the thread to stop, and joins it.
#include <cassert>
#include <thread>

int main() {
  int ends = 0;
  {
    std::jthread worker([&ends](std::stop_token token) {
      while (!token.stop_requested()) {
      }
      ++ends;
    });
    assert(worker.joinable());
  }
  assert(ends == 1);
  std::jthread none;
  assert(!none.get_stop_token().stop_possible() && !none.get_stop_source().stop_possible() && !none.request_stop());
}
