// EXPECT: bug data-race calls
// The callback runs in the thread that asks.
#include <stop_token>
#include <thread>

int calls;

int main() {
  std::stop_source source, none(std::nostopstate);
  const std::stop_token token = source.get_token();
  if (none.stop_possible()) return 1;
  std::stop_callback callback(token, [] { ++calls; });  // BUG
  std::thread a([&source] { source.request_stop(); });
  if (!token.stop_requested()) ++calls;  // BUG
  a.join();
}
