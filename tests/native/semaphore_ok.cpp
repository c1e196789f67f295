// EXPECT: verified
#include <cassert>
#include <semaphore>
#include <thread>

std::binary_semaphore ready(0);
int data;

int main() {
  std::thread a([] { data = 1; ready.release(); });
  ready.acquire();
  assert(data == 1);
  a.join();
}
