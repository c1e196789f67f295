# tests/fuzz/*_fuzz.cpp: one libFuzzer executable a file. Only in the preset `fuzz`, where everything is built by Clang
# with coverage for the fuzzer (ORDEAL_SANITIZE has fuzzer-no-link).

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "The fuzz targets need Clang: use the preset `fuzz`")
endif()
get_property(ordeal_libraries GLOBAL PROPERTY ORDEAL_LIBRARIES)
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp)
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ordeal_oracle ${ordeal_libraries} fmt::fmt)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${name} PRIVATE ORDEAL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
