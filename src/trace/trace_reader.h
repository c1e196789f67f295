// Reads the text of one trace, of which format.h tells the form and the promises; also where it stands inside another text.
#pragma once

#include <vector>

#include "trace/line.h"
#include "trace/trace.h"

namespace ordeal::trace {

class TraceReader {
 public:
  explicit TraceReader(Lines& lines) : lines_(lines) {}
  /// From its first line to its line `end`. To be called once. Throws FormatError.
  Trace read();

 private:
  void read_header();
  void read_location(Line& line);
  void read_object(Line& line);
  void read_event(Line& line);
  void read_fields(Line& line, TraceEvent& event) const;
  EventName read_source(Line& line) const;
  void check_sources() const;
  bool is_write_to(const EventName& name, std::int32_t location) const;
  void check_insertion() const;
  [[noreturn]] void fail_event(std::size_t event, const char* message) const;

  Lines& lines_;
  int first_event_line_ = 0;
  Trace trace_;
  std::vector<std::vector<std::size_t>> by_thread_;  // thread, index → place in trace_.events
};

}  // namespace ordeal::trace
