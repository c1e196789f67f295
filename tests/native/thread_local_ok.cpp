// EXPECT: verified 2
// The two destructors add to one atomic, in two orders.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

std::atomic<int> destroyed;
struct Log {
  std::string text = "log";
  ~Log() { destroyed.fetch_add(static_cast<int>(text.size())); }
};
thread_local Log log_;
thread_local int plain = 7;

void use(const char* more) {
  assert(plain == 7);
  ++plain;
  log_.text += more;
  assert(plain == 8);
}

int main() {
  std::thread a(use, "!"), b(use, "??");
  a.join();
  b.join();
  assert(plain == 7 && destroyed == 9);
}
