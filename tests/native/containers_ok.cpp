// EXPECT: verified 2
// Each thread fills containers of its own, then adds to a shared one under a mutex: two orders.
#include <cassert>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

std::mutex guard;
std::map<std::string, std::vector<int>> shared;

void fill(const std::string& name) {
  std::vector<std::string> words;
  std::map<int, std::string> tree;
  std::unordered_map<std::string, int> table;
  std::deque<int> queue;
  std::list<int> list;
  std::set<int> set;
  for (int i = 0; i < 20; ++i) {
    words.push_back(name + std::to_string(i));
    tree[i] = words.back();
    table[words.back()] = i;
    queue.push_front(i);
    list.push_back(i);
    set.insert(i % 7);
  }
  assert(words.size() == 20 && tree.at(19) == name + "19" && table.at(name + "3") == 3 && queue.front() == 19 && set.size() == 7);
  auto pointer = std::make_shared<std::string>(name);
  std::lock_guard<std::mutex> lock(guard);
  shared[*pointer].assign(list.begin(), list.end());
}

int main() {
  std::thread a(fill, "a"), b(fill, "b");
  a.join();
  b.join();
  assert(shared.size() == 2 && shared["b"].back() == 19);
}
