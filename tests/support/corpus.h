// The litmus tests of tests/litmus.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "litmus/parser.h"
#include "tests/support/scale.h"

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

/// The same for tests that take long: every fourth file where ORDEAL_TEST_SCALE asks for less.
inline std::vector<std::filesystem::path> sampled_corpus_files() {
  const std::vector<std::filesystem::path> all = corpus_files();
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < all.size(); i += scaled(100) < 100 ? 4 : 1) files.push_back(all[i]);
  return files;
}

inline std::vector<litmus::Test> tests_in(const std::vector<std::filesystem::path>& files) {
  std::vector<litmus::Test> tests;
  for (const auto& file : files) tests.push_back(litmus::parse(text_of(file), file.filename().string()));
  return tests;
}

inline std::vector<litmus::Test> corpus() { return tests_in(corpus_files()); }
inline std::vector<litmus::Test> sampled_corpus() { return tests_in(sampled_corpus_files()); }

}  // namespace ordeal::tests
