// A bug with everything looked up that its report needs: names of threads, memory and places, safe to print; and where in the
// trace its parties are. Made once a bug, read by the headline, the explanation, the table and the JSON.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/execution_table.h"
#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::report {

struct PartyView {
  std::string thread;  // "main", "thread 1"
  std::string what;    // "writes 4 bytes", "waits for mutex 'queue.lock'"
  std::string place;   // "src/queue.cpp:41", else "push()"; empty: unknown
  SourcePlace source;
  std::vector<SourcePlace> calls;
  std::string memory;         // what it accesses or waits for: "'queue.tail'"; empty: nothing
  std::ptrdiff_t event = -1;  // its event in the trace; -1: not there
  bool names_memory = false;  // `what` has the name in it
};

class BugView {
 public:
  BugView(const trace::Bug& bug, SourceNames& names);

  const trace::Bug& bug() const { return bug_; }
  const trace::Trace& trace() const { return bug_.trace; }
  const Rows& rows() const { return rows_; }
  const std::vector<PartyView>& parties() const { return parties_; }
  const TableTexts& texts() const { return texts_; }
  const std::string& message() const { return message_; }
  /// What the bug is about: "'queue.tail'" or "a block of 32 bytes …"; empty: no memory.
  const std::string& memory() const { return memory_; }
  const std::string& thread(std::int32_t thread) const;
  /// "queue.cpp:41" of an event, without its folder if no other file has that name; empty: unknown.
  const std::string& place(std::size_t event) const { return texts_.places[event]; }
  /// By event: which atomic operation of the source it is; -1: none whose order the program names (analysis/repair.h).
  const std::vector<int>& sites() const { return sites_; }
  /// The heap block of the bug; nullptr: none.
  const trace::TraceObject* object() const { return object_; }
  std::string object_place() const { return object_place_; }
  std::string freed_place() const { return freed_place_; }
  /// The calls that led to its allocation, and to its end.
  const std::vector<SourcePlace>& allocation() const { return allocation_; }
  const std::vector<SourcePlace>& end_of_block() const { return end_of_block_; }
  /// Where the first party is; if that is unknown, where the block was allocated.
  SourcePlace main_place() const;
  /// As `place`, of any.
  std::string short_place(const SourcePlace& place) const;
  /// The location that has this byte; -1: none.
  std::int32_t location_of(std::uint64_t address) const;
  /// The initial value of a location, as the source would write it.
  const std::string& initial(std::int32_t location) const { return initials_[static_cast<std::size_t>(location)]; }

 private:
  std::string memory_at(std::uint64_t address, std::uint64_t size, SourceNames& names) const;
  std::string value_of(const trace::TraceEvent& event, SourceNames& names) const;
  std::string pointer_text(std::uint64_t address, SourceNames& names) const;
  void name_locations(SourceNames& names);
  const char* of_futex(const trace::TraceLocation& location) const;
  void name_events(SourceNames& names);
  void find_sites(const std::vector<SourcePlace>& places, SourceNames& names);
  void name_object(SourceNames& names);
  PartyView view(const trace::Party& party, SourceNames& names) const;
  bool frees(const trace::Party& party) const;
  std::ptrdiff_t event_of(const trace::Party& party) const;
  void add_extra_row(std::size_t party, SourceNames& names);
  std::string extra_text(std::size_t party, SourceNames& names) const;
  void number_blocks(SourceNames& names);
  /// " #2" if the address lies in the second of several blocks that look alike.
  std::string block_number(std::uint64_t address) const;

  const trace::Bug& bug_;
  Rows rows_;
  std::vector<std::string> threads_;
  std::vector<ValueType> types_;                        // by location
  std::vector<std::string> initials_;                   // likewise
  std::vector<int> block_numbers_;                      // by object; 0: the only one of its kind
  std::map<std::string, std::set<std::string>> files_;  // full names by last part
  TableTexts texts_;
  std::vector<int> sites_;
  std::vector<PartyView> parties_;
  std::string message_, memory_, object_place_, freed_place_;
  SourcePlace allocated_;
  std::vector<SourcePlace> allocation_, end_of_block_;
  const trace::TraceObject* object_ = nullptr;
};

/// "writes 4 bytes" → "writes": how many hardly matters where there is a name.
std::string verb_of(const std::string& what);
/// "unlocks a mutex that nobody holds" → "unlocks mutex 'm', which nobody holds".
std::string misuse_text(std::string message, const std::string& memory);
/// "queue.cpp:41", "push()" without a file, or empty.
std::string place_text(const SourcePlace& place);

}  // namespace ordeal::report
