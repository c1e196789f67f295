// Which threads of the program are symmetric (model/symmetry.h), and whether they really are.
//
// Threads are of one group if the same thread created them one after the other, with no operation in between, by the same
// routine with the same argument: the same pointer, or blocks of the heap with the same bytes that belong to their threads
// (the closures of std::thread). Nobody else may tell one from the other then. What would tell is looked for while the program
// runs, and ends the symmetry:
//   - one of them asks who it is, is detached, or returns something that is asked for;
//   - their creator accesses memory between the creations that one of them accesses, too (one of both writing): it would be
//     ordered with some of them and not with others; the same between joins, where no other operation may come either;
//   - somebody else accesses the block that is a thread's argument;
//   - having seen the same, two of them ask for different things (`are_counterparts`). Addresses of their own may differ.
// Then the search begins anew without. What is not noticed: a program that compares or hashes addresses of the threads' own
// memory, and in all that it lets depend on it accesses no atomic object otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/counterparts.h"
#include "engine/operation.h"
#include "runtime/digest.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class NativeProgram;

class Symmetry final : public engine::Counterparts {
 public:
  explicit Symmetry(NativeProgram& program) : program_(program) {}

  /// Off by default: then no threads are symmetric.
  void set_on(bool on) { is_on_ = on; }
  bool is_on() const { return is_on_; }
  /// Why the program turned out not to be symmetric; empty: it is as far as is known.
  const std::string& broken() const { return broken_; }
  void give_up(std::string why);
  /// How many symmetric threads one execution had, at most.
  int most_threads() const { return most_threads_; }

  /// `child` is about to be created: the name of its group.
  model::Value enter(Thread& parent, Thread& child, bool is_detached);
  /// It was.
  void note_created(Thread& parent, const Thread& child);
  void note_joined(Thread& joiner, const Thread& joined, bool wants_result);
  void note_operation(Thread& thread, const engine::Operation& operation);
  void note_access(Thread& thread, std::uintptr_t address, std::size_t size, bool is_write);
  void note_identity(Thread& thread);
  void note_detached(const Thread& thread);

  /// Whether the two, of threads that have seen the same, are the same but for what is each thread's own.
  bool are_counterparts(const model::Access& a, const model::Access& b) const override;

 private:
  /// Memory that threads of a group must not access, or only one thread may.
  struct Watched {
    Range range;
    int group = -1;
    int owner = -1;  // not negative: only this one, once it is there
    bool is_write = false;
    bool operator==(const Watched&) const = default;
  };
  bool continues_group(const Thread& parent, const Thread& child) const;
  void watch(const Watched& watched);
  void watch_argument(const Thread& thread);
  bool is_violated(const Watched& watched, const Thread& thread, const Range& range, bool is_write) const;
  bool is_in_group(const Thread& thread) const;
  bool are_own(const Thread& a, model::Value of_a, const Thread& b, model::Value of_b) const;
  bool are_same_or_own(const model::Access& a, model::Value of_a, const model::Access& b, model::Value of_b) const;

  NativeProgram& program_;
  bool is_on_ = false;
  std::string broken_;
  int most_threads_ = 0;
  std::vector<Watched> watched_;            // of all executions: addresses are the same in each
  std::uint64_t may_be_watched_[64] = {};   // bits by address: quick to ask
};

}  // namespace ordeal::runtime
