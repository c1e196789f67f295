// The `ordeal` command: one file a verb.
#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#include "tools/assembler.h"
#include "tools/cc.h"
#include "tools/command.h"

namespace {

/// If one of the standard streams is closed, no file that is opened later may take its place. Writing to it still fails.
void occupy_standard_streams() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO) file = open("/dev/null", O_RDONLY);
  if (file > STDERR_FILENO) close(file);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  if (argc > 0 && std::filesystem::path(argv[0]).filename() == "as") return ordeal::tools::run_assembler(argc, argv);
  if (const auto call = ordeal::tools::compiler_call(argc, argv)) return ordeal::tools::run_compiler(*call);
  return ordeal::tools::run_command({argv + std::min(1, argc), argv + argc});
}
