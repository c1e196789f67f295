# The target `format` rewrites every C++ file in the style of .clang-format.

find_program(ORDEAL_CLANG_FORMAT NAMES clang-format)
if(ORDEAL_CLANG_FORMAT)
  file(GLOB_RECURSE format_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.cpp
    ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/include/*.hpp
    ${PROJECT_SOURCE_DIR}/oracle/*.h ${PROJECT_SOURCE_DIR}/oracle/*.cpp
    ${PROJECT_SOURCE_DIR}/tests/*.h ${PROJECT_SOURCE_DIR}/tests/*.cpp
    ${PROJECT_SOURCE_DIR}/benchmarks/*.h ${PROJECT_SOURCE_DIR}/benchmarks/*.cpp)
  add_custom_target(format COMMAND ${ORDEAL_CLANG_FORMAT} -i --style=file ${format_sources} VERBATIM)
endif()
