#include "tools/source_names.h"

#include <utility>

#include "symbols/symbols.h"

namespace ordeal::tools {
namespace {

report::SourcePlace place_of(const symbols::Frame& frame) {
  return {frame.function, frame.file, frame.line, frame.column};
}

report::ValueType type_of(const symbols::ValueType& type) {
  return {static_cast<report::ValueType::Kind>(type.kind), type.enumerators};
}

class DebugNames final : public report::SourceNames {
 public:
  DebugNames(const std::vector<trace::Module>& modules, symbols::Options options) : symbols_(modules, std::move(options)) {}

  report::SourcePlace place(const std::vector<trace::CodeAddress>& stack) override {
    return place_of(symbols_.user_frame(stack));
  }
  std::vector<report::SourcePlace> calls(const std::vector<trace::CodeAddress>& stack) override {
    std::vector<report::SourcePlace> places;
    for (const symbols::Frame& frame : symbols_.user_frames(stack)) places.push_back(place_of(frame));
    return places;
  }
  bool is_direct(const std::vector<trace::CodeAddress>& stack) override { return symbols_.is_direct(stack); }
  report::DataName data(const trace::Trace& trace, std::uint64_t address, std::uint64_t size) override {
    const symbols::DataName name = symbols_.data(address, size, trace.objects, trace.threads);
    return {name.name, name.description, name.is_variable, name.owner, type_of(name.type)};
  }
  std::vector<std::string> remarks() const override { return symbols_.remarks(); }

 private:
  symbols::Symbols symbols_;
};

}  // namespace

std::unique_ptr<report::SourceNames> source_names(const std::vector<trace::Module>& modules,
                                                  const std::vector<std::string>& system_directories) {
  symbols::Options options;
  options.system_directories.insert(options.system_directories.end(), system_directories.begin(), system_directories.end());
  return std::make_unique<DebugNames>(modules, std::move(options));
}

}  // namespace ordeal::tools
