#include "runtime/hidden_code.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <cxxabi.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/decoder.h"
#include "runtime/elf_functions.h"
#include "runtime/fast_path.h"
#include "runtime/modules.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kPage = 4096;

struct SetTrap {
  unsigned char original;
  bool is_refused;
  std::string function, module;
};
std::map<std::uintptr_t, SetTrap> traps;
std::string last_reason;
std::vector<std::string> found_notes;

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return text.substr(0, start.size()) == start; });
}

/// Of the C++ library, of test frameworks, or of what the linker adds: they may be part of the program, if linked statically.
bool is_systems(std::string_view name) {
  return starts_with_any(name, {"_ZNSt",
                                "_ZNKSt",
                                "_ZSt",
                                "_ZN9__gnu_cxx",
                                "_ZNK9__gnu_cxx",
                                "_ZN10__cxxabiv1",
                                "_ZN7testing",
                                "_ZNK7testing",
                                "_GLOBAL__sub_I_gtest_all.cc",
                                "_GLOBAL__sub_I_gmock_all.cc",
                                "_ZN5Catch",
                                "_ZNK5Catch",
                                "__cxa_",
                                "__gxx_",
                                "_Unwind_",
                                "__gthr",
                                "__gnu",
                                "__gcc",
                                "__register_frame",
                                "__deregister_frame",
                                "_start",
                                "_init",
                                "_fini",
                                "deregister_tm_clones",
                                "register_tm_clones",
                                "__do_global",
                                "frame_dummy",
                                "_dl_relocate",
                                "__libc",
                                "atexit",
                                "at_quick_exit",
                                "pthread_atfork",
                                "__pthread_atfork"});
}

/// One module in memory.
struct Module {
  std::uintptr_t base = 0;
  std::string name;                                                   // for people
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> code, data;  // executable segments; writable ones, without …
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> addresses;   // … what is read-only after relocation
};

bool is_in(const std::vector<std::pair<std::uintptr_t, std::uintptr_t>>& ranges, std::uintptr_t address) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return address >= range.first && address < range.second; });
}

/// Where a call comes to, through the table of functions of other modules.
std::uintptr_t target_of(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands,
                         std::uintptr_t next, const Module& module) {
  if (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY && operands[0].mem.base == ZYDIS_REGISTER_RIP)
    return *reinterpret_cast<const std::uintptr_t*>(next + static_cast<std::uintptr_t>(operands[0].mem.disp.value));
  if (operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) return 0;
  std::uintptr_t at = next + static_cast<std::uintptr_t>(operands[0].imm.value.s);
  (void)instruction;
  for (int i = 0; i < 3 && is_in(module.code, at); ++i) {  // a stub: perhaps endbr64, then jmp *slot(%rip)
    ZydisDecodedInstruction stub;
    ZydisDecodedOperand where[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(zydis().decode(&zydis().decoder, reinterpret_cast<const void*>(at), 16, &stub, where))) return at;
    if (stub.mnemonic == ZYDIS_MNEMONIC_JMP && where[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
        where[0].mem.base == ZYDIS_REGISTER_RIP)
      return *reinterpret_cast<const std::uintptr_t*>(at + stub.length +
                                                      static_cast<std::uintptr_t>(where[0].mem.disp.value));
    if (stub.mnemonic != ZYDIS_MNEMONIC_ENDBR64) return at;
    at += stub.length;
  }
  return at;
}

/// Whether it is the program's own part of the instrumentation: nothing else reads where the library has its state.
bool is_fast_path(std::uintptr_t function, const Module& module) {
  static std::map<std::uintptr_t, bool> known;
  const auto [found, is_new] = known.try_emplace(function, false);
  if (!is_new) return found->second;
  for (std::uintptr_t at = function; is_in(module.code, at);) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(zydis().decode(&zydis().decoder, reinterpret_cast<const void*>(at), 16, &instruction, operands))) break;
    at += instruction.length;
    if (instruction.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE || instruction.meta.category == ZYDIS_CATEGORY_RET) break;
    if (instruction.mnemonic != ZYDIS_MNEMONIC_MOV || operands[1].type != ZYDIS_OPERAND_TYPE_MEMORY || operands[1].mem.base != ZYDIS_REGISTER_RIP) continue;
    const std::uintptr_t slot = at + static_cast<std::uintptr_t>(operands[1].mem.disp.value);
    if (is_in(module.addresses, slot)) found->second |= *reinterpret_cast<const std::uintptr_t*>(slot) == reinterpret_cast<std::uintptr_t>(&ordeal_plain_state);
  }
  return found->second;
}

