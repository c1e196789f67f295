// What a report asks about the source: whoever knows debug information implements it (tools/source_names), tests have a fake.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trace/run_result.h"

namespace ordeal::report {

struct SourcePlace {
  std::string function;  // empty: unknown
  std::string file;      // empty: unknown
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// How values are written. Unknown: as numbers, or pointers if they look like one.
struct ValueType {
  enum class Kind : std::uint8_t { kUnknown, kSigned, kUnsigned, kBool, kPointer, kFloat, kEnumeration };
  Kind kind = Kind::kUnknown;
  std::vector<std::pair<std::int64_t, std::string>> enumerators = {};
};

struct DataName {
  std::string name;          // short, never empty: "queue.tail", "block@queue.cpp:12+8"
  std::string description;   // "a block of 32 bytes allocated at queue.cpp:12, byte 8"; empty: the name says all
  bool is_variable = false;  // `name` is what the source calls it
  std::string owner = {};    // "local of main", "thread-local of thread 1"; empty: none
  ValueType type = {};
};

class SourceNames {
 public:
  static constexpr std::uint64_t kWhole = UINT32_MAX;
  virtual ~SourceNames() = default;
  /// The innermost place in the user's own code.
  virtual SourcePlace place(const std::vector<trace::CodeAddress>& stack) = 0;
  /// All places in the user's own code, innermost first.
  virtual std::vector<SourcePlace> calls(const std::vector<trace::CodeAddress>& stack) = 0;
  /// Whether the operation is written at that place itself, not in a function of a library that is called there.
  virtual bool is_direct(const std::vector<trace::CodeAddress>& stack) { return !stack.empty(); }
  /// Of the memory from `address` on, `size` bytes; kWhole: the largest thing that begins there.
  virtual DataName data(const trace::Trace& trace, std::uint64_t address, std::uint64_t size) = 0;
  /// What was missing so far, in words.
  virtual std::vector<std::string> remarks() const = 0;
};

/// A file of a litmus test has no debug information, and needs none.
class NoNames final : public SourceNames {
 public:
  SourcePlace place(const std::vector<trace::CodeAddress>&) override { return {}; }
  std::vector<SourcePlace> calls(const std::vector<trace::CodeAddress>&) override { return {}; }
  DataName data(const trace::Trace&, std::uint64_t, std::uint64_t) override { return {"memory", "", false, "", {}}; }
  std::vector<std::string> remarks() const override { return {}; }
};

}  // namespace ordeal::report
