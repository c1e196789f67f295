#include "symbols/symbols.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "symbols/code_lookup.h"
#include "symbols/die.h"
#include "symbols/heap_type.h"
#include "symbols/local_variable.h"
#include "symbols/member_path.h"
#include "symbols/module_file.h"

namespace ordeal::symbols {
namespace {

std::string hexadecimal(std::uint64_t number) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[number & 15]);
  while ((number >>= 4) != 0);
  return "0x" + digits;
}

std::string bytes(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

std::string thread_name(const std::vector<std::string>& threads, std::int32_t thread) {
  if (thread >= 0 && static_cast<std::size_t>(thread) < threads.size())
    return threads[static_cast<std::size_t>(thread)];
  return thread < 0 ? "a thread" : "thread " + std::to_string(thread);
}

std::string place(const Frame& frame) {
  if (frame.file.empty()) return frame.function;
  return std::filesystem::path(frame.file).filename().string() + ":" + std::to_string(frame.line);
}

/// The object that has this byte, else the nearest within a page.
const trace::TraceObject* object_near(const std::vector<trace::TraceObject>& objects, std::uint64_t address) {
  constexpr std::uint64_t kNear = 4096;
  const trace::TraceObject* best = nullptr;
  std::uint64_t distance = kNear;
  for (const trace::TraceObject& object : objects) {
    if (address >= object.address && address - object.address < object.size) return &object;
    const std::uint64_t gap =
        address < object.address ? object.address - address : address - object.address - object.size + 1;
    if (gap < distance && !object.allocated.empty()) best = &object, distance = gap;
  }
  return best;
}

/// The part of a variable that lies at the offset.
DataName part_of(ModuleFile& file, Dwarf_Die variable, std::uint64_t offset, std::uint64_t size) {
  DataName name{qualified_name(variable), "", true};
  const auto type = type_of(variable);
  if (!type || name.name.empty()) return name;
  const Part part = member_path(file, *type, offset, size);
  name.name += part.path;
  if (part.type) name.type = value_type(*part.type, size);
  return name;
}

}  // namespace

std::string shortened(const std::string& function) {
  constexpr std::size_t kLongest = 48;
  if (function.size() <= kLongest || function.find("operator<") != std::string::npos) return function;
  std::string text;
  int depth = 0;
  for (const char c : function) {
    if (c == '<' && depth++ == 0) text += "<…>";
    if (depth == 0) text += c;
    if (c == '>' && depth > 0) --depth;
  }
  return text;
}

Symbols::Symbols(const std::vector<trace::Module>& modules, Options options)
    : options_(std::move(options)), modules_(modules), files_(modules.size()) {
  std::error_code ignored;
  if (options_.directory.empty()) options_.directory = std::filesystem::current_path(ignored).string();
  if (!options_.directory.ends_with('/')) options_.directory += '/';
}

Symbols::~Symbols() = default;

ModuleFile* Symbols::module_of(std::uint64_t address) {
  std::size_t best = modules_.size();
  for (std::size_t i = 0; i < modules_.size(); ++i) {
    if (address < modules_[i].base || address >= modules_[i].end) continue;
    if (best == modules_.size() || modules_[i].base > modules_[best].base) best = i;
  }
  if (best == modules_.size()) return nullptr;
  std::unique_ptr<ModuleFile>& file = files_[best];
  if (file == nullptr) {
    file = std::make_unique<ModuleFile>(modules_[best]);
    if (!file->problem().empty() && !is_system(file->path())) remarks_.push_back(file->problem());
  }
  return file.get();
}

bool Symbols::is_system(const std::string& file) const {
  if (file.find("/ordeal/inside/") != std::string::npos) return true;  // in place of the library's own headers
  if (file.find("/libstdc++-v3/") != std::string::npos || file.find("/libordeal") != std::string::npos) return true;
  return std::any_of(options_.system_directories.begin(), options_.system_directories.end(),
                     [&](const std::string& directory) { return file.starts_with(directory); });
}

std::string Symbols::relative(const std::string& file) const {
  return file.starts_with(options_.directory) ? file.substr(options_.directory.size()) : file;
}

