// Whether the program is a row of rounds: main creates threads, joins them all, and then creates others. If the rounds have nothing to
// do with each other, the numbers of their classes are multiplied for nothing; that is worth a note. Looked for in the first
// complete execution only.
#pragma once

#include <string>

#include "engine/observer.h"

namespace ordeal::agent {

class Rounds final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override;
  /// Empty: there is one round, or none.
  std::string advice() const;

 private:
  int count_ = -1;  // not yet known
};

}  // namespace ordeal::agent
