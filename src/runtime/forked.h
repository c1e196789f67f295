// Processes that the program forks while it is tested.
//
// The new process has the thread that called fork, and is outside the test: it goes on with its copy of everything, may create threads of its own,
// and nothing that it does is judged or told. Where its execution would end, the process ends as it does in real life, by its exit code or by its
// signal. What cannot be done, or is wrong beyond doubt, ends it, too; a word of that is left for the process that is tested.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::runtime {

class NativeProgram;

class Forked {
 public:
  /// This process is one.
  static inline bool is_here = false;

  struct Handlers {
    void (*prepare)() = nullptr;
    void (*in_parent)() = nullptr;
    void (*in_child)() = nullptr;
  };
  /// pthread_atfork. They are the program's, and run as its other functions do.
  static void add_handlers(const Handlers& handlers);
  /// The running thread forks. Returns what fork does, with errno.
  enum class With : std::uint8_t { kHandlers, kNothing };
  static pid_t fork(With with, std::uintptr_t site);

  /// Whether there is another process that may send signals to this one.
  static bool may_signal() { return is_here || has_others_; }
  static void note_other() { has_others_ = true; }
  /// Before an execution begins: nothing is left of the last one in this process.
  static void begin();

  // --- in the new process ------------------------------------------------------------------------------------------------------
  [[noreturn]] static void die(int signal);
  /// The execution is over.
  [[noreturn]] static void end(const NativeProgram& program);

  // --- for the process that is tested --------------------------------------------------------------------------------------------
  static std::vector<std::string> notes();
  /// What a forked process asked for that is not supported: it could not go on as in real life, and so neither could this one. Empty: nothing.
  static std::string refused();

 private:
  static inline bool has_others_ = false;
};

}  // namespace ordeal::runtime
