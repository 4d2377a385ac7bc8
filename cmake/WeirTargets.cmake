include(GoogleTest)
include(CheckLinkerFlag)
include(${CMAKE_CURRENT_LIST_DIR}/UnityGroups.cmake)

# mold links targets without link-time optimisation, since GNU ld and gold cannot link such targets with optimised
# libraries. GNU ld and gold also read the names of intermediate code in an archive's index, and load a member a second
# time for them.
if(NOT WEIR_HAS_MOLD)
    unset(WEIR_HAS_MOLD CACHE) # mold may have been installed since the last configuration
endif()
check_linker_flag(CXX -fuse-ld=mold WEIR_HAS_MOLD)
if(WEIR_TESTS AND CMAKE_INTERPROCEDURAL_OPTIMIZATION AND NOT WEIR_HAS_MOLD)
    message(WARNING "Tests can't be linked without mold: install it, or use -D CMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF.")
endif()

# g++ collects garbage each time its heap has doubled. With enough memory per core, garbage below one gigabyte is not collected;
# this saves a tenth of the compilation time.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    cmake_host_system_information(RESULT weir_megabytes QUERY TOTAL_PHYSICAL_MEMORY)
    cmake_host_system_information(RESULT weir_cores QUERY NUMBER_OF_LOGICAL_CORES)
    math(EXPR weir_megabytes_a_core "${weir_megabytes} / ${weir_cores}")
    if(weir_megabytes_a_core GREATER 6000)
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
    endif()
endif()

# weir_unity_build(hw_test 100): divides a target's own sources into groups of at most 100 for a unity build (UnityGroups.cmake).
# The groups are renewed after each edit, which may add a private name of another file.
function(weir_unity_build target size)
    get_target_property(is_unity_build ${target} UNITY_BUILD)
    if(NOT is_unity_build)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    set(files "")
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source NORMALIZE)
        list(APPEND files ${source})
    endforeach()
    weir_unity_groups(group ${size} ${files})
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    math(EXPR last "${group_count} - 1")
    foreach(number RANGE ${last})
        set_source_files_properties(${group_${number}} PROPERTIES UNITY_GROUP ${target}_${number})
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
endfunction()

# Paths of includes begin at the top of the tree: #include "network/router/wormhole_router.h".
function(weir_target_settings target)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
    # False warnings:
    # - g++ 12 reports overlaps in std::string's operator+ (PR 105651): -Wno-restrict.
    # - g++ 12 reports unset members of a vector after it inlines the copy of a variant that can hold one:
    #   -Wno-maybe-uninitialized.
    # - clang reports ignored results in tests that expect an exception: -Wno-unused-result.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -Wnon-virtual-dtor -Woverloaded-virtual
                                             $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>
                                             $<$<CXX_COMPILER_ID:Clang>:-Wno-unused-result>)
    get_target_property(type ${target} TYPE)
    if(WEIR_SANITIZED_ALONE)
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE) # built only if a test program links it
    endif()
    if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND WEIR_ARCHIVES AND NOT type STREQUAL "EXECUTABLE")
        # Objects also contain machine code, so that a test's link does not optimise all libraries again.
        target_compile_options(${target} PRIVATE -ffat-lto-objects)
    endif()
    if(WEIR_WARNINGS_AS_ERRORS)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(WEIR_HAS_MOLD)
        target_link_options(${target} PRIVATE $<$<NOT:$<BOOL:$<TARGET_PROPERTY:INTERPROCEDURAL_OPTIMIZATION>>>:-fuse-ld=mold>)
    endif()
endfunction()

# weir_sources(VARIABLE PATTERN [FOLDER sparcle] [EXCEPT routing ...]): files of this folder, or of FOLDER in it, that match
# PATTERN, without testing/ and the folders after EXCEPT. Added, moved and removed files are found without a change of CMake's files.
function(weir_sources variable pattern)
    cmake_parse_arguments(ARG "" "FOLDER" "EXCEPT" ${ARGN})
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}/${pattern})
    foreach(folder IN ITEMS testing LISTS ARG_EXCEPT)
        list(FILTER files EXCLUDE REGEX "/${folder}/")
    endforeach()
    set(${variable} ${files} PARENT_SCOPE)
endfunction()

# weir_reuse_headers(weir_hw): uses the precompiled headers of this folder's libraries, if there are any (PrecompiledHeaders.cmake).
function(weir_reuse_headers target)
    if(WEIR_PRECOMPILED_HEADERS AND WEIR_HEADERS_OF)
        target_precompile_headers(${target} REUSE_FROM ${WEIR_HEADERS_OF})
    endif()
