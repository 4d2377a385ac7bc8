include(GoogleTest)

# Includes are written from the top of the tree: #include "network/wormhole_router.h".
function(weir_target_settings target)
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    # g++ 12 sees overlaps in std::string's operator+ that are not there: -Wno-restrict (its PR 105651).
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -Wno-restrict -Wnon-virtual-dtor
                                             -Woverloaded-virtual)
    get_target_property(type ${target} TYPE)
    if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND NOT type STREQUAL "EXECUTABLE")
        # Machine code too, so that each test need not optimise all libraries once more at its link.
        target_compile_options(${target} PRIVATE -ffat-lto-objects)
    endif()
    if(WEIR_WARNINGS_AS_ERRORS)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

# weir_library(weir_hw SOURCES a.cpp ... LINKS ...)
function(weir_library target)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
    add_library(${target} STATIC ${ARG_SOURCES})
    target_link_libraries(${target} PUBLIC ${ARG_LINKS})
    weir_target_settings(${target})
    target_compile_options(${target} PRIVATE ${WEIR_LIBRARY_FLAGS})
endfunction()

# weir_tests(hw_test SOURCES a_test.cpp ... LINKS weir_hw): GoogleTest, one process a test.
# Every test program starts from the sc_main of hw/testing, since libsystemc brings a main of its own.
function(weir_tests target)
    if(NOT WEIR_TESTS OR (WEIR_TESTS_LEFT_OUT AND target MATCHES "${WEIR_TESTS_LEFT_OUT}"))
        return()
    endif()
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
    add_executable(${target} ${ARG_SOURCES})
    target_link_libraries(${target} PRIVATE ${ARG_LINKS} weir_testing)
    weir_target_settings(${target})
    # Tests are read as one, too (a unity build), but for those that share names with their neighbours or shadow theirs.
    set_source_files_properties(mesh_network_test.cpp network_interface_test.cpp wormhole_router_test.cpp result_test.cpp
                                PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF UNITY_BUILD_BATCH_SIZE 100)
    # Most tests run for a moment, and are compiled for longer: the preset's flags for tests come after those for all.
    if(WEIR_LONG_TESTS AND target MATCHES "${WEIR_LONG_TESTS}")
        target_compile_options(${target} PRIVATE ${WEIR_LONG_TEST_FLAGS})
    else()
        target_compile_options(${target} PRIVATE ${WEIR_TEST_FLAGS})
    endif()
    target_link_options(${target} PRIVATE -fno-lto -fno-use-linker-plugin)
    gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300
                         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()
