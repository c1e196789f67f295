# The page of --html: viewer/ is bundled by npm into share/ordeal/page.html, where the command finds it (src/tools/resources.h).
# Where npm does not work, everything else is built all the same (viewer/build.sh).

set(ordeal_page ${PROJECT_BINARY_DIR}/share/ordeal/page.html)
file(GLOB viewer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
foreach(name build.mjs build.sh package-lock.json .npmrc)
  list(APPEND viewer_sources ${PROJECT_SOURCE_DIR}/viewer/${name})
endforeach()
add_custom_command(OUTPUT ${ordeal_page} COMMAND bash ${PROJECT_SOURCE_DIR}/viewer/build.sh ${ordeal_page} DEPENDS ${viewer_sources} VERBATIM)
add_custom_target(ordeal_page ALL DEPENDS ${ordeal_page})
add_dependencies(ordeal ordeal_page)
install(FILES ${ordeal_page} ${ordeal_page}.missing DESTINATION share/ordeal OPTIONAL)
