# benchmarks/*.cpp make one executable, ordeal_bench, that is built only when asked for (./bench does).

get_property(ordeal_libraries GLOBAL PROPERTY ORDEAL_LIBRARIES)
file(GLOB benchmark_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*.cpp)
if(benchmark_sources)
  add_executable(ordeal_bench EXCLUDE_FROM_ALL ${benchmark_sources})
  target_link_libraries(ordeal_bench PRIVATE ordeal_oracle ${ordeal_libraries} fmt::fmt nlohmann_json::nlohmann_json
                        CLI11::CLI11)
  target_include_directories(ordeal_bench PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(ordeal_bench PRIVATE ORDEAL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endif()
