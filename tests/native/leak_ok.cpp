// EXPECT: verified
// OPTIONS: --leaks
// Nothing is lost: what is not freed is reachable from a variable, a thread-local one, a container, a pointer with a tag in its
// upper bits, or into the middle of a block; or from a thread that still runs when the program ends.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

std::string* global = new std::string(100, 'x');
thread_local int* local;
std::map<int, std::unique_ptr<std::string>> map;
std::uintptr_t tagged;
char* middle;
std::atomic<bool> flag;

int main() {
  static std::vector<std::shared_ptr<int>> forever{std::make_shared<int>(1)};
  for (int i = 0; i < 5; ++i) map[i] = std::make_unique<std::string>(50, 'y');
  local = new int;
  tagged = reinterpret_cast<std::uintptr_t>(new int) | std::uintptr_t{7} << 48;
  middle = static_cast<char*>(std::malloc(10)) + 5;
  std::thread([] {
    int* mine = new int(1);
    while (*mine != 0 && !flag.load()) {
    }
    delete mine;
  }).detach();
  std::thread([] { delete new int; }).join();
}
