# cmake -DSOURCE=... -DVERSION=... -DOUTPUT=FILE.cpp -P: writes a digest of all headers with which a library of
# kernels can be compiled. The library and the program that loads it must have equal digests
# (experiments/kinds/kernel/kernel_library.h).
include(${CMAKE_CURRENT_LIST_DIR}/MachineHeaders.cmake)
set(patterns ${WEIR_MACHINE_HEADERS})
list(TRANSFORM patterns PREPEND ${SOURCE}/)
file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${patterns})
list(FILTER headers EXCLUDE REGEX "/testing/")
list(SORT headers)
set(sums "")
foreach(header IN LISTS headers)
    file(SHA256 ${SOURCE}/${header} sum)
    string(APPEND sums "${sum} ${header}\n")
endforeach()
string(SHA256 digest "${sums}")
string(SUBSTRING ${digest} 0 12 digest)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#include "experiments/kinds/kernel/kernel_library.h"

namespace weir::experiments::kinds {

const char* kernel_interface() { return "weir @VERSION@, headers @digest@"; }

}  // namespace weir::experiments::kinds
]] @ONLY)
