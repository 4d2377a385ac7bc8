# cmake -DSOURCE=... -DPROGRAM=... -DOUTPUT=<folder> -P: writes the files that are installed beside the program, after its link.
# The program itself writes the manual page, the schema of experiment files and the completions. sources.txt has one line that
# identifies the sources. This line is the commit, followed by -dirty if files differ from it; outside a repository a
# hash of the sources. The line is not compiled into the program, so that a new commit without changed sources causes no
# build.
foreach(text "man;weir.1" "params;--schema;experiment.schema.json" "completion;bash;weir" "completion;zsh;_weir"
        "completion;fish;weir.fish")
    list(POP_BACK text file)
    execute_process(COMMAND ${PROGRAM} ${text} OUTPUT_FILE ${OUTPUT}/${file} RESULT_VARIABLE result ERROR_VARIABLE error)
    if(result)
        message(WARNING "${file} cannot be written: ${error}")
    endif()
endforeach()

find_program(GIT git)
set(line "")
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                    OUTPUT_VARIABLE line OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(line)
        string(PREPEND line "commit ")
    endif()
endif()
if(NOT line)
    file(GLOB_RECURSE files ${SOURCE}/hw/* ${SOURCE}/memory/* ${SOURCE}/network/* ${SOURCE}/nodes/* ${SOURCE}/firmware/*
         ${SOURCE}/experiments/*.cpp ${SOURCE}/experiments/*.h ${SOURCE}/cmake/*)
    set(hashes "")
    foreach(file IN LISTS files)
        file(SHA256 ${file} hash)
        string(APPEND hashes ${hash})
    endforeach()
    string(SHA256 hash "${hashes}")
    string(SUBSTRING ${hash} 0 16 hash)
    set(line "no repository, SHA-256 of all ${hash}")
endif()
file(CONFIGURE OUTPUT ${OUTPUT}/sources.txt CONTENT "${line}\n")
