// EXPECT: verified 2
// A handler runs in the thread that raises the signal; what is ignored does nothing.
#include <atomic>
#include <cassert>
#include <csignal>
#include <thread>

std::atomic<int> x;
volatile std::sig_atomic_t seen;
void handle(int signal) { seen = signal; }

int main() {
  std::signal(SIGUSR1, handle);
  std::signal(SIGUSR2, SIG_IGN);
  std::raise(SIGUSR1);
  assert(seen == SIGUSR1);
  std::raise(SIGUSR2);
  std::raise(SIGCHLD);
  std::thread a([] { x = 1; });
  x.load();
  a.join();
}
