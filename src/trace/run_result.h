// What a tested process tells the command that started it: a verdict, what was counted, and each bug with its execution.
// Also the replay file: a result with one bug. format.h has the text of a trace; run_result_format.h that of a result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/kept_turn.h"
#include "trace/trace.h"

namespace ordeal::trace {

enum class Verdict : std::uint8_t { kVerified, kSampled, kBug, kBounded, kCannotCheck };

enum class BugKind : std::uint8_t {
  kDataRace,
  kAssertion,
  kException,
  kAbort,
  kSignal,
  kExitCode,
  kDeadlock,
  kNoProgress,
  kUseAfterFree,
  kDoubleFree,
  kInvalidFree,
  kOutOfBounds,
  kUninitialisedLoad,
  kLeak,
  kLockMisuse,
  kMismatchedFree,
  kNotSc,  // no interleaving of the threads does this, and --require-sc asks for one
  kObserver,  // an observer of the user says so
};

/// A thread that takes part in a bug, and where it is.
struct Party {
  std::int32_t thread = -1;
  std::string what;                // "writes 4 bytes", "waits for mutex {}": no names of the program, {} stands for one
  std::uint64_t address = 0;       // of what it accesses or waits for
  std::int32_t before = -1;        // how many events of its thread come before it; -1: unknown
  std::vector<CodeAddress> stack{};  // innermost first
  std::string file{};              // where the program itself says it is: an assertion does; empty: it says nothing
  std::uint32_t line = 0;
  bool operator==(const Party&) const = default;
};

struct Bug {
  BugKind kind = BugKind::kAbort;
  std::string message;         // what the process knows: the text of an assertion, the type of an exception, a signal …
  std::uint64_t address = 0;   // of the memory it is about; 0: none
  std::uint32_t size = 0;
  std::vector<Party> parties;  // the first is the one to blame, if any is
  std::uint64_t count = 1;     // how many executions showed it
  std::uint64_t first = 0;     // of random testing: the number of the first that did
  std::uint64_t shown = 0;     // likewise, of the one that is shown, which is the shortest
  std::string output;          // what the program had printed
  Trace trace;
  bool operator==(const Bug&) const = default;
};

/// The executable or a library, to find source lines.
struct Module {
  std::string path;
  std::uint64_t base = 0;  // what is added to the addresses in the file
  std::uint64_t end = 0;
  std::string build_id;    // hexadecimal, may be empty
  bool operator==(const Module&) const = default;
};

/// How many complete executions without a bug are interleavings (analysis/sc_equivalence.h).
struct ScCounts {
  std::uint64_t sc = 0;
  std::uint64_t not_sc = 0;
  std::uint64_t undecided = 0;  // the search took too long
  bool operator==(const ScCounts&) const = default;
};

/// Of a search that was cut: executions in which some compare-exchange fails spuriously come last (explore/passes.h). So many were explored.
struct SpuriousCounts {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  bool after_all_others = false;  // all without such a failure were explored
  bool operator==(const SpuriousCounts&) const = default;
};

struct RunResult {
  Verdict verdict = Verdict::kVerified;
  std::string model;
  std::vector<std::string> options;    // as given, for a replay
  std::vector<std::string> arguments;  // of the program
  std::uint64_t executions = 0;        // complete classes; of random testing: all that were run
  std::uint64_t blocked = 0;
  std::uint64_t given_up = 0;          // executions that were begun, and led nowhere
  double seconds = 0;                  // exploration only
  std::uint32_t threads = 0;           // at most, in one execution
  std::uint32_t events = 0;            // likewise
  std::uint32_t symmetric = 0;         // not 0: classes are counted up to the symmetry of so many threads
  std::string strategy;                // of random testing, with the next four; empty: it was none
  std::uint64_t seed = 0;
  std::uint64_t first = 0;             // the number of the first execution
  std::uint64_t atomics = 0;           // atomic operations, in all executions
  std::uint64_t failed = 0;            // executions with a bug
  std::optional<ScCounts> sc;          // if it was asked for
  std::optional<SpuriousCounts> spurious;  // if the search was cut, and there are such failures
  std::vector<std::string> bounds;     // what cut the search
  std::vector<std::string> notes;
  std::string cannot_check;            // why, if that is the verdict
  std::vector<CodeAddress> where;      // stack that goes with cannot_check
  std::vector<Party> parties;          // who did what where: goes with cannot_check and bounds
  std::vector<KeptTurn> kept_turns;    // of loops: explored, and why
  std::vector<Module> modules;
  std::vector<Trace> shown;  // executions without a bug, if they were asked for
  std::vector<Trace> not_sc;  // the first execution that is no interleaving, if it was asked for and is no bug
  std::vector<Bug> bugs;
  bool operator==(const RunResult&) const = default;
};

}  // namespace ordeal::trace
