// `ordeal batch`, which is for Ordeal's own tests and in no list of verbs: many command lines, one process.
#pragma once

namespace CLI {
class App;
}

namespace ordeal::tools {

void add_batch_verb(CLI::App& app);

}  // namespace ordeal::tools
