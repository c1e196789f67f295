#include "agent/native_trace.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/fiber.h"
#include "runtime/heap.h"
#include "runtime/tls.h"

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

/// An operation has one stack; the read and the write of an RMW share it. Returns the last stack of each location.
std::vector<std::uint32_t> add_stacks(runtime::NativeProgram& program, trace::Trace& trace) {
  std::vector<std::uint32_t> last(trace.locations.size(), 0);
  std::vector<std::size_t> next(trace.threads.size(), 0);
  for (trace::TraceEvent& event : trace.events) {
    const auto thread = static_cast<std::size_t>(event.name.thread);
    if (thread >= program.recorded().size()) continue;
    const std::vector<std::uint32_t>& stacks = program.recorded()[thread];
    const std::size_t at = next[thread];
    if (at < stacks.size()) {
      event.stack = runtime::Stacks::get(stacks[at]);
      if (event.location >= 0) last[static_cast<std::size_t>(event.location)] = stacks[at];
    }
    const bool more_follows = event.kind == model::EventKind::kRead && event.is_rmw;
    if (!more_follows) ++next[thread];
  }
  return last;
}

/// Looks for the module whose thread-local storage has an address, given as its distance from the thread pointer.
struct TlsSearch {
  std::uintptr_t distance;
  trace::TraceObject found;  // `address` is a distance, too
};

int look_at_module(dl_phdr_info* info, std::size_t, void* data) {
  TlsSearch& search = *static_cast<TlsSearch*>(data);
  for (int i = 0; i < info->dlpi_phnum && info->dlpi_tls_data != nullptr; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && search.found.module == 0) search.found.module = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_TLS) continue;
    search.found.address = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data) - runtime::Fiber::engine_thread_pointer();
    search.found.size = header.p_memsz;
  }
  if (search.found.size != 0 && search.distance - search.found.address < search.found.size) return 1;
  search.found = {};
  return 0;
}

/// Static storage is at the same distance from every thread's pointer.
trace::TraceObject thread_local_storage(std::uintptr_t address) {
  const int thread = runtime::TlsPool::find(address);
  if (thread < 0) return {};
  TlsSearch search{address - runtime::TlsPool::base(thread), {}};
  if (dl_iterate_phdr(&look_at_module, &search) == 0) return {};
  search.found.address += runtime::TlsPool::base(thread);
  search.found.thread = thread;
  return search.found;
}

trace::TraceObject frame_at(std::uintptr_t address, std::uint32_t moment) {
  const runtime::Stacks::Frame frame = runtime::Stacks::frame_of(address, moment);
  trace::TraceObject object;
  object.address = frame.begin;
  object.size = frame.end - frame.begin;
  object.frame = frame.code;
  if (frame.code != 0) object.thread = static_cast<std::int32_t>((address - runtime::kStackBase) / runtime::kStackStride);
  return object;
}

trace::TraceObject heap_block(std::uintptr_t address) {
  const runtime::Block block = runtime::ProgramHeap::find(address);
  return {block.address, block.size, block.thread, runtime::Stacks::get(block.allocated), block.freed_by, runtime::Stacks::get(block.freed)};
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
    trace.locations[l].sort = runtime::sort_in_trace(location.sort);
  }
  const std::vector<std::uint32_t> last = add_stacks(program, trace);
  for (std::size_t l = 0; l < trace.locations.size(); ++l) add_object(trace, trace.locations[l].address, last[l]);
  for (const trace::TraceEvent& event : trace.events)  // what pointers point to
    if (event.location >= 0 && trace.locations[static_cast<std::size_t>(event.location)].size == sizeof(void*))
      add_object(trace, static_cast<std::uintptr_t>(event.value), last[static_cast<std::size_t>(event.location)]);
  return trace;
}

void add_object(trace::Trace& trace, std::uintptr_t address, std::uint32_t moment) {
  const trace::TraceObject object = runtime::is_heap(address)    ? heap_block(address)
                                    : runtime::is_stack(address) ? frame_at(address, moment)
                                                                 : thread_local_storage(address);
  if (object.address == 0) return;
  for (const trace::TraceObject& known : trace.objects)
    if (known.address == object.address && known.frame == object.frame) return;
  trace.objects.push_back(object);
}

void add_nearest_block(trace::Trace& trace, std::uintptr_t address) {
  constexpr std::uintptr_t kFarthest = 4096;
  for (std::uintptr_t distance = 1; distance < kFarthest; ++distance)
    for (const std::uintptr_t near : {address - distance, address + distance})
      if (runtime::is_heap(near) && runtime::ProgramHeap::find(near).address != 0) return add_object(trace, near, 0);
}

std::string thread_name(int thread) { return thread == 0 ? "main" : "thread " + std::to_string(thread); }

namespace {

std::string describe_lock(const runtime::NativeLocation& mutex, int thread, std::string (*name_of)(int)) {
  if (mutex.sort == runtime::LocationSort::kSemaphore) return "waits for semaphore {}";
  const std::string waits = mutex.sort == runtime::LocationSort::kSharedMutex ? "waits for read-write lock {}" : "waits for mutex {}";
  if (mutex.holder < 0 && mutex.sort == runtime::LocationSort::kSharedMutex && mutex.depth > 0) return waits + ", held for reading";
  if (mutex.holder < 0) return waits;
  return waits + ", " + (mutex.holder == thread ? "which it holds already" : "held by " + name_of(mutex.holder));
}

}  // namespace

std::string describe_lost(bool is_passed_over) {
  return std::string("waits for a notification of {}, which has changed, and ") + (is_passed_over ? "notify_one may wake another thread" : "nobody notifies it");
}

std::string describe_wait(runtime::NativeProgram& program, int thread, const engine::Operation& operation, std::string (*name_of)(int)) {
  const bool has_location = operation.access.location != model::kNoLocation;
  switch (operation.kind) {
    case OperationKind::kLock: return describe_lock(program.location_table()[operation.access.location], thread, name_of);
    case OperationKind::kJoin: return "waits for the end of " + name_of(number(operation.access.other));
    case OperationKind::kAwait:
      switch (program.location_table()[operation.access.location].sort) {
        case runtime::LocationSort::kCondition: return "waits for a notification of {}";
        case runtime::LocationSort::kBarrier: return "waits at barrier {} for others to arrive";
        default: return "waits for a change of {}";
      }
    case OperationKind::kBlock:
      if (operation.cut == engine::Cut::kUnnotified) return describe_lost(false);
      return has_location ? "waits in a loop for a change of {}" : "waits in a loop";
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
