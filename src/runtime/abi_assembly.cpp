// Inline assembly: the accesses in it are seen by nobody. `ordeal cc` puts a call of this before it (tools/assembler.h).
#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/hidden_code.h"

using namespace ordeal::runtime;

namespace {

/// The stack may not be aligned where assembly stands.
__attribute__((noinline, force_align_arg_pointer)) void refuse_assembly(std::uintptr_t site) {
  flush_pending_write();
  NativeProgram::instance->refuse("inline assembly that accesses memory is not supported", site);
}

}  // namespace

/// The compiler does not know of the call: all registers must come back as they were. A whole program that is tested goes on, and a note
/// tells of it.
ORDEAL_ABI __attribute__((no_caller_saved_registers, target("general-regs-only"))) void __ordeal_inline_assembly() {
  if (!is_checked()) return;
  if (!is_testing) refuse_assembly(ORDEAL_SITE);
  const std::uintptr_t site = ORDEAL_SITE;
  int known = 0;  // no function is called: it would not spare the registers
  while (known < HiddenCode::kMostAssembly && HiddenCode::assembly[known] != 0 && HiddenCode::assembly[known] != site) ++known;
  if (known < HiddenCode::kMostAssembly) HiddenCode::assembly[known] = site;
}
