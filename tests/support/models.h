// The memory models that every test of the search goes through.
#pragma once

#include <array>

#include "model/consistency.h"

namespace ordeal::tests {

constexpr std::array kAllModels{model::Model::kCpp20, model::Model::kRc11, model::Model::kSc, model::Model::kTso};

}  // namespace ordeal::tests
