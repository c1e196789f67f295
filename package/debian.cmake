# Run by cpack before it makes the package: what Debian wants compressed.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
configure_file(${CPACK_ORDEAL_DEBIAN_CHANGELOG} ${share}/doc/ordeal/changelog @ONLY)
configure_file(${CPACK_ORDEAL_CHANGELOG} ${share}/doc/ordeal/CHANGELOG.md COPYONLY)
file(CHMOD ${share}/doc/ordeal/changelog ${share}/doc/ordeal/CHANGELOG.md PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(GLOB texts ${share}/man/man1/*.1 ${share}/doc/ordeal/changelog ${share}/doc/ordeal/CHANGELOG.md)
execute_process(COMMAND gzip -9nf ${texts} COMMAND_ERROR_IS_FATAL ANY)
