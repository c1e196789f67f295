// Inline assembly: the accesses in it are seen by nobody. `ordeal cc` puts a call of this before it (tools/assembler.h).
#include "runtime/abi.h"
#include "runtime/access.h"

using namespace ordeal::runtime;

namespace {

/// The stack may not be aligned where assembly stands.
__attribute__((noinline, force_align_arg_pointer)) void refuse_assembly(std::uintptr_t site) {
  flush_pending_write();
  NativeProgram::instance->refuse("inline assembly that accesses memory is not supported", site);
}

}  // namespace

/// The compiler does not know of the call: all registers must come back as they were. A program that runs by itself goes on.
ORDEAL_ABI __attribute__((no_caller_saved_registers, target("general-regs-only"))) void __ordeal_inline_assembly() {
  if (is_checked() && NativeProgram::instance->judges_exit_code()) refuse_assembly(ORDEAL_SITE);
}