endfunction()

# weir_library(weir_hw LINKS ... [EXCEPT ...] [READERS ...]): library of this folder's sources (weir_sources) without tests. If
# the folder has a READER_fuzz.cpp, its sources are instrumented for the fuzzer: all, or those after READERS.
function(weir_library target)
    cmake_parse_arguments(ARG "" "" "LINKS;EXCEPT;READERS" ${ARGN})
    weir_sources(sources *.cpp EXCEPT ${ARG_EXCEPT})
    set(readers ${sources})
    list(FILTER readers INCLUDE REGEX "_fuzz\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC ${ARG_LINKS})
    weir_target_settings(${target})
    target_compile_options(${target} PRIVATE ${WEIR_LIBRARY_FLAGS})
    if(WEIR_READER_FLAGS AND ARG_READERS)
        set_source_files_properties(${ARG_READERS} PROPERTIES COMPILE_OPTIONS "${WEIR_READER_FLAGS}")
    elseif(readers)
        target_compile_options(${target} PRIVATE ${WEIR_READER_FLAGS})
    endif()
    weir_unity_build(${target} "${CMAKE_UNITY_BUILD_BATCH_SIZE}")
    weir_reuse_headers(${target})
endfunction()

# weir_module(weir_mpi FILE.cpp HEADERS_OF MPI::MPI_C): shared object beside the program, which loads it when a command first needs
# it (experiments/running/processes/host_module.h). It is compiled with the headers of a library, but not linked with it. So
# packages of the program do not depend on the library.
function(weir_module target source)
    cmake_parse_arguments(ARG "" "HEADERS_OF" "" ${ARGN})
    add_library(${target} MODULE ${source})
    target_include_directories(${target} SYSTEM PRIVATE
        $<TARGET_PROPERTY:${ARG_HEADERS_OF},INTERFACE_INCLUDE_DIRECTORIES>)
    weir_target_settings(${target})
    set_target_properties(${target} PROPERTIES PREFIX "" INTERPROCEDURAL_OPTIMIZATION OFF UNITY_BUILD OFF
                          LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/modules)
    target_link_options(${target} PRIVATE -fno-lto -fno-use-linker-plugin -Wl,-z,lazy)
    set_property(GLOBAL APPEND PROPERTY WEIR_MODULES ${target})
endfunction()

# weir_soname(VARIABLE LIBRARY): name by which programs load a shared library, such as libmpi.so.40.
function(weir_soname variable library)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "SONAME +([^ \n]+)" found "${headers}")
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# weir_tests(hw_test LINKS weir_hw [FOLDER ...] [EXCEPT ...] [SOURCES ...] [PROGRAM] [SANITIZED]): program of this folder's tests
# (weir_sources) and further SOURCES, with GoogleTest, one process per test.
#   PROGRAM     some tests run the built program
#   SANITIZED   CI also runs the tests with sanitizers (WEIR_SANITIZED_ALONE)
# The folder's READER_fuzz.cpp are tests, too (hw/testing/fuzz_target.h), and parts of weir_fuzz.
# Every test program starts from the sc_main of hw/testing, since libsystemc has a main of its own.
function(weir_tests target)
    cmake_parse_arguments(ARG "PROGRAM;SANITIZED" "FOLDER" "SOURCES;LINKS;EXCEPT" ${ARGN})
    weir_sources(tests *_test.cpp FOLDER ${ARG_FOLDER} EXCEPT ${ARG_EXCEPT})
    weir_sources(readers *_fuzz.cpp FOLDER ${ARG_FOLDER} EXCEPT ${ARG_EXCEPT})
    if(readers)
        set_property(GLOBAL APPEND PROPERTY WEIR_FUZZED ${target})
        set_property(GLOBAL PROPERTY WEIR_FUZZED_READERS_${target} ${readers})
        set_property(GLOBAL PROPERTY WEIR_FUZZED_LIBRARIES_${target} ${ARG_LINKS})
        list(APPEND readers ${PROJECT_SOURCE_DIR}/hw/testing/fuzz_test.cpp)
    endif()
    if(NOT WEIR_TESTS OR (WEIR_SANITIZED_ALONE AND NOT ARG_SANITIZED) OR
       (WEIR_TESTS_LEFT_OUT AND target MATCHES "${WEIR_TESTS_LEFT_OUT}"))
        return()
    endif()
    add_executable(${target} ${tests} ${readers} ${ARG_SOURCES})
    target_link_libraries(${target} PRIVATE ${ARG_LINKS} weir_testing)
    # Tests record the inputs of readers, as seeds for the fuzzer.
    target_link_libraries(${target} PRIVATE weir_fuzz_testing)
    if(ARG_PROGRAM)
        target_link_libraries(${target} PRIVATE weir_program_testing)
        # A dependency of the link only, so that compilation does not wait for the program.
        set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:weir>)
    endif()
    weir_target_settings(${target})
    # Tests are compiled in a unity build, too.
    weir_unity_build(${target} 100)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF EXCLUDE_FROM_ALL FALSE)
    # Most tests take longer to compile than to run. The preset's flags for tests therefore follow, and override, the general flags.
    if(WEIR_LONG_TESTS AND target MATCHES "${WEIR_LONG_TESTS}")
        target_compile_options(${target} PRIVATE ${WEIR_LONG_TEST_FLAGS})
    else()
        target_compile_options(${target} PRIVATE ${WEIR_TEST_FLAGS})
        if(WEIR_PRECOMPILED_HEADERS)
            target_precompile_headers(${target} REUSE_FROM weir_testing)
        endif()
    endif()
    target_link_options(${target} PRIVATE -fno-lto -fno-use-linker-plugin)
    gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600
                         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_property(GLOBAL APPEND PROPERTY WEIR_TEST_PROGRAMS ${target})
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "_test\\.cpp$")
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source NORMALIZE)
        set_property(GLOBAL APPEND_STRING PROPERTY WEIR_TESTS_OF_PROGRAMS "${target} ${source}\n")
    endforeach()
