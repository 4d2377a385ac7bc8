# cmake -DSOURCE=... -DPROGRAM=... -DOUTPUT=<folder> -P: what is installed beside the program, written after it is linked.
# The manual page, the schema of experiment files and the completions it writes itself. sources.txt says in a line which
# sources the build is of: the commit, with -dirty behind it when files differ from it; without a repository a hash of the
# sources. That is no part of the program, so that a commit alone does not have anything built again.
foreach(text "man;weir.1" "params;--schema;experiment.schema.json" "completion;bash;weir" "completion;zsh;_weir"
        "completion;fish;weir.fish")
    list(POP_BACK text file)
    execute_process(COMMAND ${PROGRAM} ${text} OUTPUT_FILE ${OUTPUT}/${file} RESULT_VARIABLE result ERROR_VARIABLE error)
    if(result)
        message(WARNING "There is no ${file}: ${error}")
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
