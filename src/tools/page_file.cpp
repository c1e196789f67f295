#include "tools/page_file.h"

#include <filesystem>
#include <iostream>
#include <stdexcept>

#include <fmt/format.h>

#include "tools/exit_code.h"
#include "tools/resources.h"
#include "tools/source_names.h"

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

report::SourceText read_source(const std::string& file, const std::string& program) {
  report::SourceText source;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return source;
  try {
    source.text = read_file(file);
  } catch (const std::runtime_error&) {
    return source;
  }
  source.is_there = true;
  std::error_code unknown;
  const auto written = fs::last_write_time(file, error), built = fs::last_write_time(program, unknown);
  if (!error && !unknown && written > built) source.remark = "It is newer than the program: lines may have moved since that was built.";
  return source;
}

/// Throws std::runtime_error with what to do if there is none.
std::string page_template() {
  const std::string file = resource_directory() + "/share/ordeal/page.html";
  if (fs::exists(file)) return read_file(file);
  std::string why = fs::exists(file + ".missing") ? read_file(file + ".missing") : "it was not built\n";
  why.pop_back();
  throw std::runtime_error(fmt::format("Ordeal was built without the page: {}\nIn its source tree 'cmake --build build/release --target ordeal_page' builds it.", why));
}

}  // namespace

PageFile::PageFile(std::string file, const std::string& program) : file_(std::move(file)) {
  if (file_.empty()) return;
  page_.emplace(report::PageOptions{"ordeal " ORDEAL_VERSION, program, [this](const std::string& name) { return read_source(name, program_file_); }});
}

void PageFile::add(const trace::RunResult& result, const ReportOptions& options) {
  if (!page_) return;
  if (!result.modules.empty()) program_file_ = result.modules.front().path;
  const auto names = source_names(result.modules);
  page_->add(result, *names, options.replay_files, options.test.empty() ? "" : options.test + ": ");
}

void PageFile::add(const trace::Trace& trace, const std::string& title, const std::string& file) {
  if (page_) page_->add(trace, title, file);
}

void PageFile::set_summary(const std::string& verdict, const std::string& model, const std::string& text) {
  if (page_) page_->set_summary(verdict, model, text);
}

int PageFile::write(int exit_code, const std::string& advice) const {
  if (!page_) return exit_code;
  if (page_->is_empty()) {
    std::cerr << fmt::format("ordeal: no page was written to '{}': {}\n", file_, advice);
    return exit_code;
  }
  try {
    write_file(file_, page_->html(page_template()), "the page");
  } catch (const std::runtime_error& error) {
    std::cerr << "ordeal: " << error.what() << "\n";
    return kUsage;
  }
  return exit_code;
}

}  // namespace ordeal::tools
