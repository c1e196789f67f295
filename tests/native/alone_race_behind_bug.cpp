// EXPECT: bug data-race value
// main was alone when it wrote; that does not order what it does once it has created a thread.
#include <thread>

int value, copy;

int main() {
  std::thread([] { value = 1; }).join();
  value = 2;
  std::thread reader([] { copy = value; });  // BUG
  value = 3;                                 // BUG
  reader.join();
}