/// What a function is made of.
struct Contents {
  bool is_instrumented = false;  // it calls the instrumentation
  bool has_atomics = false;
  bool has_variables = false;  // it accesses variables of its module
  bool takes_address = false;  // of a variable
  bool follows_pointers = false;
  bool accesses_variables() const { return has_variables || (takes_address && follows_pointers); }
};

bool is_instrumentation(std::uintptr_t function, const Module& module) {
  static std::map<std::uintptr_t, bool> known;
  if (!is_ours(function)) return is_fast_path(function, module);
  const auto [found, is_new] = known.try_emplace(function, false);
  Dl_info info{};
  if (is_new && dladdr(reinterpret_cast<void*>(function), &info) != 0 && info.dli_sname != nullptr)
    found->second = starts_with_any(info.dli_sname, {"__tsan_", "__ordeal_"});
  return found->second;
}

void look_at(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands, std::uintptr_t next,
             const Module& module, Contents& contents) {
  contents.has_atomics |= (instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 ||
                          instruction.mnemonic == ZYDIS_MNEMONIC_MFENCE ||
                          instruction.mnemonic == ZYDIS_MNEMONIC_SFENCE;
  const bool is_call = instruction.meta.category == ZYDIS_CATEGORY_CALL || instruction.mnemonic == ZYDIS_MNEMONIC_JMP;
  if (is_call) contents.is_instrumented |= is_instrumentation(target_of(instruction, operands, next, module), module);
  for (int i = 0; i < instruction.operand_count && !is_call; ++i) {
    if (operands[i].type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    const bool is_address = instruction.mnemonic == ZYDIS_MNEMONIC_LEA,
               is_near = operands[i].mem.base == ZYDIS_REGISTER_RIP;
    const std::uintptr_t near = next + static_cast<std::uintptr_t>(operands[i].mem.disp.value);
    contents.has_atomics |= instruction.mnemonic == ZYDIS_MNEMONIC_XCHG;
    contents.has_variables |= is_near && !is_address && is_in(module.data, near);
    contents.takes_address |= is_near && (is_address ? is_in(module.data, near) : is_in(module.addresses, near));
    contents.follows_pointers |= !is_near && !is_address && operands[i].mem.base != ZYDIS_REGISTER_NONE &&
                                 operands[i].mem.base != ZYDIS_REGISTER_RSP &&
                                 operands[i].mem.base != ZYDIS_REGISTER_RBP;
  }
}

Contents contents_of(std::uintptr_t begin, std::size_t size, const Module& module) {
  Contents contents;
  for (std::uintptr_t at = begin; at < begin + size && !contents.is_instrumented;) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(zydis().decode(&zydis().decoder, reinterpret_cast<const void*>(at), begin + size - at,
                                     &instruction, operands)))
      break;
    at += instruction.length;
    look_at(instruction, operands, at, module, contents);
  }
  return contents;
}

std::string readable(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string result = text != nullptr ? text : name;
  free(text);
  return result;
}

void set_trap(std::uintptr_t address, SetTrap trap) {
  auto* page = reinterpret_cast<void*>(address / kPage * kPage);
  auto* code = reinterpret_cast<unsigned char*>(address);
  if (mprotect(page, kPage, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
  trap.original = *code;
  *code = 0xCC;
  mprotect(page, kPage, PROT_READ | PROT_EXEC);
  traps.emplace(address, std::move(trap));
}

void look_through(const Module& module, const ElfSymbols& symbols) {
  if (symbols.functions.empty() || !zydis().is_there) return;
  for (const ElfFunction& function : symbols.functions) {
    const std::uintptr_t address = module.base + function.address;
    if (is_systems(function.name) || traps.contains(address) || !is_in(module.code, address)) continue;
    if (starts_with_any(function.name, {"__tsan_"}) && is_fast_path(address, module)) continue;
    const Contents contents = contents_of(address, function.size, module);
    if (contents.is_instrumented || !(contents.has_atomics || contents.accesses_variables())) continue;
    set_trap(address, {0, contents.has_atomics, readable(function.name), module.name});
  }
}

Module module_of(const dl_phdr_info& info, const std::string& path) {
  Module module;
  module.base = info.dlpi_addr;
  module.name = path.substr(path.rfind('/') + 1);
  std::uintptr_t read_only_end = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_GNU_RELRO)
      read_only_end = info.dlpi_addr + info.dlpi_phdr[i].p_vaddr + info.dlpi_phdr[i].p_memsz;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
    if (header.p_type != PT_LOAD) continue;
    if ((header.p_flags & PF_X) != 0) module.code.emplace_back(begin, end);
    if ((header.p_flags & PF_W) == 0) continue;
    module.data.emplace_back(std::max(begin, read_only_end), end);
    if (begin < read_only_end) module.addresses.emplace_back(begin, read_only_end);
  }
  return module;
}

