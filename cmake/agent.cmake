# libordeal.so: what runs inside the tested process. It brings its own copy of the C++ library, shows nothing but the ABI,
# and must be found before every other library.

if(ORDEAL_SANITIZE)  # a sanitizer's own runtime wants the same functions
  return()
endif()

find_library(ORDEAL_BOOST_CONTEXT NAMES libboost_context.a REQUIRED)
file(GLOB agent_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/runtime/*.cpp ${PROJECT_SOURCE_DIR}/src/runtime/loops/*.cpp ${PROJECT_SOURCE_DIR}/src/agent/*.cpp)
list(REMOVE_ITEM agent_sources ${PROJECT_SOURCE_DIR}/src/runtime/fast_path.cpp)
add_library(ordeal_inside OBJECT ${agent_sources})
# Its assembler stubs and their functions must stay together; one knows functions by their addresses only.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/runtime/abi_atomic.cpp ${PROJECT_SOURCE_DIR}/src/runtime/abi_libatomic.cpp
                            ${PROJECT_SOURCE_DIR}/src/runtime/loops/speculation.cpp ${PROJECT_SOURCE_DIR}/src/runtime/loops/code_paths.cpp PROPERTIES COMPILE_OPTIONS -fno-lto)
target_include_directories(ordeal_inside PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_options(ordeal_inside PRIVATE -fno-threadsafe-statics -fno-stack-protector -fcf-protection=none -Wno-pedantic)
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  target_compile_options(ordeal_inside PRIVATE -fno-fat-lto-objects)  # no test links them
endif()

# ordeal_agent_library(<target> <folder> <library>...): libordeal.so in that folder, of src/runtime, src/agent and the libraries.
function(ordeal_agent_library target folder)
  add_library(${target} SHARED $<TARGET_OBJECTS:ordeal_inside>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ordeal LIBRARY_OUTPUT_DIRECTORY ${folder} LINKER_LANGUAGE CXX
                        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/agent/exported.map)
  target_link_libraries(${target} PRIVATE ${ARGN} ${ORDEAL_BOOST_CONTEXT} ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,-z,now -Wl,-z,nodelete
                      -Wl,-Bsymbolic -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/agent/exported.map)
endfunction()
ordeal_agent_library(ordeal_agent ${PROJECT_BINARY_DIR}/lib/ordeal ordeal_analysis ordeal_explore ordeal_sample ordeal_trace ordeal_engine ordeal_model)
target_link_options(ordeal_agent PRIVATE $<$<CONFIG:Release>:-s>)  # gdb's `break NAME` is about the program's functions, not about ours

# What programs have in themselves of it. Whatever the build type: it must not touch the stack, and goes on by jumps.
add_library(ordeal_fast_path OBJECT ${PROJECT_SOURCE_DIR}/src/runtime/fast_path.cpp)
target_include_directories(ordeal_fast_path PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(ordeal_fast_path PRIVATE -O2 -g0 -fPIC -fno-plt -fno-lto -fomit-frame-pointer -fno-stack-protector -fcf-protection=none)
set(ordeal_fast_path ${PROJECT_BINARY_DIR}/lib/ordeal/fast_path.o)
add_custom_command(OUTPUT ${ordeal_fast_path} COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:ordeal_fast_path> ${ordeal_fast_path}
                   DEPENDS ordeal_fast_path $<TARGET_OBJECTS:ordeal_fast_path> VERBATIM)
add_custom_target(ordeal_fast_path_file ALL DEPENDS ${ordeal_fast_path})
add_dependencies(ordeal_agent ordeal_fast_path_file)

include(${CMAKE_CURRENT_LIST_DIR}/profile.cmake)
