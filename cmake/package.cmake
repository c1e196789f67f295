# What is installed beside the command (layout.cmake), and the Debian package: package/README.md.

# Manual pages and completions know the command's verbs and options from the command itself.
add_executable(ordeal_pages ${PROJECT_SOURCE_DIR}/package/pages.cpp)
target_link_libraries(ordeal_pages PRIVATE ordeal_tools)
ordeal_compile_quickly(ordeal_pages)
set(ordeal_pages_made "")
function(ordeal_page template place)
  set(output ${PROJECT_BINARY_DIR}/${place})
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${output} COMMAND ordeal_pages ${PROJECT_SOURCE_DIR}/package/${template} ${output}
                     DEPENDS ordeal_pages ${PROJECT_SOURCE_DIR}/package/${template} VERBATIM)
  cmake_path(GET place PARENT_PATH folder)
  install(FILES ${output} DESTINATION ${folder})
  set(ordeal_pages_made ${ordeal_pages_made} ${output} PARENT_SCOPE)
endfunction()
foreach(page ordeal ordeal-check ordeal-test ordeal-replay ordeal-report ordeal-litmus ordeal-cc)
  ordeal_page(man/${page}.1 share/man/man1/${page}.1)
endforeach()
ordeal_page(completion/ordeal.bash share/bash-completion/completions/ordeal)
ordeal_page(completion/_ordeal share/zsh/site-functions/_ordeal)
ordeal_page(completion/ordeal.fish share/fish/vendor_completions.d/ordeal.fish)
add_custom_target(ordeal_package_files ALL DEPENDS ${ordeal_pages_made})
file(WRITE ${PROJECT_BINARY_DIR}/share/man/man1/ordeal-c++.1 ".so man1/ordeal-cc.1\n")
install(FILES ${PROJECT_BINARY_DIR}/share/man/man1/ordeal-c++.1 DESTINATION share/man/man1)

# find_package(ordeal), pkg-config; also of the build tree.
include(CMakePackageConfigHelpers)
set(ordeal_cmake ${PROJECT_BINARY_DIR}/lib/cmake/ordeal)
write_basic_package_version_file(${ordeal_cmake}/ordealConfigVersion.cmake COMPATIBILITY SameMinorVersion)
foreach(file ordealConfig.cmake compile expect)
  configure_file(${PROJECT_SOURCE_DIR}/package/cmake/${file} ${ordeal_cmake}/${file} COPYONLY)
endforeach()
install(FILES ${ordeal_cmake}/ordealConfig.cmake ${ordeal_cmake}/ordealConfigVersion.cmake DESTINATION lib/cmake/ordeal)
install(PROGRAMS ${ordeal_cmake}/compile ${ordeal_cmake}/expect DESTINATION lib/cmake/ordeal)
configure_file(${PROJECT_SOURCE_DIR}/package/ordeal.pc.in ${PROJECT_BINARY_DIR}/share/pkgconfig/ordeal.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/share/pkgconfig/ordeal.pc DESTINATION share/pkgconfig)

# cpack -G DEB, once `ordeal` and `ordeal_package_files` are built: tests are no part of it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ordeal)
set(CPACK_PACKAGE_CONTACT "Ordeal developers <ordeal@ordeal.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "model checker for C and C++ programs with atomics")
set(CPACK_PACKAGE_DESCRIPTION "Ordeal puts code that uses C and C++ atomics through every behaviour that
the C++ memory model allows: every interleaving, and every store that a
relaxed load may see, each different behaviour exactly once. It checks
compiled programs as they are, and litmus tests.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ | clang, binutils")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(FILES ${PROJECT_SOURCE_DIR}/package/copyright DESTINATION share/doc/ordeal)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/package/debian.cmake)
set(CPACK_ORDEAL_CHANGELOG ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
set(CPACK_ORDEAL_DEBIAN_CHANGELOG ${PROJECT_SOURCE_DIR}/package/debian.changelog)
# CPack calls ldconfig for what lies two folders below /usr/lib, too, which is in vain here, unless there are such scripts. There are none.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/none/postinst ${PROJECT_BINARY_DIR}/none/postrm)
include(CPack)
