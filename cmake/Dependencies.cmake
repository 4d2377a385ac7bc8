# Libraries are Debian packages, which the script ./weir installs.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
# A C++20 program links with Debian's SystemC only if it declares the C++ standard with which SystemC was built.
add_library(weir_systemc INTERFACE)
target_link_libraries(weir_systemc INTERFACE PkgConfig::SYSTEMC)
target_compile_definitions(weir_systemc INTERFACE SC_CPLUSPLUS=201703L SC_INCLUDE_DYNAMIC_PROCESSES)

pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw libelf) # reads ELF programs for Sparcle nodes
find_package(fmt REQUIRED)
find_package(Boost 1.74 REQUIRED) # headers only
pkg_check_modules(PUGIXML REQUIRED IMPORTED_TARGET pugixml) # reads GraphML
if(WEIR_TESTS)
    find_package(GTest REQUIRED)
endif()
if(WEIR_CORE_ALONE)
    return()
endif()

pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(MPI COMPONENTS C) # optional: mpirun weir sweep distributes points to processes
if(WEIR_TESTS)
    # Header-only; included as a system header, so that it causes no warnings.
    find_path(VALIJSON_INCLUDE_DIR valijson/validator.hpp REQUIRED)
    add_library(weir_valijson INTERFACE)
    target_include_directories(weir_valijson SYSTEM INTERFACE ${VALIJSON_INCLUDE_DIR})
endif()
