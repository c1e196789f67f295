// Fills what the command knows about itself into the templates of manual pages and shell completions: ordeal_pages TEMPLATE OUTPUT.
// A template is copied line by line; a line @WHAT VERB@ is replaced:
//
//   @options VERB@  the options as a list of roff       @verbs@   the verbs likewise
//   @footer VERB@   the text at the end of --help
//   @bash@, @zsh@, @fish@   tables for the completion scripts
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "tools/command.h"

namespace {

struct Option {
  std::string name, value, text;  // "--model", "MODEL" or nothing, "The memory model …"
};

std::vector<Option> options_of(const CLI::App& verb) {
  std::vector<Option> options;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty()) continue;  // not for users: it only says why there is no such option
    for (const std::string& name : option->get_lnames())
      options.push_back({"--" + name, option->get_items_expected_max() > 0 ? option->get_type_name() : "",
                         option->get_description()});
  }
  return options;
}

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

/// Text as roff: hyphens that are minus signs, no control lines.
std::string roff(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    const bool starts_line = out.empty() || out.back() == '\n';
    if (starts_line && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '-')
      out += "\\-";
    else if (letter == '\\')
      out += "\\e";
    else
      out += letter;
  }
  return out;
}

std::string quoted(const std::string& text) {  // for a shell
  std::string out = "'";
  for (const char letter : text) out += letter == '\'' ? "'\\''" : std::string(1, letter);
  return out + "'";
}

std::string roff_options(const CLI::App& verb) {
  std::string text;
  for (const Option& option : options_of(verb))
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}.\n", roff(option.name),
                        option.value.empty() ? "" : " \\fI" + option.value + "\\fR", roff(option.text));
  return text;
}

std::string roff_verbs(const CLI::App& app) {
  std::string text;
  for (const CLI::App* verb : verbs_of(app))
    text += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", roff(verb->get_name()), roff(verb->get_description()));
  return text;
}

std::string bash_table(const CLI::App& app) {
  std::string verbs, text;
  for (const CLI::App* verb : verbs_of(app)) {
    verbs += " " + verb->get_name();
    std::string all, with_value;
    for (const Option& option : options_of(*verb)) {
      all += " " + option.name;
      if (!option.value.empty()) with_value += " " + option.name;
    }
    text +=
        fmt::format("_ordeal_options[{0}]='{1}'\n_ordeal_with_value[{0}]='{2} '\n", verb->get_name(), all, with_value);
  }
  return fmt::format("_ordeal_verbs='{} --help --version'\n{}", verbs, text);
}

std::string zsh_table(const CLI::App& app) {
  std::string verbs = "  verbs=(\n", text;
  const auto escaped = [](std::string words) {
    std::string out;
    for (const char letter : words)
      out += (std::string("[]:\\").find(letter) != std::string::npos ? "\\" : "") + std::string(1, letter);
    return out;
  };
  for (const CLI::App* verb : verbs_of(app)) {
    verbs += "    " + quoted(escaped(verb->get_name()) + ":" + escaped(verb->get_description())) + "\n";
    text += "    " + verb->get_name() + ")\n      options=(\n";
    for (const Option& option : options_of(*verb)) {
      const std::string values = option.name == "--model"   ? "(cpp20 rc11 sc tso)"
                                 : option.name == "--color" ? "(auto always never)"
                                 : option.value == "FILE"   ? "_files"
                                                            : " ";
      text += "        " +
              quoted(option.name + "[" + escaped(option.text) + "]" +
                     (option.value.empty() ? "" : ":" + option.value + ":" + values)) +
              "\n";
    }
    text += "      )\n      ;;\n";
  }
  return verbs + "  )\n  case ${words[2]} in\n" + text + "  esac\n";
}

std::string fish_table(const CLI::App& app) {
  std::string text;
  for (const CLI::App* verb : verbs_of(app)) {
    text += fmt::format("complete -c ordeal -n __fish_use_subcommand -f -a {} -d {}\n", verb->get_name(),
                        quoted(verb->get_description()));
    for (const Option& option : options_of(*verb)) {
      const std::string values = option.name == "--model"   ? " -f -a 'cpp20 rc11 sc tso'"
                                 : option.name == "--color" ? " -f -a 'auto always never'"
                                                            : "";
      text += fmt::format("complete -c ordeal -n '__fish_seen_subcommand_from {}' -l {}{}{} -d {}\n", verb->get_name(),
                          option.name.substr(2), option.value.empty() ? "" : " -r", values, quoted(option.text));
    }
  }
  return text;
}

std::string replacement(const std::string& what, const CLI::App& app, const CLI::App* verb) {
  if (what == "options" && verb != nullptr) return roff_options(*verb);
  if (what == "footer" && verb != nullptr) return ".nf\n" + roff(verb->get_footer()) + "\n.fi\n";
  if (what == "verbs") return roff_verbs(app);
  if (what == "bash") return bash_table(app);
  if (what == "zsh") return zsh_table(app);
  if (what == "fish") return fish_table(app);
  throw std::runtime_error("what is @" + what + "@?");
}

std::string filled(std::istream& page, CLI::App& app) {
  std::string text;
  for (std::string line; std::getline(page, line);) {
    if (line.size() < 3 || line.front() != '@' || line.back() != '@') {
      text += line + "\n";
      continue;
    }
    std::istringstream words(line.substr(1, line.size() - 2));
    std::string what, verb;
    words >> what >> verb;
    text += replacement(what, app, verb.empty() ? nullptr : app.get_subcommand(verb));
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("usage: ordeal_pages TEMPLATE OUTPUT");
  int exit_code = 0;
  ordeal::tools::Words words;
  const auto app = ordeal::tools::make_command(exit_code, words);
  std::ifstream page(argv[1]);
  if (!page) throw std::runtime_error(std::string("cannot read ") + argv[1]);
  const std::string text = filled(page, *app);
  if (!(std::ofstream(argv[2]) << text).flush()) throw std::runtime_error(std::string("cannot write ") + argv[2]);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "ordeal_pages: " << error.what() << "\n";
  return 1;
}
