// `ordeal report`: the report of a result that was written before, without running anything.
#pragma once

namespace CLI {
class App;
}

namespace ordeal::tools {

void add_report_verb(CLI::App& app, int& exit_code);

}  // namespace ordeal::tools
