#include "agent/leaks.h"

#include <map>
#include <set>
#include <utility>

#include <link.h>
#include <unistd.h>

#include "model/completion.h"
#include "runtime/fiber.h"
#include "runtime/modules.h"
#include "runtime/snapshot.h"
#include "runtime/tls.h"

namespace ordeal::agent {

using runtime::Block;
using runtime::NativeProgram;
using runtime::ProgramHeap;
using runtime::Thread;

namespace {

/// The upper bits of a pointer may be used for something else.
constexpr std::uintptr_t kAddressBits = (std::uintptr_t{1} << 48) - 1;

/// Marks what is reachable.
class Marking {
 public:
  explicit Marking(std::map<std::uintptr_t, bool>& reached) : reached_(reached) {}

  void follow(std::uintptr_t word) {
    const std::uintptr_t address = word & kAddressBits;
    if (!runtime::is_heap(address)) return;
    const Block block = ProgramHeap::find(address);
    const auto found = reached_.find(block.address);
    if (found == reached_.end() || found->second) return;
    found->second = true;
    left_.push_back(block);
  }
  void scan(std::uintptr_t begin, std::uintptr_t end) {
    for (std::uintptr_t at = (begin + 7) / 8 * 8; at + 8 <= end; at += 8)
      follow(*reinterpret_cast<const std::uintptr_t*>(at));
  }
  /// All that these lead to. Returns how many.
  std::size_t finish() {
    std::size_t count = 0;
    for (; !left_.empty(); ++count) {
      const Block block = left_.back();
      left_.pop_back();
      scan(block.address, block.address + block.size);
    }
    return count;
  }

 private:
  std::map<std::uintptr_t, bool>& reached_;  // live blocks
  std::vector<Block> left_;
};

/// What libraries that are not put back hold: buffers of streams and the like.
int scan_module(dl_phdr_info* info, std::size_t, void* data) {
  if (runtime::is_restored_module(*info) || runtime::is_ours(info->dlpi_addr + info->dlpi_phdr[0].p_vaddr)) return 0;
  std::uintptr_t read_only_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
      read_only_end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    static_cast<Marking*>(data)->scan(std::max(begin, read_only_end), begin + header.p_memsz);
  }
  return 0;
}

void scan_thread(const Thread& thread, Marking& marking) {
  const bool is_over = thread.state == Thread::State::kFinished || thread.state == Thread::State::kUnused;
  if (thread.exit_stack != 0)
    marking.scan(thread.exit_stack, runtime::stack_end(thread.id));
  else if (thread.state == Thread::State::kRunning)
    marking.scan(thread.fiber.stack_pointer(), runtime::stack_end(thread.id));
  if (thread.state == Thread::State::kFinished && !thread.is_joined && !thread.is_detached)
    marking.follow(reinterpret_cast<std::uintptr_t>(thread.returned));
  if (is_over && thread.exit_stack == 0) return;
  marking.follow(reinterpret_cast<std::uintptr_t>(thread.argument));
  for (const void* value : thread.keys) marking.follow(reinterpret_cast<std::uintptr_t>(value));
  for (int i = 0; i < thread.destructor_count; ++i)
    marking.follow(reinterpret_cast<std::uintptr_t>(thread.destructors[i].object));
  const std::uintptr_t storage = runtime::TlsPool::base(thread.id);
  marking.scan(storage - runtime::TlsPool::size(), storage);
}

void scan_roots(NativeProgram& program, Marking& marking) {
  runtime::Snapshot::for_each_written([&](const void* data, std::size_t size) {
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    marking.scan(begin, begin + size);
  });
  dl_iterate_phdr(&scan_module, &marking);
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    marking.follow(reinterpret_cast<std::uintptr_t>(*variable));
  for (int t = 0; t < program.thread_count(); ++t) scan_thread(program.thread(t), marking);
}

/// Calls `visit(address)` for the blocks that this one points to.
template <class Visit>
void for_each_target(const Block& block, Visit&& visit) {
  for (std::uintptr_t at = (block.address + 7) / 8 * 8; at + 8 <= block.address + block.size; at += 8)
    if (const Block target = ProgramHeap::find(*reinterpret_cast<const std::uintptr_t*>(at) & kAddressBits);
        target.address != 0)
      visit(target.address);
}

/// Those that no other lost block leads to; of a circle the first.
std::vector<Leak> heads_of(const std::vector<Block>& lost) {
  std::map<std::uintptr_t, bool> reached;
  std::set<std::uintptr_t> targets;
  for (const Block& block : lost) {
    reached[block.address] = false;
    for_each_target(block, [&](std::uintptr_t target) {
      if (target != block.address) targets.insert(target);
    });
  }
  Marking marking(reached);
  std::vector<Leak> heads;
  for (const bool takes_circles : {false, true})
    for (const Block& block : lost) {
      if (reached[block.address] || (!takes_circles && targets.contains(block.address))) continue;
      marking.follow(block.address);
      heads.push_back({block, marking.finish() - 1});
    }
  return heads;
}

std::vector<Leak> leaks_now(NativeProgram& program) {
  std::map<std::uintptr_t, bool> reached;
  ProgramHeap::for_each_live([&](const Block& block) { reached[block.address] = false; });
  if (reached.empty()) return {};
  Marking marking(reached);
  scan_roots(program, marking);
  marking.finish();
  std::vector<Block> lost;
  for (const auto& [address, is_reached] : reached)
    if (!is_reached) lost.push_back(ProgramHeap::find(address));
  return heads_of(lost);
}

/// Atomic objects that hold pointers, where the last write may be another than the one in memory.
std::vector<model::LocationId> open_locations(NativeProgram& program, const model::ExecutionGraph& graph) {
  std::vector<model::LocationId> open;
  for (int l = 0; l < program.location_table().count(); ++l) {
    const model::LocationId id{l};
    const runtime::NativeLocation& location = std::as_const(program.location_table())[id];
    if (location.sort != runtime::LocationSort::kMemory || location.size < sizeof(void*) ||
        !program.location_table().is_known(location.address, location.size) || !program.location_table().has_all_bytes(id))
      continue;
    if (runtime::is_stack(location.address)) continue;  // nothing is left of most, and who still runs has what it uses
    if (graph.writes_at(id) > 1 && program.location_table().load(location.address, location.size) == location.held)
      open.push_back(id);
  }
  return open;
}

}  // namespace

std::vector<Leak> find_leaks(NativeProgram& program, const engine::Execution& execution,
                             model::Consistency& consistency) {
  const std::vector<model::LocationId> open = open_locations(program, execution.graph);
  if (open.empty()) return leaks_now(program);
  std::vector<Leak> leaks;
  runtime::Locations& locations = program.location_table();
  model::ExecutionGraph graph = execution.graph;
  model::for_each_final_memory(graph, consistency, open, [&](std::span<const model::Slot> last) {
    for (std::size_t i = 0; i < open.size(); ++i) {
      const runtime::NativeLocation& location = std::as_const(locations)[open[i]];
      locations.store(location.address, location.size, graph.event(last[i]).value);
    }
    leaks = leaks_now(program);
    return leaks.empty();
  });
  for (const model::LocationId id : open) {
    const runtime::NativeLocation& location = std::as_const(locations)[id];
    locations.store(location.address, location.size, location.held);
  }
  return leaks;
}

}  // namespace ordeal::agent
