// The random programs of tests/differential, for this executable too.
#include "tests/differential/recipe.cpp"  // NOLINT(bugprone-suspicious-include)
