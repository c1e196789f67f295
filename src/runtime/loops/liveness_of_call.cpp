// Of a call on the running stack: the unwinder knows its function, and where that catches exceptions.
#include <unwind.h>

#include <map>
#include <utility>

#include "runtime/loops/code_paths.h"
#include "runtime/loops/liveness.h"
#include "runtime/loops/stack_liveness.h"
#include "runtime/scrub.h"
#include "runtime/stacks.h"

namespace ordeal::runtime {
namespace {

/// A function that runs.
struct Frame {
  std::uintptr_t function;
  bool is_found = false;
  const unsigned char* exceptions = nullptr;  // its table; nullptr: it catches none and cleans up nothing
};

_Unwind_Reason_Code look_for(_Unwind_Context* context, void* data) {
  Frame& frame = *static_cast<Frame*>(data);
  if (_Unwind_GetRegionStart(context) != frame.function) return _URC_NO_REASON;
  frame.is_found = true;
  frame.exceptions = static_cast<const unsigned char*>(_Unwind_GetLanguageSpecificData(context));
  return _URC_END_OF_STACK;
}

std::uint64_t read_uleb(const unsigned char*& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned char byte = *at++;
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

/// The table's form is that of the Itanium C++ ABI. False: it is written in a way that compilers do not use.
bool read_catches(const Frame& frame, std::vector<std::uintptr_t>& catches) {
  constexpr unsigned char kOmitted = 0xFF, kUleb = 0x01;
  if (frame.exceptions == nullptr) return true;
  const unsigned char* at = frame.exceptions;
  if (*at++ != kOmitted) return false;              // landing pads count from the function's beginning
  if (*at++ != kOmitted) read_uleb(at);             // where the types are
  if (*at++ != kUleb) return false;
  const std::uint64_t length = read_uleb(at);
  for (const unsigned char* end = at + length; at < end;) {
    read_uleb(at);  // the calls: their beginning, their length
    read_uleb(at);
    const std::uint64_t pad = read_uleb(at);
    read_uleb(at);  // what is done there
    if (pad != 0) catches.push_back(frame.function + pad);
  }
  return true;
}

struct Answer {
  std::uint8_t live = Liveness::kAll | Liveness::kResult;
  DeadBytes dead;
};

Answer look_at_call(std::uintptr_t site) {
  if (!Stacks::has_room_to_walk()) return {};
  Frame frame{Liveness::function_of(site)};
  _Unwind_Backtrace(&look_for, &frame);
  std::vector<std::uintptr_t> catches;
  if (!frame.is_found || !read_catches(frame, catches)) return {};
  const bool is_function = CodePaths::is_instrumented(frame.function);
  return {Liveness::look_at(site, frame.function, catches), is_function ? StackLiveness::look_at(site, frame.function, catches, &CodePaths::callee_at) : DeadBytes{}};
}

std::map<std::uintptr_t, Answer> known;

const Answer& answer_of(std::uintptr_t site) {
  const auto found = known.find(site);
  if (found != known.end()) return found->second;
  Answer answer = look_at_call(site);
  scrub_stack_deep();
  return known[site] = std::move(answer);
}

}  // namespace

std::uint8_t Liveness::behind(std::uintptr_t site) { return answer_of(site).live & kAll; }
bool Liveness::is_result_used(std::uintptr_t site) { return (answer_of(site).live & kResult) != 0; }
const DeadBytes& StackLiveness::after(std::uintptr_t site) { return answer_of(site).dead; }

}  // namespace ordeal::runtime
