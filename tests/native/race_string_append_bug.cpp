// EXPECT: bug data-race
// The writes happen inside libstdc++, in std::string's compiled code.
#include <string>
#include <thread>

std::string text = "a text that does not fit into the object itself";

int main() {
  std::thread a([] { text += " and more"; });
  text += " and less";
  a.join();
}
