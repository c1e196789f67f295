# libordeal.so: what runs inside the tested process. It brings its own copy of the C++ library, shows nothing but the ABI,
# and must be found before every other library.

if(ORDEAL_SANITIZE)  # a sanitizer's own runtime wants the same functions
  return()
endif()

find_library(ORDEAL_BOOST_CONTEXT NAMES libboost_context.a REQUIRED)
file(GLOB agent_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/runtime/*.cpp ${PROJECT_SOURCE_DIR}/src/agent/*.cpp)
add_library(ordeal_agent SHARED ${agent_sources})
set_target_properties(ordeal_agent PROPERTIES OUTPUT_NAME ordeal LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/ordeal)
# Its assembler stubs and their functions must stay together.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/runtime/abi_atomic.cpp
                            ${PROJECT_SOURCE_DIR}/src/runtime/abi_libatomic.cpp PROPERTIES COMPILE_OPTIONS -fno-lto)
target_include_directories(ordeal_agent PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(ordeal_agent PRIVATE -fno-threadsafe-statics -fno-stack-protector -fcf-protection=none -Wno-pedantic)
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  target_compile_options(ordeal_agent PRIVATE -fno-fat-lto-objects)  # no test links them
endif()
target_link_libraries(ordeal_agent PRIVATE ordeal_analysis ordeal_explore ordeal_sample ordeal_trace ordeal_engine ordeal_model ${ORDEAL_BOOST_CONTEXT} ${CMAKE_DL_LIBS})
target_link_options(ordeal_agent PRIVATE -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,-z,now -Wl,-z,nodelete
                    -Wl,-z,muldefs  # ours come first: libstdc++.a has its own std::random_device in an object that is needed
                    -Wl,-Bsymbolic -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/agent/exported.map)
set_target_properties(ordeal_agent PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/agent/exported.map)
