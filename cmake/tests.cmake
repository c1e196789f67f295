# Tests are found by glob, one executable a directory: tests/unit/model/*_test.cpp become unit_model_test, and
# tests/differential/*_test.cpp become differential_test. Other .cpp files of a directory that has tests are linked into
# its executable; tests/support/*.cpp into all. Every gtest case is one ctest entry: unit_model.Suite.Case.
# To build them fast, GoogleTest is read once (a precompiled header) and the tests themselves are not optimised.
# Every tests/scripts/*.sh is one too, scripts.name: it passes when it exits with 0.

find_package(GTest REQUIRED)
include(GoogleTest)
get_property(ordeal_libraries GLOBAL PROPERTY ORDEAL_LIBRARIES)

set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)  # the precompiled header serves libraries and executables
add_compile_options(-O0)
add_link_options(-fno-lto)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fno-use-linker-plugin)  # or the libraries are still optimised across files
endif()
file(GLOB support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.cpp)
add_library(ordeal_test_support STATIC ${support_sources})
target_link_libraries(ordeal_test_support PUBLIC ordeal_oracle ${ordeal_libraries}
                      fmt::fmt nlohmann_json::nlohmann_json GTest::gtest_main GTest::gmock)
target_include_directories(ordeal_test_support PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(ordeal_test_support PUBLIC ORDEAL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_precompile_headers(ordeal_test_support PRIVATE <gtest/gtest.h> <gmock/gmock.h> <map> <set> <sstream> <string> <vector>)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*_test.cpp)
set(test_directories "")
foreach(source IN LISTS test_sources)
  cmake_path(GET source PARENT_PATH directory)
  list(APPEND test_directories ${directory})
endforeach()
list(REMOVE_DUPLICATES test_directories)

foreach(directory IN LISTS test_directories)
  cmake_path(RELATIVE_PATH directory BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests OUTPUT_VARIABLE name)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(GLOB sources CONFIGURE_DEPENDS ${directory}/*.cpp)
  add_executable(${name}_test ${sources})
  target_link_libraries(${name}_test PRIVATE ordeal_test_support)
  target_precompile_headers(${name}_test REUSE_FROM ordeal_test_support)
  gtest_discover_tests(${name}_test DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120 TEST_PREFIX "${name}."
                       WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
endforeach()

file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/scripts/*.sh)
foreach(script IN LISTS scripts)
  cmake_path(GET script STEM name)
  # What compiles programs is slow, and the same whoever compiled the command.
  if(name MATCHES "^(wrapper|check|native)_" AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    continue()
  endif()
  add_test(NAME scripts.${name} COMMAND bash ${script})
  set_tests_properties(scripts.${name} PROPERTIES ENVIRONMENT
    "ORDEAL=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/ordeal;ORDEAL_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endforeach()

# What the oracle says about litmus files, to write down expectations; built when asked for.
add_executable(ordeal_oracle_run EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/unit/oracle/command/oracle_run.cpp)
target_link_libraries(ordeal_oracle_run PRIVATE ordeal_test_support)
