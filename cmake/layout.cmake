# A build tree looks like an installed one: bin/ordeal with the compilers ordeal-cc and ordeal-c++ beside it, the headers that
# they need in include/, libordeal.so and fast_path.o (src/runtime/fast_path.h) in lib/ordeal/, in libexec/ the assembler that they start (src/tools/assembler.h), in share/ordeal the page of --html (viewer.cmake). The command finds all of it from its own place (src/tools/resources.h).

file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include SYMBOLIC)
file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
foreach(name ordeal-cc ordeal-c++)
  file(CREATE_LINK ordeal ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} SYMBOLIC)
  install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} DESTINATION bin)
endforeach()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/ordeal)
file(CREATE_LINK ../../bin/ordeal ${PROJECT_BINARY_DIR}/libexec/ordeal/as SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/libexec/ordeal/as DESTINATION libexec/ordeal)
configure_file(${PROJECT_SOURCE_DIR}/package/gdb.py ${PROJECT_BINARY_DIR}/share/ordeal/gdb.py COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/share/ordeal/gdb.py DESTINATION share/ordeal)
install(TARGETS ordeal RUNTIME DESTINATION bin)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ordeal DESTINATION include)

# What checked programs are linked with. Whoever builds the command wants it too.
if(TARGET ordeal_agent)
  add_dependencies(ordeal ordeal_agent)
  install(TARGETS ordeal_agent LIBRARY DESTINATION lib/ordeal)
  install(FILES ${ordeal_fast_path} DESTINATION lib/ordeal)
endif()
