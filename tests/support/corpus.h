// The litmus tests of tests/litmus.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "litmus/parser.h"

namespace ordeal::tests {

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// In the order of their names.
inline std::vector<std::filesystem::path> corpus_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(ORDEAL_SOURCE_DIR) / "tests/litmus"))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline std::vector<litmus::Test> corpus() {
  std::vector<litmus::Test> tests;
  for (const auto& file : corpus_files()) tests.push_back(litmus::parse(text_of(file), file.filename().string()));
  return tests;
}

}  // namespace ordeal::tests
