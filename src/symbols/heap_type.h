// What was allocated? The debug information does not say, but two places do, as a rule: the name of an allocator around the
// call (`std::__new_allocator<Node>::allocate`), and the text of the source line (`new Node`, `malloc(sizeof(Node))`). A type
// that is found so must fit the size of the block. A guess, and only ever used for a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbols/code_lookup.h"

namespace ordeal::symbols {

struct HeapType {
  Dwarf_Die type;
  std::string name;  // as it is shown
  std::uint64_t size = 0;
  std::uint64_t start = 0;  // where in the block it begins
};

/// The types that a line of source may allocate: "Node" for `auto* n = new app::Node(3);`.
std::vector<std::string> types_in_line(std::string_view line);
/// The T of "std::__new_allocator<T>::allocate", or empty.
std::string type_of_allocator(std::string_view function);

std::optional<HeapType> heap_type(ModuleFile& file, const std::vector<RawFrame>& frames, const RawFrame& user_frame,
                                  std::uint64_t block_size);

}  // namespace ordeal::symbols
