include(GoogleTest)

# Includes are written from the top of the tree: #include "network/wormhole_router.h".
function(weir_target_settings target)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
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

# weir_program(weir /home/me/kernels ...): the program, with the kernels of those folders besides Weir's own. A folder's
# CMakeLists.txt has a line for each: weir_add_kernel(token_ring.cpp).
function(weir_program target)
    add_executable(${target} ${PROJECT_SOURCE_DIR}/experiments/weir.cpp)
    target_link_libraries(${target} PRIVATE weir_commands)
    weir_target_settings(${target})
    target_compile_options(${target} PRIVATE ${WEIR_EXPERIMENTS_FLAGS})
    set(weir_program ${target})
    foreach(folder IN LISTS ARGN)
        if(NOT EXISTS "${folder}/CMakeLists.txt")
            message(FATAL_ERROR "WEIR_KERNELS: found no ${folder}/CMakeLists.txt; accepted: a folder with one, with a line "
                                "weir_add_kernel(FILE.cpp) for each kernel")
        endif()
        string(MD5 name "${folder}")
        add_subdirectory("${folder}" ${target}_kernels/${name})
    endforeach()
    get_property(names TARGET ${target} PROPERTY WEIR_KERNELS)
    set(declarations "")
    set(entries "")
    foreach(name IN LISTS names)
        string(APPEND declarations "KernelEntry ${name}_kernel();\n")
        list(APPEND entries "${name}_kernel()")
    endforeach()
    list(JOIN entries ", " entries)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/own_kernels.cpp.in ${target}_own_kernels.cpp @ONLY)
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_own_kernels.cpp)
endfunction()

# weir_add_kernel(token_ring.cpp): a kernel of the user's own, which the file's function weir::firmware::token_ring_kernel
# describes. Its warnings are the user's, and so are its names: it is read alone.
function(weir_add_kernel file)
    cmake_path(GET file STEM name)
    string(MAKE_C_IDENTIFIER ${name} name)
    cmake_path(ABSOLUTE_PATH file)
    target_sources(${weir_program} PRIVATE ${file})
    set_source_files_properties(${file} TARGET_DIRECTORY ${weir_program}
                                PROPERTIES COMPILE_OPTIONS -Wno-error SKIP_UNITY_BUILD_INCLUSION ON)
    set_property(TARGET ${weir_program} APPEND PROPERTY WEIR_KERNELS ${name})
endfunction()
