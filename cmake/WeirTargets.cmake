include(GoogleTest)

# Includes are written from the top of the tree: #include "network/wormhole_router.h".
function(weir_target_settings target)
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    # g++ 12 sees overlaps in std::string's operator+ that are not there: -Wno-restrict (its PR 105651).
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -Wno-restrict -Wnon-virtual-dtor
                                             -Woverloaded-virtual)
    if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
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
endfunction()

# weir_tests(hw_test SOURCES a_test.cpp ... LINKS weir_hw): GoogleTest, one process a test.
# Every test program starts from the sc_main of hw/testing, since libsystemc brings a main of its own.
function(weir_tests target)
    if(NOT WEIR_TESTS)
        return()
    endif()
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
    add_executable(${target} ${ARG_SOURCES})
    target_link_libraries(${target} PRIVATE ${ARG_LINKS} weir_testing)
    weir_target_settings(${target})
    # These share names with their neighbours, or hide them: not in one unit with them.
    set_source_files_properties(mesh_network_test.cpp network_interface_test.cpp wormhole_router_test.cpp result_test.cpp
                                PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    if(WEIR_PCH)
        get_property(known GLOBAL PROPERTY WEIR_PCH_DONE)
        if(NOT known)
            set_property(GLOBAL PROPERTY WEIR_PCH_DONE ON)
            set_target_properties(weir_testing PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
            target_precompile_headers(weir_testing PRIVATE <algorithm> <filesystem> <fstream> <functional> <map> <random> <set> <sstream> <string> <vector> <systemc> <gmock/gmock.h> <gtest/gtest.h>)
        endif()
        target_precompile_headers(${target} REUSE_FROM weir_testing)
    endif()
    if(CMAKE_BUILD_TYPE STREQUAL Release)
        target_compile_options(${target} PRIVATE -O1)
    endif()
    target_link_options(${target} PRIVATE -fno-lto -fno-use-linker-plugin)
    gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300
                         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()
