# find_package(ordeal) gives
#
#   ordeal::ordeal     the command
#   ordeal::headers    <ordeal/ordeal.h>, for any compiler
#   ordeal_add_test(name sources…
#                   [OPTIONS …]           options of `ordeal check`
#                   [LINK_LIBRARIES …]    as of target_link_libraries
#                   [COMPILE_OPTIONS …]   further flags; the defaults are -O1 -g, and assertions are on
#                   [ARGUMENTS …]         arguments of the program
#                   [TIMEOUT seconds]     for the search (default 300); a minute later CTest ends it
#                   [EXPECT verdict])     verified (default), bug, bounded or cannot-check
#
# It builds an executable `name` from the sources with `ordeal c++`, whatever compiler the project uses (that one does the work),
# and adds a CTest test of the same name and the label `ordeal`, which runs `ordeal check`.

cmake_minimum_required(VERSION 3.21)  # launchers of linkers

get_filename_component(_ordeal_prefix "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_ordeal_prefix "${_ordeal_prefix}/../../.." ABSOLUTE)
if(NOT TARGET ordeal::ordeal)
  add_executable(ordeal::ordeal IMPORTED GLOBAL)
  set_target_properties(ordeal::ordeal PROPERTIES IMPORTED_LOCATION "${_ordeal_prefix}/bin/ordeal")
  add_library(ordeal::headers INTERFACE IMPORTED GLOBAL)
  set_target_properties(ordeal::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_ordeal_prefix}/include")
endif()
unset(_ordeal_prefix)

# What such a library does with memory would go unseen.
function(_ordeal_warn_of_library test library)
  if(NOT TARGET ${library})
    return()
  endif()
  get_target_property(type ${library} TYPE)
  get_target_property(imported ${library} IMPORTED)
  if(type MATCHES "^(STATIC|SHARED|OBJECT)_LIBRARY$" AND NOT imported)
    message(WARNING "ordeal_add_test(${test}): the library '${library}' is not compiled by Ordeal, so what its code does with memory is not seen. "
                    "If threads share that memory, name its sources among those of the test instead.")
  endif()
endfunction()

function(ordeal_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;EXPECT" "OPTIONS;LINK_LIBRARIES;COMPILE_OPTIONS;ARGUMENTS")
  set(verdicts verified bug bounded cannot-check)
  if(NOT DEFINED arg_EXPECT)
    set(arg_EXPECT verified)
  endif()
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ordeal_add_test(${name}): there are no sources")
  elseif(NOT arg_EXPECT IN_LIST verdicts)
    message(FATAL_ERROR "ordeal_add_test(${name}): EXPECT ${arg_EXPECT} is none of: verified, bug, bounded, cannot-check")
  elseif(NOT arg_TIMEOUT MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "ordeal_add_test(${name}): TIMEOUT ${arg_TIMEOUT} is no number of seconds")
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  foreach(language C CXX)
    set(launcher "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/compile;${language}")
    set_target_properties(${name} PROPERTIES ${language}_COMPILER_LAUNCHER "${launcher}" ${language}_LINKER_LAUNCHER "${launcher}")
  endforeach()
  target_compile_options(${name} PRIVATE -O1 -g -UNDEBUG ${arg_COMPILE_OPTIONS})
  if(NOT CMAKE_CXX_STANDARD AND CMAKE_CXX_COMPILER_LOADED)
    target_compile_features(${name} PRIVATE cxx_std_20)
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LINK_LIBRARIES})
  foreach(library IN LISTS arg_LINK_LIBRARIES)
    _ordeal_warn_of_library(${name} "${library}")
  endforeach()
  set(options ${arg_OPTIONS})
  if(NOT "--time" IN_LIST options)
    list(PREPEND options --time ${arg_TIMEOUT})
  endif()
  math(EXPR limit "${arg_TIMEOUT} + 60")
  add_test(NAME ${name} COMMAND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/expect" ${arg_EXPECT} $<TARGET_FILE:ordeal::ordeal> check ${options}
           $<TARGET_FILE:${name}> ${arg_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS ordeal TIMEOUT ${limit})
endfunction()
