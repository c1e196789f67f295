# With ORDEAL_PROFILE the search in libordeal.so is optimised by a profile of itself: a build of its own under profile/ counts what the
# library does in a few small programs (count.sh), and the compiler is told. Made once for a build tree: code that changes afterwards is
# compiled without, until `cmake --build TREE --target ordeal_profile_anew` counts again.
#
# Not what runs on the program's stacks (src/runtime): what it leaves there must not depend on which way was taken (ADR 25). Where it
# cannot be made (another compiler, a program that cannot run here) the library is built without.

option(ORDEAL_PROFILE "Optimise the search by a profile, in the build type Release (GCC): see docs/adr/0025-profile.md" OFF)
set(ORDEAL_COUNTS_INTO "" CACHE INTERNAL "Where the build that counts leaves its counts")

set(ordeal_profile_tree ${PROJECT_BINARY_DIR}/profile)
set(ordeal_profile_counts ${ordeal_profile_tree}/counts)
set(ordeal_profile_stamp ${ordeal_profile_tree}/counted)

set(ordeal_uses_profile OFF)
if(ORDEAL_PROFILE AND NOT ORDEAL_COUNTS_INTO AND NOT ORDEAL_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(ordeal_uses_profile ON)
  set(count ${PROJECT_SOURCE_DIR}/cmake/count.sh ${PROJECT_SOURCE_DIR} ${ordeal_profile_tree} ${CMAKE_CXX_COMPILER} ${ORDEAL_OPTIMISE} ${ordeal_profile_stamp})
  add_custom_command(OUTPUT ${ordeal_profile_stamp} COMMAND ${count} COMMENT "Counting for the profile" VERBATIM)
  add_custom_target(ordeal_profile DEPENDS ${ordeal_profile_stamp})
  add_custom_target(ordeal_profile_anew COMMAND ${count} VERBATIM)
endif()

# ordeal_profiled(<target>): part of the search. The library as a whole is linked with what counts.
function(ordeal_profiled target)
  if(ORDEAL_COUNTS_INTO)
    target_compile_options(${target} PRIVATE -fprofile-generate=${ORDEAL_COUNTS_INTO} -fprofile-update=single -fprofile-prefix-path=${PROJECT_BINARY_DIR})
  elseif(ordeal_uses_profile)
    target_compile_options(${target} PRIVATE -fprofile-use=${ordeal_profile_counts} -fprofile-partial-training -fprofile-prefix-path=${PROJECT_BINARY_DIR}
                           -Wno-missing-profile -Wno-coverage-mismatch)
    add_dependencies(${target} ordeal_profile)
  endif()
endfunction()
