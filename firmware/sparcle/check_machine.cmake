# V8+ objects can be linked into a V7 program without a warning; the program's ELF header shows it.
execute_process(COMMAND ${READELF} -h ${IMAGE} OUTPUT_VARIABLE header COMMAND_ERROR_IS_FATAL ANY)
if(NOT header MATCHES "Machine: *Sparc\n")
    string(REGEX MATCH "Machine:[^\n]*" machine "${header}")
    file(REMOVE ${IMAGE})
    message(FATAL_ERROR "${IMAGE} is not a SPARC V7 program: ${machine}")
endif()
