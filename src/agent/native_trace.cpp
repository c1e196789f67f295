#include "agent/native_trace.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/heap.h"

namespace ordeal::agent {

using engine::OperationKind;

namespace {

class NativeNames final : public trace::Names {
 public:
  std::string thread(model::ThreadId thread) const override {
    return number(thread) == 0 ? "main" : "thread " + std::to_string(number(thread));
  }
  std::string location(model::LocationId) const override { return {}; }
  std::uint32_t line(const model::Event&) const override { return 0; }
};

/// An operation has one stack; the read and the write of an RMW share it.
void add_stacks(runtime::NativeProgram& program, trace::Trace& trace) {
  std::vector<std::size_t> next(trace.threads.size(), 0);
  for (trace::TraceEvent& event : trace.events) {
    const auto thread = static_cast<std::size_t>(event.name.thread);
    if (thread >= program.recorded().size()) continue;
    const std::vector<std::uint32_t>& stacks = program.recorded()[thread];
    const std::size_t at = next[thread];
    if (at < stacks.size()) event.stack = runtime::Stacks::get(stacks[at]);
    const bool more_follows = event.kind == model::EventKind::kRead && event.is_rmw;
    if (!more_follows) ++next[thread];
  }
}

}  // namespace

trace::Trace native_trace(runtime::NativeProgram& program, const engine::Execution& execution, std::string model) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  trace::Trace trace = trace::record(execution, NativeNames{}, length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "", std::move(model));
  for (std::size_t l = 0; l < trace.locations.size(); ++l) {
    const runtime::NativeLocation& location = program.location_table()[model::LocationId{static_cast<int>(l)}];
    trace.locations[l].address = location.address;
    trace.locations[l].size = location.size;
    add_object(trace, location.address);
  }
  add_stacks(program, trace);
  return trace;
}

void add_object(trace::Trace& trace, std::uintptr_t address) {
  const runtime::Block block = runtime::ProgramHeap::find(address);
  if (block.address == 0) return;
  for (const trace::TraceObject& known : trace.objects)
    if (known.address == block.address) return;
  trace.objects.push_back({block.address, block.size, block.thread, runtime::Stacks::get(block.allocated), block.freed_by, runtime::Stacks::get(block.freed)});
}

std::string describe_wait(runtime::NativeProgram& program, const engine::Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kLock: {
      const int holder = program.location_table()[operation.access.location].holder;
      if (holder < 0) return "waits for a mutex";
      return "waits for a mutex that " + (holder == 0 ? "main" : "thread " + std::to_string(holder)) + " holds";
    }
    case OperationKind::kJoin: return "waits for the end of thread " + std::to_string(number(operation.access.other));
    case OperationKind::kAwait: return "waits to be woken up";
    case OperationKind::kBlock: return "waits in a loop for a value";
    default: return {};
  }
}

std::uintptr_t address_of(runtime::NativeProgram& program, const engine::Operation& operation) {
  if (operation.access.location == model::kNoLocation) return 0;
  return program.location_table()[operation.access.location].address;
}

namespace {

std::string build_id(const dl_phdr_info& info) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string id;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const unsigned char*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    const unsigned char* end = at + info.dlpi_phdr[i].p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const unsigned char* content = at + sizeof *note + (note->n_namesz + 3) / 4 * 4;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4)
        for (unsigned b = 0; b < note->n_descsz; ++b) (id += kDigits[content[b] >> 4]) += kDigits[content[b] & 15];
      at = content + (note->n_descsz + 3) / 4 * 4;
    }
  }
  return id;
}

int add_module(dl_phdr_info* info, std::size_t, void* list) {
  auto& modules = *static_cast<std::vector<trace::Module>*>(list);
  trace::Module module;
  module.path = info->dlpi_name;
  if (modules.empty()) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) module.path.assign(path, static_cast<std::size_t>(length));
  }
  module.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      module.end = std::max<std::uint64_t>(module.end, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
  module.build_id = build_id(*info);
  modules.push_back(module);
  return 0;
}

}  // namespace

std::vector<trace::Module> modules() {
  std::vector<trace::Module> list;
  dl_iterate_phdr(&add_module, &list);
  return list;
}

}  // namespace ordeal::agent