bool is_system_path(std::string_view path) {
  return starts_with_any(path, {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "linux-vdso"});
}

std::set<std::uintptr_t> seen_modules;  // where they begin

int look_at_module(dl_phdr_info* info, std::size_t, void* data) {
  bool& is_first = *static_cast<bool*>(data);
  const bool is_program = std::exchange(is_first, false);
  if (!seen_modules.insert(info->dlpi_addr).second) return 0;
  char real[4096];
  const char* found = realpath(is_program ? "/proc/self/exe" : info->dlpi_name, real);
  const std::string path = found != nullptr ? found : info->dlpi_name;
  if (!is_program && (!is_restored_module(*info) || path.empty() || path.find("/libstdc++") != std::string::npos))
    return 0;
  const Module module = module_of(*info, path);
  if (is_program || !is_system_path(path)) {
    const ElfSymbols symbols = read_symbols(path);
    if (!is_program && !symbols.wants("__tsan_init"))
      found_notes.push_back(module.name + " was not compiled by Ordeal: what it does with memory is not seen");
    look_through(module, symbols);
  } else if (module.name.substr(0, 8) != "libgtest" && module.name.substr(0, 8) != "libgmock" &&
             read_symbols(path).wants("pthread_create")) {
    found_notes.push_back(module.name +
                          " starts threads, and was not compiled by Ordeal: what it does with memory is not seen");
  }
  return 0;
}

}  // namespace

void HiddenCode::find() {
  bool is_first = true;
  dl_iterate_phdr(&look_at_module, &is_first);
}

HiddenCode::Trap HiddenCode::take(std::uintptr_t address) {
  const auto found = traps.find(address);
  if (found == traps.end()) return Trap::kNone;
  auto* page = reinterpret_cast<void*>(address / kPage * kPage);
  mprotect(page, kPage, PROT_READ | PROT_WRITE | PROT_EXEC);
  *reinterpret_cast<unsigned char*>(address) = found->second.original;
  mprotect(page, kPage, PROT_READ | PROT_EXEC);
  const SetTrap trap = std::move(found->second);
  traps.erase(found);
  if (trap.is_refused)
    last_reason = "atomic operations of '" + trap.function + "' (" + trap.module + ") that were not compiled by Ordeal";
  else
    found_notes.push_back(
        "'" + trap.function + "' (" + trap.module +
        ") is not instrumented (no_sanitize, or not compiled by Ordeal): what it does with memory is not seen");
  return trap.is_refused ? Trap::kRefused : Trap::kNoted;
}

const std::string& HiddenCode::reason() { return last_reason; }

namespace {

struct WantedFunction {
  std::uintptr_t site;
  std::string name;
};

int name_function(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<WantedFunction*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || wanted.site - (info->dlpi_addr + header.p_vaddr) >= header.p_memsz) continue;
    for (const ElfFunction& function : read_symbols(*info->dlpi_name == 0 ? "/proc/self/exe" : info->dlpi_name).functions)
      if (wanted.site - (info->dlpi_addr + function.address) < function.size) wanted.name = readable(function.name);
    return 1;
  }
  return 0;
}

}  // namespace

std::vector<std::string> HiddenCode::notes() {
  std::vector<std::string> notes = found_notes;
  for (const std::uintptr_t site : assembly) {
    if (site == 0) break;
    WantedFunction function{site, {}};
    dl_iterate_phdr(&name_function, &function);
    notes.push_back("inline assembly" + (function.name.empty() ? "" : " in '" + function.name + "'") + " accesses memory: that is not seen, and orders nothing");
  }
  return notes;
}

}  // namespace ordeal::runtime
