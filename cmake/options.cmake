# Language, warnings, optimisation, sanitizers: what every target shares. The presets choose among these options.

option(ORDEAL_WERROR "Warnings are errors" OFF)
option(ORDEAL_CHECKS "Assertions of the standard library, too slow for users" OFF)
option(ORDEAL_IPO "Optimise across files, in the build type Release" ON)
option(ORDEAL_TESTS "Build the tests" ON)
option(ORDEAL_FUZZ "Build the fuzz targets (needs Clang)" OFF)
option(ORDEAL_BENCHMARKS "Define the target ordeal_bench" ON)
set(ORDEAL_OPTIMISE "-O3" CACHE STRING "Optimisation flag of the build type Release, for example -O2")
set(ORDEAL_SANITIZE "" CACHE STRING "What -fsanitize= gets, for example address,undefined")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "${ORDEAL_OPTIMISE} -g1 -DNDEBUG")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # libordeal.so takes the libraries in
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

add_compile_options(-Wall -Wextra -Wpedantic)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wshadow=local)  # -Wshadow of GCC 12 takes the names of an enum class for global ones
else()
  add_compile_options(-Wshadow)
endif()
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)  # __FILE__ is relative to the root
if(ORDEAL_WERROR)
  add_compile_options(-Werror)
endif()

if(ORDEAL_CHECKS)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

if(ORDEAL_SANITIZE)
  add_compile_options(-fsanitize=${ORDEAL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ORDEAL_SANITIZE})
endif()

if(ORDEAL_IPO AND CMAKE_BUILD_TYPE STREQUAL "Release")
  include(CheckIPOSupported)
  check_ipo_supported(RESULT ordeal_ipo_works OUTPUT ordeal_ipo_output LANGUAGES CXX)
  if(ordeal_ipo_works)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
    add_compile_options(-ffat-lto-objects)  # tests link without that optimisation
  else()
    message(STATUS "No optimisation across files: ${ordeal_ipo_output}")
  endif()
endif()

# CMAKE_UNITY_BUILD (tests, and all of the preset asan-ubsan) compiles several files at once, in half the time. These have
# names of their own, in unnamed namespaces, that others of their folder have too.
foreach(file src/litmus/atomic_call src/litmus/condition_parser src/litmus/condition_printer src/litmus/expression_builder
             src/litmus/expression_parser src/litmus/printer src/litmus/statement_parser src/runtime/loops/catches src/runtime/loops/frame_flow src/runtime/loops/function_frame src/runtime/loops/jump_table src/symbols/module_file src/tools/check src/tools/litmus src/tools/litmus_search src/tools/replay
             tests/differential/passes_test tests/differential/symmetry_test
             tests/unit/explore/uniqueness_test tests/unit/model/seq_cst_test tests/unit/explore/waiting_test tests/unit/runtime/stack_liveness_test tests/unit/report/sample_report_test tests/unit/trace/run_result_format_test)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/${file}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
