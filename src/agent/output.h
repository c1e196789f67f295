// The program's output: kept in memory while executions run, shown for the one that fails.
#pragma once

#include <string>

namespace ordeal::agent {

class Output {
 public:
  /// What the program writes to stdout and stderr goes to memory from now on, and stdin is empty.
  static void hide();
  /// Only the latter.
  static void empty_input();
  /// The next execution begins: what was written is forgotten.
  static void clear();
  /// From now on nothing that the program writes is seen, if it was to be seen: it has been written before.
  static void mute();
  static void unmute();
  /// What the program has written in this execution.
  static std::string text();
  /// Where messages for the user go.
  static int user_descriptor();
  /// A message for the user, not the program's.
  static void tell(const std::string& message);
};

}  // namespace ordeal::agent
