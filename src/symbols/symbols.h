// Names for addresses: which line of the source is this code, which variable is this memory? Outside the tested process, from
// the files that it was made of. A look-up takes up to a millisecond and is remembered: ask only for what is printed.
//
//   Symbols symbols(result.modules);
//   symbols.user_frame(event.stack)                     Queue::push  queue.cpp:41
//   symbols.data(0x5555555580c8, 4, trace.objects)      queue.slots[2].next
//
// Whatever is missing or damaged leaves a name out; `remarks` tells once, in words, what was missing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "symbols/value_type.h"
#include "trace/run_result.h"

namespace ordeal::symbols {

class ModuleFile;
struct RawFrame;

struct Frame {
  std::string function;  // without parameters, long template arguments cut; empty: unknown
  std::string file;      // relative to the current directory if below it; empty: unknown
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool is_user = false;  // known, and not in a system header or library
  bool operator==(const Frame&) const = default;
};

struct DataName {
  std::string name;  // short: "queue.tail", "Node::next", "block@queue.cpp:12+8"; never empty
  std::string
      description;  // in words: "a block of 32 bytes allocated at queue.cpp:12, byte 8"; empty: the name says all
  bool is_variable = false;  // `name` is what the source calls it
  std::string owner = {};    // "local of main", "thread-local of thread 1"; empty: none
  ValueType type = {};       // of what is there
  bool operator==(const DataName&) const = default;
};

struct Options {
  std::string directory;  // paths below it are shown relative; empty: the current one
  std::vector<std::string> system_directories{"/usr/include/", "/usr/lib/", "/usr/lib32/",
                                              "/usr/lib64/",   "/lib/",     "/lib64/"};
};

class Symbols {
 public:
  explicit Symbols(const std::vector<trace::Module>& modules, Options options = {});
  ~Symbols();

  /// The functions that the source has at this return address, inlined ones first; at least one.
  const std::vector<Frame>& frames(trace::CodeAddress address);
  /// The first frame of the user's own code, else the first with a line, else the first.
  Frame user_frame(const std::vector<trace::CodeAddress>& stack);
  /// All frames of the user's own code, innermost first.
  std::vector<Frame> user_frames(const std::vector<trace::CodeAddress>& stack);
  /// Whether nothing but the functions of <atomic> is between the innermost frame of the user's own code and the operation.
  bool is_direct(const std::vector<trace::CodeAddress>& stack);
  /// The name of `size` bytes; of more than there are: of the largest thing that begins at `address`.
  DataName data(std::uint64_t address, std::uint64_t size, const std::vector<trace::TraceObject>& objects,
                const std::vector<std::string>& threads = {});
  /// What was missing so far, each once.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  ModuleFile* module_of(std::uint64_t address);
  const std::vector<RawFrame>& raw_frames(trace::CodeAddress address);
  Frame shown(const RawFrame& frame) const;
  bool is_system(const std::string& file) const;
  std::string relative(const std::string& file) const;
  const DataName& global(std::uint64_t address, std::uint64_t size);
  DataName find_global(std::uint64_t address, std::uint64_t size);
  DataName in_object(const trace::TraceObject& object, std::uint64_t address, std::uint64_t size,
                     const std::vector<std::string>& threads);
  /// The name by the type that was allocated; empty: not known.
  DataName typed_name(const trace::TraceObject& object, std::uint64_t offset, std::uint64_t size);
  DataName in_frame(const trace::TraceObject& object, std::uint64_t address, std::uint64_t size);
  DataName in_thread_local(const trace::TraceObject& object, std::uint64_t address, std::uint64_t size);

  Options options_;
  std::vector<trace::Module> modules_;
  std::vector<std::unique_ptr<ModuleFile>> files_;  // by module, opened when first asked
  std::map<trace::CodeAddress, std::pair<std::vector<RawFrame>, std::vector<Frame>>> cache_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, DataName> globals_;  // by address and size
  std::vector<std::string> remarks_;
};

/// "Queue<…>::push" for a name that is too long with its template arguments.
std::string shortened(const std::string& function);

}  // namespace ordeal::symbols
