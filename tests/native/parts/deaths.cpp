// The ways in which a program can die, for tests/scripts/check_deaths.sh:   deaths WAY main|thread
//
// A thread stores 1 while the other one looks: it dies one way if it sees 0, and fails an assertion if it sees 1. So there are two
// executions and two bugs, whichever comes first.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include <unistd.h>

std::atomic<int> flag;
volatile int zero;
int* volatile null;
char* volatile block;
volatile std::size_t too_much = std::size_t{1} << 62;

__attribute__((noinline)) int too_deep(volatile int* from) {  // DIES: stack-overflow
  volatile int here[64];
  here[0] = *from + 1;              // DIES: stack-overflow
  return too_deep(here) + here[0];  // DIES: stack-overflow
}

void die(const std::string& way) {
  volatile int start = 0;
  if (way == "assert") assert(way.empty());                            // DIES: assert
  if (way == "abort") std::abort();                                    // DIES: abort
  if (way == "exception") throw std::runtime_error("nobody catches");  // DIES: exception
  if (way == "terminate") std::terminate();                            // DIES: terminate
  if (way == "exit") std::exit(1);                                     // DIES: exit
  if (way == "_exit") _exit(1);                                        // DIES: _exit
  if (way == "quick_exit") std::quick_exit(1);                         // DIES: quick_exit
  if (way == "null") *null = 1;                                        // DIES: null
  if (way == "division") start = 100 / zero;                           // DIES: division
  if (way == "stack-overflow") too_deep(&start);                       // DIES: stack-overflow
  if (way == "illegal-instruction") __builtin_trap();                  // DIES: illegal-instruction
  if (way == "out-of-memory") block = new char[too_much];              // DIES: out-of-memory
  if (way == "malloc-null") std::memset(std::malloc(too_much), 0, 1);  // DIES: malloc-null
}

void look(const std::string& way) {
  if (flag.load() == 0)
    die(way);
  else
    assert(!"the other bug");  // OTHER
}

int main(int, char** arguments) {
  const std::string way = arguments[1];
  const bool in_thread = arguments[2] == std::string("thread");
  std::thread other([&] { in_thread ? look(way) : flag.store(1); });
  in_thread ? flag.store(1) : look(way);
  other.join();
}
