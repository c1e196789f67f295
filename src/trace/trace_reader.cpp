#include "trace/trace_reader.h"

#include <utility>

#include "trace/format.h"
#include "trace/trace_words.h"

namespace ordeal::trace {

using model::EventKind;

Trace TraceReader::read() {
  expect_version(lines_, kTraceMagic, kFormatVersion, "trace");
  read_header();
  Line line = lines_.next();
  for (; line.take("thread "); line = lines_.next()) {
    trace_.threads.push_back(line.quoted("the thread's name in quotes"));
    line.expect_end("the end of the line behind the thread's name");
  }
  for (; line.take("location "); line = lines_.next()) read_location(line);
  for (; line.take("object "); line = lines_.next()) read_object(line);
  first_event_line_ = line.number();
  by_thread_.resize(trace_.threads.size());
  for (; line.take("event "); line = lines_.next()) read_event(line);
  line.expect("end", trace_.events.empty() ? "'thread', 'location', 'object', 'event' or 'end'" : "'event' or 'end'");
  line.expect_end("the end of the line behind 'end'");
  check_sources();
  check_insertion();
  return std::move(trace_);
}

void TraceReader::read_header() {
  Line program = lines_.next();
  program.expect("program ", "'program'");
  trace_.program = program.quoted("the program's name in quotes");
  program.expect_end("the end of the line behind the program's name");
  Line model = lines_.next();
  model.expect("model ", "'model'");
  trace_.model = model.quoted("the model's name in quotes");
  model.expect_end("the end of the line behind the model's name");
  Line ending = lines_.next();
  ending.expect("ending ", "'ending'");
  trace_.ending = ending.word<engine::Ending>(kEndingWords, "'complete' or 'blocked'");
  ending.expect_end("the end of the line behind the ending");
}

void TraceReader::read_location(Line& line) {
  TraceLocation location;
  location.name = line.quoted("the location's name in quotes");
  line.expect(" ", "a space and the initial value");
  location.initial = line.number<model::Value>("the initial value, a number of 64 bits");
  if (line.take(" address=")) location.address = line.address();
  if (line.take(" size=")) location.size = line.number<std::uint32_t>("a number of bytes");
  if (line.take(" sort=")) location.sort = line.word<LocationSort>(kSortWords, "memory, mutex, condition, shared-mutex, semaphore, barrier or files");
  line.expect_end("' address=', ' size=', ' sort=' or the end of the line behind the initial value");
  trace_.locations.push_back(std::move(location));
}

void TraceReader::read_object(Line& line) {
  TraceObject object;
  line.expect("address=", "'address='");
  object.address = line.address();
  line.expect(" size=", "' size='");
  object.size = line.number<std::uint64_t>("a number of bytes");
  if (line.take(" thread=")) object.thread = line.number_from(0, "the number of a thread");
  if (line.take(" allocated=")) object.allocated = line.stack();
  if (line.take(" freed_by=")) {  // F6
    object.freed_by = line.number_from(0, "the number of a thread");
    if (line.take(" freed=")) object.freed = line.stack();
  }
  if (line.take(" frame=")) object.frame = line.address();
  if (line.take(" module=")) object.module = line.address();
  line.expect_end(
      "another field of an object (in the order thread, allocated, freed_by, freed, frame, module) or the end of the "
      "line");
  trace_.objects.push_back(std::move(object));
}

void TraceReader::read_event(Line& line) {
  TraceEvent event;
  event.name.thread = line.number_below(trace_.threads.size(), "the number of one of the threads");  // F1
  std::vector<std::size_t>& events = by_thread_[static_cast<std::size_t>(event.name.thread)];
  event.name.index = static_cast<std::int32_t>(events.size());
  line.expect("." + std::to_string(events.size()) + " ",
              "'." + std::to_string(events.size()) + "', the next event of its thread");
  event.kind = line.word<EventKind>(kKindWords, "read, write, fence, create, join, choice, note or wake");
  line.expect(" ", "a space and the memory order");
  event.order = line.word<model::MemoryOrder>(kOrderWords, "plain, relaxed, acquire, release, acq_rel or seq_cst");
  line.expect(" inserted=", "' inserted='");
  event.inserted = line.number<std::uint32_t>("the event's place in insertion order");
  read_fields(line, event);
  events.push_back(trace_.events.size());
  trace_.events.push_back(std::move(event));
}

void TraceReader::read_fields(Line& line, TraceEvent& event) const {
  if (is_access(event) || has_source(event)) {  // F2
    line.expect(" location=", "' location=', because this event is an access");
    event.location = line.number_below(trace_.locations.size(), "the number of one of the locations");
  }
  if (line.take(" value=")) event.value = line.number<model::Value>("a value of 64 bits");
  if (has_source(event)) {  // F3
    line.expect(" rf=", "' rf=', because this event is a read");
    event.rf = read_source(line);
  }
  if (event.kind == EventKind::kWrite && line.take(" mo="))
    event.mo_position = line.number_from(1, "a position in modification order");
  if (line.take(" line=")) event.line = line.number<std::uint32_t>("the number of a line in the source");
  event.is_rmw = is_access(event) && line.take(" rmw");
  event.failed_spuriously = event.kind == EventKind::kRead && line.take(" spurious");
  if (has_other(event) && line.take(" other=")) event.other = line.number_from(0, "the number of a thread");
  if (event.kind == EventKind::kRead && line.take(" woken="))
    event.woken = line.number_below(64, "the number of a bit, 0 to 63");
  if (event.kind == EventKind::kChoice && line.take(" about=")) event.about = line.word<model::ChoiceOf>(kChoiceWords, "wake-up, time-limit, time, notification or waiter");
  if (event.kind == EventKind::kRead && line.take(" expected=")) {
    event.expected = line.number<model::Value>("a value of 64 bits");
    line.expect(" otherwise=", "' otherwise='");
    event.otherwise = line.word<model::MemoryOrder>(kOrderWords, "plain, relaxed, acquire, release, acq_rel or seq_cst");
    event.is_weak = line.take(" weak");
  }
  if (line.take(" stack=")) event.stack = line.stack();
  line.expect_end(
      "another field of such an event (in the order value, rf, mo, line, rmw, spurious, other, woken, about, expected, stack) or the end "
      "of the line");
}

EventName TraceReader::read_source(Line& line) const {
  EventName source;
  if (!line.take("initial"))
    source.thread = line.number_below(trace_.threads.size(), "'initial' or the number of one of the threads");
  line.expect(".", "'.' behind the thread");
  source.index = line.number<std::int32_t>("a number behind '.'");
  return source;
}

// F3. The source may stand behind the read: not in what is written today, but in load buffering.
void TraceReader::check_sources() const {
  for (std::size_t i = 0; i < trace_.events.size(); ++i) {
    const TraceEvent& event = trace_.events[i];
    if (has_source(event) && !is_write_to(event.rf, event.location))
      fail_event(i, "expected an rf that names a write to the same location");
  }
}

bool TraceReader::is_write_to(const EventName& name, std::int32_t location) const {
  if (name.thread < 0) return name.index == location;
  const std::vector<std::size_t>& events = by_thread_[static_cast<std::size_t>(name.thread)];
  if (name.index < 0 || static_cast<std::size_t>(name.index) >= events.size()) return false;
  const TraceEvent& source = trace_.events[events[static_cast<std::size_t>(name.index)]];
  return source.kind == EventKind::kWrite && source.location == location;
}

void TraceReader::check_insertion() const {  // F4
  std::vector<char> is_used(trace_.events.size(), 0);
  for (std::size_t i = 0; i < trace_.events.size(); ++i) {
    const std::uint32_t place = trace_.events[i].inserted;
    if (place >= is_used.size()) fail_event(i, "expected an inserted= below the number of events");
    if (is_used[place] != 0) fail_event(i, "expected an inserted= that no other event has");
    is_used[place] = 1;
  }
}

void TraceReader::fail_event(std::size_t event, const char* message) const {
  throw FormatError(first_event_line_ + static_cast<int>(event), message);
}

}  // namespace ordeal::trace
