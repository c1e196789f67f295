#include "runtime/loops/stack_liveness.h"

#include <cstring>

#include "runtime/decoder.h"
#include "runtime/loops/liveness.h"

namespace ordeal::runtime {
namespace {

constexpr int kMostFrames = 32;

void add_dead(const FrameAfterCall& frame, std::intptr_t stack, DeadBytes& dead) {
  for (int offset = frame.stack; offset < 0; ++offset)
    if (!frame.live[Places::of(Value::kFrame, offset).index]) dead.add(stack + offset - frame.stack);
}

}  // namespace

DeadBytes StackLiveness::look_at(std::uintptr_t site, const unsigned char* stack, std::size_t size, const CodeReader& reader) {
  DeadBytes dead;
  Places::Bytes inner;
  std::uintptr_t inner_function = 0;
  std::intptr_t at = 0;
  for (int i = 0; i < kMostFrames && zydis().is_there; ++i) {
    const std::uintptr_t function = Liveness::function_of(site);
    if (function == 0 || !reader.is_function(function)) break;
    const FunctionFrame& code = FunctionFrame::of(function, reader);
    const auto call = code.calls.find(site);
    if (!code.is_known || call == code.calls.end()) break;
    FrameAfterCall frame = call->second;
    if (i > 0 && (frame.function != inner_function || !FunctionFrame::add_callee(frame, inner))) break;
    const std::intptr_t end = at - frame.stack;  // where it returns to
    if (end + static_cast<std::intptr_t>(sizeof site) > static_cast<std::intptr_t>(size)) break;
    add_dead(frame, at, dead);
    inner = frame.live;
    inner_function = function;
    std::memcpy(&site, stack + end, sizeof site);
    dead.returns.push_back({end, site});
    at = end + static_cast<std::intptr_t>(sizeof site);
  }
  return dead;
}

}  // namespace ordeal::runtime
