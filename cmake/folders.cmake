# One target a folder of src/. Files are found by glob; a folder that has no .cpp file, or is not there yet, becomes an
# INTERFACE target, so that the tree configures at any time. Includes are relative to src/: #include "model/event.h".

set_property(GLOBAL PROPERTY ORDEAL_LIBRARIES)  # every ordeal_<folder> library: tests and benchmarks link them all

# What only reads and writes texts needs not be fast, and takes long to compile: it is optimised a little, under sanitizers
# not at all.
function(ordeal_compile_quickly target)
  if(ORDEAL_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  endif()
endfunction()

# ordeal_folder(<name> [TEXTS] [DEPS <folder>...] [LIBS <target>...]): the library ordeal_<name> from src/<name>/*.cpp.
# DEPS are the folders it may include, LIBS the third-party targets; TEXTS: it only reads and writes texts.
function(ordeal_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TEXTS" "" "DEPS;LIBS")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(sources)
    add_library(ordeal_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(ordeal_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  list(TRANSFORM arg_DEPS PREPEND ordeal_)
  target_include_directories(ordeal_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(ordeal_${name} ${scope} ${arg_DEPS} ${arg_LIBS})
  set_property(GLOBAL APPEND PROPERTY ORDEAL_LIBRARIES ordeal_${name})
  if(arg_TEXTS)
    ordeal_compile_quickly(ordeal_${name})
  endif()
endfunction()

# ordeal_command(<folder> [DEPS ...] [LIBS ...]): the executable `ordeal` from src/<folder>/main.cpp, and the library
# ordeal_<folder> from the rest, so that tests reach the verbs.
function(ordeal_command name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPS;LIBS")
  ordeal_folder(${name} TEXTS DEPS ${arg_DEPS} LIBS ${arg_LIBS})
  add_executable(ordeal ${PROJECT_SOURCE_DIR}/src/${name}/main.cpp)
  target_link_libraries(ordeal PRIVATE ordeal_${name})
  target_compile_definitions(ordeal_${name} PUBLIC ORDEAL_VERSION="${PROJECT_VERSION}")
  set(optimise -O1)
  if(ORDEAL_SANITIZE)
    set(optimise -O0)
  endif()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/${name}/main.cpp PROPERTIES COMPILE_OPTIONS ${optimise})
endfunction()

# ordeal_inside(<folder> [DEPS ...]): a folder that is compiled into libordeal.so (agent.cmake) and nowhere else.
function(ordeal_inside name)
endfunction()

# ordeal_oracle(HEADERS <header>...): the library ordeal_oracle from oracle/*.cpp. Of src/ it may include HEADERS only
# (tests/arrows checks that), and it links nothing. Its users write #include "oracle/...".
function(ordeal_oracle)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/oracle/*.cpp)
  if(sources)
    add_library(ordeal_oracle STATIC EXCLUDE_FROM_ALL ${sources})
    set(scope PUBLIC)
  else()
    add_library(ordeal_oracle INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(ordeal_oracle ${scope} ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
endfunction()
