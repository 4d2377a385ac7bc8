# cmake --install build/release --prefix P: the machine's parts and the models for programs of one's own, which say
# find_package(weir); and the program, with its experiments, man page and completions. Building the target weir builds
# all of it. Nothing of it names the prefix: the whole can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What a program of one's own links: weir::hw, weir::network, ...; weir::systemc has the settings that Debian's SystemC
# asks for.
set(parts systemc hw memory network traffic nodes images firmware models)
set(part_targets ${parts})
list(TRANSFORM part_targets PREPEND weir_)
foreach(part IN LISTS parts)
    set_target_properties(weir_${part} PROPERTIES EXPORT_NAME ${part})
    # A program's own include of "network/router/wormhole_router.h" is the one that stands in the headers.
    target_include_directories(weir_${part} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/weir>)
    target_compile_features(weir_${part} INTERFACE $<INSTALL_INTERFACE:cxx_std_20>)
endforeach()
install(TARGETS ${part_targets} EXPORT weirTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
    # Machine code alone: what is there for link-time optimisation only this very compiler reads, and each of the user's
    # links would optimise all of it once more.
    set(archives ${parts})
    list(REMOVE_ITEM archives systemc)
    list(TRANSFORM archives PREPEND "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libweir_")
    list(TRANSFORM archives APPEND ".a")
    list(JOIN archives "\" \"" archives)
    install(CODE "
        foreach(archive \"${archives}\")
            execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --wildcard --remove-section=.gnu.lto_*
                                    --remove-section=.gnu.debuglto_* --strip-symbol=__gnu_lto_* \"\${archive}\"
                            COMMAND_ERROR_IS_FATAL ANY)
        endforeach()")
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
install(EXPORT weirTargets NAMESPACE weir:: DESTINATION ${package_folder})
list(JOIN parts ", " parts_in_config)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/weirConfig.cmake.in ${PROJECT_BINARY_DIR}/install/weirConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/install/weirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/weirConfig.cmake ${PROJECT_BINARY_DIR}/install/weirConfigVersion.cmake
        DESTINATION ${package_folder})

# weir_install_files(share/weir hw/*.h ...): files of the source tree, in their folders, but those of tests.
function(weir_install_files destination)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
    file(GLOB_RECURSE files RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${ARGN})
    list(FILTER files EXCLUDE REGEX "/testing/|_test\\.|_test_")
    foreach(file IN LISTS files)
        cmake_path(GET file PARENT_PATH folder)
        install(FILES ${file} DESTINATION ${destination}/${folder})
    endforeach()
endfunction()
weir_install_files(${CMAKE_INSTALL_INCLUDEDIR}/weir hw/*.h memory/*.h network/*.h nodes/*.h firmware/*.h
                   experiments/models/*.h)

# The program finds its experiments, and what `weir compile` compiles programs with, from where it lies itself.
install(TARGETS weir RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
weir_install_files(${CMAKE_INSTALL_DATADIR}/weir experiments/*.toml experiments/*.json
                   firmware/sparcle/*.h firmware/sparcle/*.inc firmware/sparcle/*.c firmware/sparcle/*.S
                   firmware/sparcle/image.ld hw/*_registers.h nodes/sparcle/architecture.h)

set(beside ${PROJECT_BINARY_DIR}/experiments/beside)
install(FILES ${beside}/sources.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/weir)
install(FILES ${beside}/weir.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${beside}/weir DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${beside}/_weir DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${beside}/weir.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md experiments/embedding/CMakeLists.txt experiments/embedding/sc_main.cpp
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
