// The table of axioms: in the comment of consistency.h for readers, in axioms(model) for programs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "model/consistency.h"

namespace ordeal::model {
namespace {

constexpr Model kModels[] = {Model::kCpp20, Model::kRc11, Model::kSc, Model::kTso};
const std::filesystem::path kFolder = std::filesystem::path(ORDEAL_SOURCE_DIR) / "src/model";

struct Line {
  std::string axiom, models, file, clause;
  bool speaks_of(Model model) const {
    std::istringstream words(models);
    for (std::string word; words >> word;)
      if (word == "all" || word == name_of(model)) return true;
    return false;
  }
};

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

/// The comment has true dashes, the program's table ASCII ones.
std::string with_ascii_dashes(std::string text) {
  for (std::size_t at; (at = text.find("–")) != std::string::npos;) text.replace(at, std::string("–").size(), "-");
  return text;
}

/// The lines of the table in the header; columns begin where the words of its first line do.
std::vector<Line> table_of_the_header() {
  std::ifstream header(kFolder / "consistency.h");
  std::vector<Line> table;
  std::size_t models = 0, file = 0, clause = 0;
  for (std::string line; std::getline(header, line) && line.starts_with("//");) {
    if (line.find("axiom  ") != std::string::npos && line.find("  clause") != std::string::npos) {
      models = line.find("models");
      file = line.find("file");
      clause = line.find("clause");
    } else if (models > 0) {
      if (line.size() <= clause) break;  // the table is over
      table.push_back({trimmed(line.substr(2, models - 2)), trimmed(line.substr(models, file - models)),
                       trimmed(line.substr(file, clause - file)), with_ascii_dashes(trimmed(line.substr(clause)))});
    }
  }
  return table;
}

TEST(Axioms, HeaderHasATable) {
  const std::vector<Line> table = table_of_the_header();
  ASSERT_GE(table.size(), 7u);
  EXPECT_EQ(table[0].axiom, "coherence");
  EXPECT_EQ(table[0].models, "cpp20 rc11");
  EXPECT_EQ(table[0].file, "coherence.h");
}

TEST(Axioms, OfEachModelAreThoseOfTheTableInTheHeader) {
  for (const Model model : kModels) {
    std::vector<std::string> in_header, in_program;
    for (const Line& line : table_of_the_header())
      if (line.speaks_of(model)) in_header.push_back(line.axiom + " | " + line.file);
    for (const Axiom& axiom : axioms(model)) in_program.push_back(std::string(axiom.name) + " | " + std::string(axiom.file));
    std::sort(in_header.begin(), in_header.end());
    std::sort(in_program.begin(), in_program.end());
    EXPECT_EQ(in_program, in_header) << name_of(model);
  }
}

TEST(Axioms, CiteTheClausesOfTheTableInTheHeader) {
  for (const Model model : kModels)
    for (const Axiom& axiom : axioms(model)) {
      bool found = false;
      for (const Line& line : table_of_the_header())
        found = found || (line.speaks_of(model) && line.axiom == axiom.name && line.clause.starts_with(axiom.clause));
      EXPECT_TRUE(found) << name_of(model) << ": " << axiom.name << ", " << axiom.clause;
    }
}

TEST(Axioms, HaveAFileThatSaysWhatTheyAre) {
  for (const Model model : kModels)
    for (const Axiom& axiom : axioms(model)) {
      std::ifstream file(kFolder / axiom.file);
      ASSERT_TRUE(file) << axiom.file;
      std::string first_line;
      std::getline(file, first_line);
      EXPECT_TRUE(first_line.starts_with("// ")) << axiom.file;
    }
}

TEST(Axioms, ModelsHaveTheNamesOfTheOption) {
  std::vector<std::string> names;
  for (const Model model : kModels) names.emplace_back(name_of(model));
  EXPECT_EQ(names, (std::vector<std::string>{"cpp20", "rc11", "sc", "tso"}));
}

}  // namespace
}  // namespace ordeal::model
