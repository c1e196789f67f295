#include "trace/format.h"

#include "trace/trace_reader.h"
#include "trace/trace_words.h"

namespace ordeal::trace {
namespace {

void append_name(std::string& out, const EventName& name) {
  out += name.thread < 0 ? "initial" : std::to_string(name.thread);
  (out += '.') += std::to_string(name.index);
}

void append_location(std::string& out, const TraceLocation& location) {
  append_quoted(out += "location ", location.name);
  append_field(out, " ", location.initial);
  if (location.address != 0) append_address(out += " address=", location.address);
  if (location.size != 0) append_field(out, " size=", location.size);
  if (location.sort != LocationSort::kMemory)
    (out += " sort=") += kSortWords.at(static_cast<std::size_t>(location.sort));
  out += '\n';
}

void append_object(std::string& out, const TraceObject& object) {
  append_address(out += "object address=", object.address);
  append_field(out, " size=", object.size);
  if (object.thread >= 0) append_field(out, " thread=", object.thread);
  if (!object.allocated.empty()) append_stack(out += " allocated=", object.allocated);
  if (object.freed_by >= 0) {
    append_field(out, " freed_by=", object.freed_by);
    if (!object.freed.empty()) append_stack(out += " freed=", object.freed);
  }
  if (object.frame != 0) append_address(out += " frame=", object.frame);
  if (object.module != 0) append_address(out += " module=", object.module);
  out += '\n';
}

void append_event(std::string& out, const TraceEvent& event) {
  append_name(out += "event ", event.name);
  (out += ' ') += kKindWords.at(static_cast<std::size_t>(event.kind));
  (out += ' ') += kOrderWords.at(static_cast<std::size_t>(event.order));
  append_field(out, " inserted=", event.inserted);
  if (event.location != -1) append_field(out, " location=", event.location);
  if (event.value != 0) append_field(out, " value=", event.value);
  if (event.rf != EventName{}) append_name(out += " rf=", event.rf);
  if (event.mo_position != 0) append_field(out, " mo=", event.mo_position);
  if (event.line != 0) append_field(out, " line=", event.line);
  if (event.is_rmw) out += " rmw";
  if (event.failed_spuriously) out += " spurious";
  if (has_other(event) && event.other >= 0) append_field(out, " other=", event.other);
  if (event.woken != -1) append_field(out, " woken=", event.woken);
  if (event.about != model::ChoiceOf::kProgram) (out += " about=") += kChoiceWords.at(static_cast<std::size_t>(event.about));
  if (event.expected) {
    append_field(out, " expected=", *event.expected);
    (out += " otherwise=") += kOrderWords.at(static_cast<std::size_t>(event.otherwise));
    if (event.is_weak) out += " weak";
  }
  if (!event.stack.empty()) append_stack(out += " stack=", event.stack);
  out += '\n';
}

}  // namespace

std::string write(const Trace& trace) {
  std::string out;
  append_field(out, kTraceMagic, kFormatVersion);
  append_quoted(out += "\nprogram ", trace.program);
  append_quoted(out += "\nmodel ", trace.model);
  ((out += "\nending ") += kEndingWords.at(static_cast<std::size_t>(trace.ending))) += '\n';
  for (const std::string& thread : trace.threads) {
    append_quoted(out += "thread ", thread);
    out += '\n';
  }
  for (const TraceLocation& location : trace.locations) append_location(out, location);
  for (const TraceObject& object : trace.objects) append_object(out, object);
  for (const TraceEvent& event : trace.events) append_event(out, event);
  return out += "end\n";
}

Trace read(std::string_view text) {
  Lines lines(text);
  Trace trace = TraceReader(lines).read();
  if (!lines.is_at_end()) throw FormatError(lines.number() + 1, "expected nothing behind 'end'");
  return trace;
}

}  // namespace ordeal::trace
