// What the definitions of the ABI share.
#pragma once

#include <cstdint>

#define ORDEAL_ABI extern "C" __attribute__((visibility("default")))
/// Where the program called: the address behind the call.
#define ORDEAL_SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
