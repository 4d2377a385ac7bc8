# V8+ objects link into a V7 program without a word; the program's header tells.
execute_process(COMMAND ${READELF} -h ${IMAGE} OUTPUT_VARIABLE header COMMAND_ERROR_IS_FATAL ANY)
if(NOT header MATCHES "Machine: *Sparc\n")
    string(REGEX MATCH "Machine:[^\n]*" machine "${header}")
    file(REMOVE ${IMAGE})
    message(FATAL_ERROR "${IMAGE} is not a SPARC V7 program: ${machine}")
endif()