endfunction()

# weir_fuzzer(weir_fuzz [OF setup_test ...]): program with libFuzzer's main and the readers of all folders, or of the folders with
# these tests.
function(weir_fuzzer target)
    cmake_parse_arguments(ARG "" "" "OF" ${ARGN})
    get_property(folders GLOBAL PROPERTY WEIR_FUZZED)
    if(ARG_OF)
        set(folders ${ARG_OF})
    endif()
    set(readers "")
    set(libraries "")
    foreach(tests ${folders})
        get_property(of_tests GLOBAL PROPERTY WEIR_FUZZED_READERS_${tests})
        list(APPEND readers ${of_tests})
        get_property(of_tests GLOBAL PROPERTY WEIR_FUZZED_LIBRARIES_${tests})
        list(APPEND libraries ${of_tests})
    endforeach()
    list(REMOVE_DUPLICATES libraries)
    add_executable(${target} ${PROJECT_SOURCE_DIR}/hw/testing/fuzz_main.cpp ${readers})
    target_link_libraries(${target} PRIVATE weir_fuzz_testing ${libraries})
    weir_target_settings(${target})
    weir_unity_build(${target} 100)
    target_compile_options(${target} PRIVATE ${WEIR_TEST_FLAGS})
    target_compile_definitions(${target} PRIVATE WEIR_EXPERIMENTS="${PROJECT_SOURCE_DIR}/experiments"
                                                 $<TARGET_PROPERTY:weir_testing,INTERFACE_COMPILE_DEFINITIONS>)
    target_link_libraries(${target} PRIVATE GTest::gtest GTest::gmock) # fixtures that make some readers' seeds
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    if(WEIR_PRECOMPILED_HEADERS)
        target_precompile_headers(${target} REUSE_FROM weir_testing)
    endif()
endfunction()

# List of test programs and their sources, one pair per line: `./weir test --preset edit -R NAME` finds the programs to build.
function(weir_list_test_programs file)
    get_property(lines GLOBAL PROPERTY WEIR_TESTS_OF_PROGRAMS)
    file(WRITE ${file} "${lines}")
endfunction()

# weir_shares_of_tests(build/release/shares 8): folder for ctest that lists each test program 8 times, each with a share of its
# tests, which it forks (hw/testing/forked_tests.h). Starting a program for each test would take a quarter of the time of all
# tests, and more with sanitizers. The last programs begin first, since their tests are the longest.
function(weir_shares_of_tests folder count)
    get_property(programs GLOBAL PROPERTY WEIR_TEST_PROGRAMS)
    list(REVERSE programs)
    set(lines "")
    foreach(program IN LISTS programs)
        foreach(number RANGE 1 ${count})
            string(APPEND lines "add_test([[${program}, ${number} of ${count}]] [[$<TARGET_FILE:${program}>]] --share=${number}/${count})\n"
                                "set_tests_properties([[${program}, ${number} of ${count}]] PROPERTIES TIMEOUT 3600 WORKING_DIRECTORY [[${PROJECT_SOURCE_DIR}]])\n")
        endforeach()
    endforeach()
    file(GENERATE OUTPUT ${folder}/CTestTestfile.cmake CONTENT "${lines}")
endfunction()
