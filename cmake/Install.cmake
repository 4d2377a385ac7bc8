# Installation: cmake --install build/release --prefix P, after building the target weir. Its components are:
# - "development": the machine's parts and the models, for a user's programs with find_package(weir);
# - "program": the program with its experiments, manual page and completions.
# No installed file contains the prefix, so that the installation can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/MachineHeaders.cmake)

# Targets for a user's programs: weir::hw, weir::network, ...; weir::systemc has the settings that Debian's SystemC requires.
set(parts systemc hw memory network traffic nodes images firmware models)
set(part_targets ${parts})
list(TRANSFORM part_targets PREPEND weir_)
foreach(part IN LISTS parts)
    set_target_properties(weir_${part} PROPERTIES EXPORT_NAME ${part})
    # A program includes the headers by the same paths as the headers themselves: "network/router/wormhole_router.h".
    target_include_directories(weir_${part} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/weir>)
    target_compile_features(weir_${part} INTERFACE $<INSTALL_INTERFACE:cxx_std_20>)
endforeach()
install(TARGETS ${part_targets} EXPORT weirTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
    # Machine code only: intermediate code for link-time optimisation is readable by this compiler only, and would be
    # optimised again at each of the user's links.
    set(archives ${parts})
    list(REMOVE_ITEM archives systemc)
    list(TRANSFORM archives PREPEND "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libweir_")
    list(TRANSFORM archives APPEND ".a")
    list(JOIN archives "\" \"" archives)
    set(refusal)
    if(NOT WEIR_ARCHIVES)
        set(refusal "message(FATAL_ERROR \"The development component needs a build with -D WEIR_ARCHIVES=ON, as ./weir package makes it.\")")
    endif()
    install(CODE "
        ${refusal}
        foreach(archive \"${archives}\")
            execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --wildcard --remove-section=.gnu.lto_*
                                    --remove-section=.gnu.debuglto_* --strip-symbol=__gnu_lto_* \"\${archive}\"
                            COMMAND_ERROR_IS_FATAL ANY)
        endforeach()" COMPONENT development)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
install(EXPORT weirTargets NAMESPACE weir:: DESTINATION ${package_folder} COMPONENT development)
list(JOIN parts ", " parts_in_config)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/weirConfig.cmake.in ${PROJECT_BINARY_DIR}/install/weirConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/install/weirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/weirConfig.cmake ${PROJECT_BINARY_DIR}/install/weirConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT development)

# weir_install_files(program share/weir hw/*.h ...): installs files of the source tree for a component, in their folders and
# without those of tests.
function(weir_install_files component destination)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
    file(GLOB_RECURSE files RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${ARGN})
    list(FILTER files EXCLUDE REGEX "/testing/|_test\\.|_test_|/pyproject\\.")
    foreach(file IN LISTS files)
        cmake_path(GET file PARENT_PATH folder)
        install(FILES ${file} DESTINATION ${destination}/${folder} COMPONENT ${component})
    endforeach()
endfunction()
weir_install_files(development ${CMAKE_INSTALL_INCLUDEDIR}/weir ${WEIR_MACHINE_HEADERS} experiments/models/*.h)

# The program finds its experiments and the firmware for `weir compile` by paths relative to its own file. Markdown pages are installed
# with them, since they link one another.
install(TARGETS weir RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
get_property(modules GLOBAL PROPERTY WEIR_MODULES)
if(modules)
    install(TARGETS ${modules} LIBRARY DESTINATION lib/weir COMPONENT program)
endif()
install(PROGRAMS weir-cc weir-c++ DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
weir_install_files(program ${CMAKE_INSTALL_DATADIR}/weir experiments/*.toml experiments/*.json experiments/*.txt.gz experiments/templates/*.in
                   firmware/sparcle/*.h firmware/sparcle/*.inc firmware/sparcle/*.c firmware/sparcle/*.S
                   firmware/sparcle/*.ld firmware/sparcle/library/*.sh hw/*.sv network/*.sv
                   hw/*_registers.h
                   memory/*_registers.h nodes/sparcle/architecture.h)
foreach(folder hw memory network nodes firmware experiments)
    weir_install_files(program ${CMAKE_INSTALL_DATADIR}/weir ${folder}/*.md ${folder}/*.png ${folder}/*.svg ${folder}/*.ipynb)
endforeach()
install(FILES README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DATADIR}/weir COMPONENT program)

# Python finds the package here with the prefix /usr; with other prefixes PYTHONPATH must name it.
install(DIRECTORY experiments/python/weir DESTINATION lib/python3/dist-packages COMPONENT program
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")

set(beside ${PROJECT_BINARY_DIR}/experiments/beside)
install(FILES ${beside}/sources.txt ${beside}/experiment.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/weir COMPONENT program)
install(FILES ${beside}/weir.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${beside}/weir DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${beside}/_weir DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${beside}/weir.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES experiments/embedding/CMakeLists.txt experiments/embedding/sc_main.cpp DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT development)

# ./weir package: two Debian packages, weir and weir-dev. dpkg-shlibdeps finds the libraries that the program links. Modules do
# not link theirs (weir_module), which are recommended.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Weir authors")
set(CPACK_PACKAGE_CONTACT "The Weir authors <authors@weir.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME weir)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gcc-sparc64-linux-gnu, newlib-source, make, xz-utils, gnuplot-nox, openmpi-bin, libbenchmark1debian")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "chromium, g++-sparc64-linux-gnu, gcc-12-source, gdb-multiarch, python3, python3-pandas, valgrind, weir-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME weir-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "g++, libsystemc-dev, libdw-dev, libfmt-dev, libboost-dev, libpugixml-dev, pkg-config")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program, its experiments, and the sources that it compiles Sparcle's programs with.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The machine's parts and the models, for SystemC programs that say find_package(weir).")
include(CPack)
