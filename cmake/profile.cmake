# The search in libordeal.so is optimised by a profile of itself: a second libordeal.so under profile/, whose search counts, runs a few
# small programs (count.sh), and the compiler is told the counts. Made once for a build tree: code that changes afterwards is compiled
# without, until `cmake --build TREE --target ordeal_profile_anew` counts again for the next build.
#
# Not what runs on the program's stacks (src/runtime): what it leaves there must not depend on which way was taken (ADR 25). Where no
# counts can be made (another compiler, a program that cannot run here) the library is built without, and is only slower.

option(ORDEAL_PROFILE "Optimise the search by a profile, in the build type Release (GCC): see docs/adr/0025-profile.md" ON)
set(ordeal_profiled_folders model engine trace explore)

if(NOT ORDEAL_PROFILE OR ORDEAL_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  return()
endif()
set(tree ${PROJECT_BINARY_DIR}/profile)

# The library that counts. What it needs is compiled here once more: the usual libraries wait for the counts.
foreach(folder ${ordeal_profiled_folders})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  list(APPEND counting_sources ${sources})
endforeach()
file(GLOB other_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/analysis/*.cpp ${PROJECT_SOURCE_DIR}/src/sample/*.cpp)
add_library(ordeal_counting_others OBJECT EXCLUDE_FROM_ALL ${other_sources})
target_include_directories(ordeal_counting_others PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
ordeal_compile_quickly(ordeal_counting_others)
ordeal_agent_library(ordeal_counting ${tree}/lib $<TARGET_OBJECTS:ordeal_counting_others> gcov)
target_sources(ordeal_counting PRIVATE ${counting_sources})
target_include_directories(ordeal_counting PRIVATE ${PROJECT_SOURCE_DIR}/src)
# By their numbers in the file: the default takes the object's name for a part of the function's.
set(find_functions -fprofile-prefix-path=${PROJECT_BINARY_DIR} --param=profile-func-internal-id=1)
target_compile_options(ordeal_counting PRIVATE -fno-lto -fprofile-generate=${tree}/counts -fprofile-update=single ${find_functions})
target_link_options(ordeal_counting PRIVATE -Wl,-u,__gcov_dump)  # named weakly (src/agent/start.cpp)
set_target_properties(ordeal_counting PROPERTIES EXCLUDE_FROM_ALL ON)

set(count ${PROJECT_SOURCE_DIR}/cmake/count.sh ${PROJECT_SOURCE_DIR} ${tree} ${CMAKE_CXX_COMPILER})
add_custom_command(OUTPUT ${tree}/counted COMMAND ${count} DEPENDS ${PROJECT_SOURCE_DIR}/cmake/count.sh COMMENT "Counting for the profile" VERBATIM)
add_custom_target(ordeal_profile DEPENDS ${tree}/counted)
list(TRANSFORM ordeal_profiled_folders REPLACE "(.+)" "CMakeFiles/ordeal_\\1.dir/src" OUTPUT_VARIABLE profiled_objects)
add_custom_target(ordeal_profile_anew COMMAND ${count} COMMAND ${CMAKE_COMMAND} -E rm -rf ${profiled_objects} VERBATIM)
add_dependencies(ordeal_profile ordeal_counting)
add_dependencies(ordeal_profile_anew ordeal_counting)
foreach(folder ${ordeal_profiled_folders})
  target_compile_options(ordeal_${folder} PRIVATE -fprofile-use=${tree}/counts -fprofile-partial-training ${find_functions}
                         -Wno-missing-profile -Wno-coverage-mismatch)
  add_dependencies(ordeal_${folder} ordeal_profile)
endforeach()
