// Fibers: each thread of the program is one, all on one kernel thread. The engine runs on the original stack.
//
// A switch changes the stack (Boost.Context) and the base of thread-local storage (the fs register), so thread_local,
// errno and exceptions in flight are those of the thread. The runtime itself uses no thread-local storage.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>

namespace ordeal::runtime {

/// The base of thread-local storage.
std::uintptr_t thread_pointer();
void set_thread_pointer(std::uintptr_t base);

class Fiber {
 public:
  /// Where the program's threads find the way back. REQUIRES: called once by the engine before any fiber runs.
  static void prepare_engine();
  /// Whether a fiber runs now, and not the engine.
  static bool is_running() { return running_ != nullptr; }
  static Fiber* running() { return running_; }
  static std::uintptr_t engine_thread_pointer() { return engine_thread_pointer_; }

  /// Gets ready to run `body(argument)` on the stack that ends at `stack_end`. What ran before is forgotten.
  void start(void* stack_end, std::size_t stack_size, std::uintptr_t thread_pointer, void (*body)(void*), void* argument);
  /// Runs it until it leaves. REQUIRES: called by the engine.
  void enter();
  /// Where its stack stands, with its registers. REQUIRES: it does not run now.
  std::uintptr_t stack_pointer() const { return reinterpret_cast<std::uintptr_t>(context_); }
  /// Back to the engine; returns when the engine enters again. REQUIRES: called by the fiber that runs.
  static void leave();
  /// On to another one, which has started and does not run; returns when this one is entered, or left for. Half the cost of two
  /// switches. REQUIRES: called by the fiber that runs.
  static void leave_for(Fiber& other);

 private:
  static void begin(boost::context::detail::transfer_t transfer);
  static void keep(boost::context::detail::transfer_t transfer);

  boost::context::detail::fcontext_t context_ = nullptr;
  std::uintptr_t thread_pointer_ = 0;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;

  static Fiber* running_;
  static boost::context::detail::fcontext_t engine_;
  static std::uintptr_t engine_thread_pointer_;
};

}  // namespace ordeal::runtime