Frame Symbols::shown(const RawFrame& frame) const {
  return {shortened(frame.function), relative(frame.file), frame.line, frame.column,
          !frame.file.empty() && frame.line != 0 && !is_system(frame.file)};
}

const std::vector<RawFrame>& Symbols::raw_frames(trace::CodeAddress address) {
  const auto [entry, is_new] = cache_.try_emplace(address);
  auto& [raw, frames] = entry->second;
  if (is_new) {
    ModuleFile* file = address == 0 ? nullptr : module_of(address - 1);
    raw = file == nullptr ? std::vector<RawFrame>(1) : code_frames(*file, address);
    for (const RawFrame& frame : raw) {
      frames.push_back(shown(frame));
      if (file != nullptr && is_system(file->path())) frames.back().is_user = false;
    }
  }
  return raw;
}

const std::vector<Frame>& Symbols::frames(trace::CodeAddress address) {
  raw_frames(address);
  return cache_.at(address).second;
}

std::vector<Frame> Symbols::user_frames(const std::vector<trace::CodeAddress>& stack) {
  std::vector<Frame> found;
  for (const trace::CodeAddress address : stack)
    for (const Frame& frame : frames(address))
      if (frame.is_user) found.push_back(frame);
  return found;
}

bool Symbols::is_direct(const std::vector<trace::CodeAddress>& stack) {
  for (const trace::CodeAddress address : stack)
    for (const Frame& frame : frames(address)) {
      if (frame.is_user) return true;
      const std::string name = frame.file.substr(frame.file.rfind('/') + 1);
      const bool is_atomic = name == "atomic" || name == "atomic_base.h" || name == "stdatomic.h" || name == "weak_compare_exchange.h" ||
                             frame.file.find("/__atomic/") != std::string::npos;
      if (!is_atomic) return false;
    }
  return false;
}

Frame Symbols::user_frame(const std::vector<trace::CodeAddress>& stack) {
  Frame second_best;
  for (const trace::CodeAddress address : stack)
    for (const Frame& frame : frames(address)) {
      if (frame.is_user) return frame;
      const bool is_better = second_best.line == 0 && (frame.line != 0 || second_best.function.empty());
      if (is_better) second_best = frame;
    }
  return second_best;
}

DataName Symbols::data(std::uint64_t address, std::uint64_t size, const std::vector<trace::TraceObject>& objects,
                       const std::vector<std::string>& threads) {
  const trace::TraceObject* object = object_near(objects, address);
  if (object != nullptr && address >= object->address && address - object->address < object->size)
    return in_object(*object, address, size, threads);
  const DataName name = global(address, size);
  return name.is_variable || object == nullptr ? name : in_object(*object, address, size, threads);
}

const DataName& Symbols::global(std::uint64_t address, std::uint64_t size) {
  const auto [entry, is_new] = globals_.try_emplace({address, size});
  if (is_new) entry->second = find_global(address, size);
  return entry->second;
}

DataName Symbols::find_global(std::uint64_t address, std::uint64_t size) {
  ModuleFile* file = module_of(address);
  if (file == nullptr) return {hexadecimal(address), "the memory at " + hexadecimal(address), false};
  const std::uint64_t wanted = address - file->base();
  auto variable = file->variable(wanted);
  std::optional<std::pair<std::string, std::uint64_t>> symbol;
  if (!variable) symbol = file->symbol(wanted, STT_OBJECT);
  if (symbol) variable = file->variable(wanted - symbol->second);  // its type is complete elsewhere
  Dwarf_Die die{};
  if (variable && dwarf_offdie(file->dwarf(), variable->die, &die) != nullptr) {
    DataName name = part_of(*file, die, wanted - variable->address, size);
    if (!name.name.empty()) return name;
  }
  if (!symbol) return {hexadecimal(address), "the memory at " + hexadecimal(address), false};
  return {demangled(symbol->first) + (symbol->second == 0 ? "" : "+" + std::to_string(symbol->second)), "", true};
}

