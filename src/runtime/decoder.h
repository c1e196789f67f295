// The library that reads machine code, loaded when it is first asked for: most programs need none of it.
#pragma once

#include <string>

#include <Zydis/Zydis.h>
#include <dlfcn.h>

namespace ordeal::runtime {

/// The functions of the library that we need.
struct Zydis {
  decltype(&ZydisDecoderInit) init = nullptr;
  decltype(&ZydisDecoderDecodeFull) decode = nullptr;
  decltype(&ZydisRegisterGetLargestEnclosing) enclosing = nullptr;
  ZydisDecoder decoder{};
  bool is_there = false;

  Zydis() {
    const std::string name = "libZydis.so." + std::to_string(ZYDIS_VERSION_MAJOR(ZYDIS_VERSION)) + "." +
                             std::to_string(ZYDIS_VERSION_MINOR(ZYDIS_VERSION));
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    init = reinterpret_cast<decltype(init)>(dlsym(library, "ZydisDecoderInit"));
    decode = reinterpret_cast<decltype(decode)>(dlsym(library, "ZydisDecoderDecodeFull"));
    enclosing = reinterpret_cast<decltype(enclosing)>(dlsym(library, "ZydisRegisterGetLargestEnclosing"));
    is_there = init != nullptr && decode != nullptr && enclosing != nullptr &&
               ZYAN_SUCCESS(init(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
  }
};

inline const Zydis& zydis() {
  static const Zydis instance;
  return instance;
}

}  // namespace ordeal::runtime
