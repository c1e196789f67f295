// `ordeal replay`: runs the execution of a replay file again.
#pragma once

namespace CLI {
class App;
}

namespace ordeal::tools {

/// Adds the verb; when it is given, its exit code goes to `exit_code`.
void add_replay_verb(CLI::App& app, int& exit_code);

}  // namespace ordeal::tools
