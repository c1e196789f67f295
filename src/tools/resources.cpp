#include "tools/resources.h"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

namespace ordeal::tools {

namespace fs = std::filesystem;

std::string resource_directory() { return fs::read_symlink("/proc/self/exe").parent_path().parent_path().string(); }

Resources resources() {
  const std::string root = resource_directory();
  const std::string assembler = root + "/libexec/ordeal", fast_path = root + "/lib/ordeal/fast_path.o";
  return {root + "/include", root + "/lib/ordeal/libordeal.so", fs::exists(fast_path) ? fast_path : "", fs::exists(assembler + "/as") ? assembler : ""};
}

void require_library(const Resources& resources) {
  if (fs::exists(resources.library)) return;
  throw std::runtime_error(
      fmt::format("the library that programs are linked with is not there: {}\nBuild it (./ordeal does, or cmake --build) or "
                  "install Ordeal again.",
                  resources.library));
}

}  // namespace ordeal::tools
