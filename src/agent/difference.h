// What a program that is not deterministic did before and what it did instead, for people.
#pragma once

#include "engine/not_deterministic.h"
#include "runtime/native_program.h"
#include "trace/run_result.h"

namespace ordeal::agent {

/// Makes it the reason why the program cannot be checked. REQUIRES: the result knows the modules.
void tell_difference(const engine::NotDeterministic& difference, runtime::NativeProgram& program, trace::RunResult& result);

}  // namespace ordeal::agent
