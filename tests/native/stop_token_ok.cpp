// EXPECT: verified
// The callback runs once: in the thread that asks, or at once in the one that registers it too late.
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  std::stop_source source, none(std::nostopstate);
  assert(source.stop_possible() && !none.stop_possible());
  const std::stop_token token = source.get_token();
  int calls = 0;
  std::thread a([&source] { source.request_stop(); });
  {
    std::stop_callback callback(token, [&calls] { ++calls; });
    a.join();
    assert(calls == 1 && token.stop_requested() && source.stop_requested());
  }
}
