// EXPECT: bug data-race
//
// A worker is told by a plain bool that its input is ready. Two threads use the flag at the same time and one of them writes it:
// a data race, undefined behaviour. A compiler may read the flag once and never again.
//
// Ordeal says: data race on 'ready', with both lines.
#include <cstdio>
#include <thread>

bool ready = false;

int main() {
  std::thread worker([] {
    if (ready) std::puts("working");
  });
  ready = true;
  worker.join();
}
