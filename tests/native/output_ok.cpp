// EXPECT: verified 1
// What the threads print is no choice: stdio and iostreams are not looked into.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <thread>

void print(int number) {
  std::printf("thread %d %s\n", number, "prints");
  std::cout << "thread " << number << " says " << 1.5 << std::endl;
  std::ostringstream text;
  text << std::hex << number << ' ' << std::string("abc");
  std::cerr << text.str() << '\n';
}

int main() {
  std::thread a(print, 1), b(print, 2);
  a.join();
  b.join();
}
