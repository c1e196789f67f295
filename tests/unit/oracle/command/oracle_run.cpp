// ordeal_oracle_run: what the oracle says about litmus tests, to write down expectations. One JSON object a file and line:
//   {"name":"SB","file":"sb.litmus","model":"cpp20","executions":4,"blocked":0,"racy":false,"gave_up":false,
//    "states":[{"0:r0":0,"1:r0":0},…]}
// It stands here and not in oracle/, which knows no parser. To build it: cmake --build --preset dev -t ordeal_oracle_run
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "litmus/ast.h"
#include "litmus/parser.h"
#include "oracle/oracle.h"

namespace {

using namespace ordeal;  // NOLINT: a small program

constexpr const char* kUsage =
    "usage: ordeal_oracle_run FILE… [--model cpp20|rc11|sc|tso] [--load-buffering] [--no-spurious] [--loop-bound N]\n"
    "                         [--limit N]";

const std::map<std::string, oracle::Model> kModels{{"cpp20", oracle::Model::kCpp20},
                                                   {"rc11", oracle::Model::kRc11},
                                                   {"sc", oracle::Model::kSc},
                                                   {"tso", oracle::Model::kTso}};

std::string quoted(const std::string& text) {
  static const char* const digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (result += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      (((result += "\\u00") += digits[c >> 4]) += digits[c & 15]);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string json(const litmus::Test& test, const std::string& model, const oracle::Result& result) {
  const auto boolean = [](bool value) { return std::string(value ? "true" : "false"); };
  std::string states;
  const auto observables = test.observables();
  for (const auto& state : result.states) {
    std::string members;
    for (std::size_t i = 0; i < observables.size(); ++i)
      members += (i == 0 ? "" : ",") + quoted(test.name_of(observables[i])) + ":" + std::to_string(state[i]);
    states += (states.empty() ? "{" : ",{") + members + "}";
  }
  return "{\"name\":" + quoted(test.name) + ",\"file\":" + quoted(test.file) + ",\"model\":" + quoted(model) +
         ",\"executions\":" + std::to_string(result.executions) + ",\"blocked\":" + std::to_string(result.blocked) +
         ",\"racy\":" + boolean(result.racy) + ",\"gave_up\":" + boolean(result.gave_up) + ",\"states\":[" + states +
         "]}";
}

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  oracle::Options options;
  std::string model = "cpp20";
  std::vector<std::string> files;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& argument = arguments[i];
      if (argument == "--model") {
        model = arguments.at(++i);
        options.model = kModels.at(model);
      } else if (argument == "--load-buffering") {
        options.load_buffering = true;
      } else if (argument == "--no-spurious") {
        options.spurious = false;
      } else if (argument == "--loop-bound") {
        options.loop_bound = std::stoi(arguments.at(++i));
      } else if (argument == "--limit") {
        options.candidate_limit = std::stoull(arguments.at(++i));
      } else if (argument.starts_with("--")) {
        throw std::invalid_argument(argument);
      } else {
        files.push_back(argument);
      }
    }
    if (files.empty()) throw std::invalid_argument("no file");
  } catch (const std::exception&) {
    std::cerr << kUsage << '\n';
    return 2;
  }
  int status = EXIT_SUCCESS;
  for (const auto& file : files) {
    try {
      const litmus::Test test = litmus::parse(read(file), file);
      std::cout << json(test, model, oracle::run(test, options)) << std::endl;  // NOLINT: a line at a time
    } catch (const std::exception& error) {
      std::cerr << file << ": " << error.what() << '\n';
      status = EXIT_FAILURE;
    }
  }
  return status;
}