DataName Symbols::in_object(const trace::TraceObject& object, std::uint64_t address, std::uint64_t size,
                            const std::vector<std::string>& threads) {
  if (object.allocated.empty()) {
    DataName name = object.frame != 0    ? in_frame(object, address, size)
                    : object.module != 0 ? in_thread_local(object, address, size)
                                         : DataName{};
    if (object.module != 0 && !name.name.empty()) name.owner = "thread-local of " + thread_name(threads, object.thread);
    if (!name.name.empty()) return name;
    if (object.module != 0)
      return {hexadecimal(address), "a thread-local variable of " + thread_name(threads, object.thread), false};
    const std::string owner = thread_name(threads, object.thread);
    return {"stack of " + owner + "+" + hexadecimal(address - object.address), "a variable on the stack of " + owner,
            false};
  }
  const Frame frame = user_frame(object.allocated);
  const std::string allocated = "a block of " + bytes(object.size) + " allocated at " + place(frame);
  if (address < object.address)
    return {"block@" + place(frame) + "-" + std::to_string(object.address - address),
            "the memory " + bytes(object.address - address) + " before " + allocated, false};
  const std::uint64_t offset = address - object.address;
  if (offset >= object.size)
    return {"block@" + place(frame) + "+" + std::to_string(offset),
            "the memory " + (offset == object.size ? "right" : bytes(offset - object.size)) + " behind " + allocated,
            false};
  DataName typed = typed_name(object, offset, size);
  typed.description = "in " + allocated;
  if (!typed.name.empty()) return typed;
  return {"block@" + place(frame) + (offset == 0 ? "" : "+" + std::to_string(offset)),
          allocated + ", byte " + std::to_string(offset), false};
}

/// In libstdc++'s control block, behind its pointer to virtual functions.
static std::string counter_name(std::uint64_t offset, std::uint64_t size) {
  constexpr std::uint64_t kUse = 8, kWeak = 12, kCounter = 4;
  if (size != kCounter || (offset != kUse && offset != kWeak)) return "counters";
  return offset == kUse ? "use count" : "weak count";
}

DataName Symbols::typed_name(const trace::TraceObject& object, std::uint64_t offset, std::uint64_t size) {
  std::vector<RawFrame> frames;
  ModuleFile* file = nullptr;
  for (const trace::CodeAddress address : object.allocated) {
    for (const RawFrame& frame : raw_frames(address)) {
      frames.push_back(frame);
      if (!shown(frame).is_user) continue;
      file = module_of(address - 1);
      break;
    }
    if (file != nullptr) break;
  }
  const auto type = file == nullptr ? std::nullopt : heap_type(*file, frames, frames.back(), object.size);
  if (!type) return {};
  if (offset < type->start) return {counter_name(offset, size) + " of shared_ptr<" + type->name + ">", "", true};
  offset -= type->start;
  if (offset >= object.size - type->start || type->size == 0) return {};
  const Part part = member_path(*file, type->type, offset % type->size, size);
  DataName name{type->name + part.path, "", true};
  if (object.size - type->start >= 2 * type->size)
    name.name = type->name + "[" + std::to_string(offset / type->size) + "]" + part.path;
  else if (part.path.starts_with('.'))
    name.name = type->name + "::" + part.path.substr(1);
  if (part.type) name.type = value_type(*part.type, size);
  return name;
}

DataName Symbols::in_frame(const trace::TraceObject& object, std::uint64_t address, std::uint64_t size) {
  ModuleFile* file = module_of(object.frame - 1);
  if (file == nullptr) return {};
  const FramePlace frame{object.frame - 1 - file->base(), object.address, object.address + object.size};
  const auto variable = local_variable(*file, frame, address, size);
  if (!variable) return {};
  DataName name = part_of(*file, variable->die, address - variable->address, size);
  name.owner = "local of " + shortened(variable->function);
  return name;
}

DataName Symbols::in_thread_local(const trace::TraceObject& object, std::uint64_t address, std::uint64_t size) {
  ModuleFile* file = module_of(object.module);
  const auto variable = file == nullptr ? std::nullopt : file->thread_local_variable(address - object.address);
  Dwarf_Die die{};
  if (!variable || dwarf_offdie(file->dwarf(), variable->die, &die) == nullptr) return {};
  return part_of(*file, die, address - object.address - variable->address, size);
}

}  // namespace ordeal::symbols
