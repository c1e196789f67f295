# Tests are found by glob, one executable a directory: tests/unit/model/*_test.cpp become unit_model_test, and
# tests/differential/*_test.cpp become differential_test. Other .cpp files of a directory that has tests are linked into
# its executable; tests/support/*.cpp into all. Every gtest case is one ctest entry: unit_model.Suite.Case.
# To build them fast, GoogleTest is read once (a precompiled header), several files are compiled at once, and the tests
# themselves are not optimised.
# Every tests/scripts/*.sh is one too, scripts.name: it passes when it exits with 0.

find_package(GTest REQUIRED)
include(GoogleTest)
get_property(ordeal_libraries GLOBAL PROPERTY ORDEAL_LIBRARIES)

set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 6)
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

# What of src/runtime needs no interposition is tested without libordeal.so, so under sanitizers too. What it needs of the
# host is in tests/unit/runtime/host.cpp.
find_library(ORDEAL_BOOST_CONTEXT NAMES libboost_context.a REQUIRED)
set(runtime_parts annotations bounds fiber heap loops/catches loops/frame_flow loops/function_frame loops/jump_table loops/liveness loops/stack_liveness location_bytes locations race_shadow shadow test_heap)
list(TRANSFORM runtime_parts REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/runtime/\\1.cpp")
add_library(ordeal_runtime_parts STATIC ${runtime_parts})
target_compile_options(ordeal_runtime_parts PUBLIC -Wno-pedantic)
target_link_libraries(ordeal_runtime_parts PUBLIC ordeal_engine ${ORDEAL_BOOST_CONTEXT})
target_link_libraries(unit_runtime_test PRIVATE ordeal_runtime_parts)

file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/scripts/*.sh)
foreach(script IN LISTS scripts)
  cmake_path(GET script STEM name)
  # What compiles programs is slow, and the same whoever compiled the command.
  if(name MATCHES "^((wrapper|check|native)_|test_[^c])" AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    continue()
  endif()
  add_test(NAME scripts.${name} COMMAND bash ${script})
  set_tests_properties(scripts.${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT
    "ORDEAL=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/ordeal;ORDEAL_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endforeach()

# Every program of tests/native, benchmarks/programs and benchmarks/scaling is checked by `ordeal check` (tests/native/README.md): native.NAME.gcc.O2
# and so on. Those of the configuration `long` run with `ctest -C long` only.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  file(GLOB native_programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/native/*.c ${PROJECT_SOURCE_DIR}/tests/native/*.cpp
       ${PROJECT_SOURCE_DIR}/benchmarks/programs/*.cpp ${PROJECT_SOURCE_DIR}/benchmarks/scaling/*.cpp)
  set(native_environment "ORDEAL=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/ordeal;XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/native"
                         "ORDEAL_HEADERS=${PROJECT_BINARY_DIR}/native/headers")
  execute_process(COMMAND python3 -B ${PROJECT_SOURCE_DIR}/tests/native/run_native.py --list OUTPUT_VARIABLE native_tests
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" native_tests "${native_tests}")
  foreach(test IN LISTS native_tests)
    separate_arguments(test)
    list(POP_FRONT test name file compiler level length)
    set(configurations "")
    if(length STREQUAL "long")
      set(configurations CONFIGURATIONS long)
    endif()
    add_test(NAME native.${name}.${compiler}.${level} ${configurations}
             COMMAND python3 -B ${PROJECT_SOURCE_DIR}/tests/native/run_native.py --compiler ${compiler} --level ${level} ${file})
    set_tests_properties(native.${name}.${compiler}.${level} PROPERTIES ENVIRONMENT "${native_environment}" SKIP_RETURN_CODE 77
                         FIXTURES_REQUIRED headers.${compiler}.${level})
  endforeach()
  foreach(compiler gcc clang)
    foreach(level O0 O2)
      set(headers native.headers.${compiler}.${level})
      add_test(NAME ${headers} COMMAND python3 -B ${PROJECT_SOURCE_DIR}/tests/native/run_native.py --headers --compiler ${compiler} --level ${level})
      set_tests_properties(${headers} PROPERTIES ENVIRONMENT "${native_environment}" FIXTURES_SETUP headers.${compiler}.${level})
      set(litmus ${PROJECT_SOURCE_DIR}/tests/native/litmus/run_litmus.py --compiler ${compiler} --level ${level})
      set(name native.litmus.${compiler}.${level})
      if("${compiler}.${level}" MATCHES "gcc.O2|clang.O0")
        add_test(NAME ${name} COMMAND python3 -B ${litmus} --count 40)
        set_tests_properties(${name} PROPERTIES ENVIRONMENT "${native_environment}" COST 100)
      endif()
      add_test(NAME ${name}.all CONFIGURATIONS long COMMAND python3 -B ${litmus})
      set_tests_properties(${name}.all PROPERTIES ENVIRONMENT "${native_environment}")
    endforeach()
    foreach(level O0 O1 O2 O3) # tests/native/loops/README.md
      set(loops ${PROJECT_SOURCE_DIR}/tests/native/loops/run_loops.py --compiler ${compiler} --level ${level})
      set(name native.loops.${compiler}.${level})
      add_test(NAME ${name} COMMAND python3 -B ${loops} --seed 1 --count 40 --chunk 20)
      add_test(NAME ${name}.all CONFIGURATIONS long COMMAND python3 -B ${loops} --seed 2 --count 12500 --every 6 --failures 20)
      add_test(NAME ${name}.pairs COMMAND python3 -B ${loops} --shape pairs --seed 3 --first 1 --count 40 --chunk 20 --compare reduction)
      add_test(NAME ${name}.pairs.all CONFIGURATIONS long COMMAND python3 -B ${loops} --shape pairs --seed 4 --first 1 --count 3000 --compare reduction --failures 20)
      add_test(NAME ${name}.joins COMMAND python3 -B ${loops} --shape joins --seed 5 --first 1 --count 80 --chunk 40 --compare reduction)
      add_test(NAME ${name}.joins.all CONFIGURATIONS long COMMAND python3 -B ${loops} --shape joins --seed 6 --first 1 --count 3000 --compare reduction --failures 20)
      set_tests_properties(${name} ${name}.all ${name}.pairs ${name}.pairs.all ${name}.joins ${name}.joins.all PROPERTIES ENVIRONMENT "${native_environment}" COST 100)
    endforeach()
  endforeach()
  add_test(NAME native.loops.self_check COMMAND python3 -B ${PROJECT_SOURCE_DIR}/tests/native/loops/run_loops.py --self-check --first 1 --count 30)
  set_tests_properties(native.loops.self_check PROPERTIES ENVIRONMENT "${native_environment}")
endif()

# What the oracle says about litmus files, to write down expectations; built when asked for.
add_executable(ordeal_oracle_run EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/unit/oracle/command/oracle_run.cpp)
target_link_libraries(ordeal_oracle_run PRIVATE ordeal_test_support)
