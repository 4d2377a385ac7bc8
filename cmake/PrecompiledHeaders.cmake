# Precompiles the headers that most sources include and that take longest to compile. WEIR_HEADERS_OF names the target with the
# precompiled headers for a folder's libraries; tests use those of weir_testing.
set(WEIR_HEADERS_OF "")
if(NOT WEIR_PRECOMPILED_HEADERS)
    return()
endif()

set(weir_standard_headers <algorithm> <cstdint> <functional> <map> <memory> <optional> <ostream> <sstream> <string> <vector>)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers.cpp CONTENT "")
# weir_precompiled_headers(weir_machine_headers LINKS weir_systemc HEADERS <systemc> FLAGS -O1): FLAGS are those of the sources
# that use the headers.
function(weir_precompiled_headers target)
    cmake_parse_arguments(ARG "" "" "LINKS;HEADERS;FLAGS" ${ARGN})
    add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/headers.cpp)
    target_link_libraries(${target} PRIVATE ${ARG_LINKS})
    weir_target_settings(${target})
    target_compile_options(${target} PRIVATE ${ARG_FLAGS})
    target_precompile_headers(${target} PRIVATE ${weir_standard_headers} ${ARG_HEADERS})
endfunction()

# The machine at -O3 has no precompiled headers: g++ 12 does not treat them as system headers, and gives false warnings
# about std::string (-Wstringop-overflow, -Warray-bounds). The preset edit disables both warnings; other presets check
# them.
if(NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
    weir_precompiled_headers(weir_machine_headers
        LINKS weir_systemc
        HEADERS <systemc> <tlm.h>
        FLAGS ${WEIR_LIBRARY_FLAGS})
    set(WEIR_HEADERS_OF weir_machine_headers)
endif()
if(NOT WEIR_CORE_ALONE)
    weir_precompiled_headers(weir_experiments_headers
        LINKS weir_systemc fmt::fmt nlohmann_json::nlohmann_json
        HEADERS <systemc> <fmt/format.h> <nlohmann/json.hpp>
        FLAGS ${WEIR_LIBRARY_FLAGS} ${WEIR_EXPERIMENTS_FLAGS})
endif()
