/*
 * What a program asks its host for: files, and the console as one. Plain C; the C library's lower
 * end (library/system_calls.c) and the host (experiments/kinds/kernel/host_files.h) include it.
 *
 * The program stores the address of a weir_host_call, words in its memory, to WEIR_HOST_CALL. The
 * host answers within that store: it writes `result`, `error` and `cycles`. The program then waits
 * so many cycles, in which it takes messages. Numbers of errors and flags are newlib's.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_HOST_CALL_H
#define WEIR_FIRMWARE_SPARCLE_HOST_CALL_H

/* Operations, with their arguments and result. All but WEIR_CALL_OPEN begin with a file's number.
 */
#define WEIR_CALL_OPEN 1u  /* (address of the name, its bytes, flags): the file's number */
#define WEIR_CALL_CLOSE 2u /* (file) */
#define WEIR_CALL_READ 3u  /* (file, address, bytes): how many bytes; 0 at the end */
#define WEIR_CALL_WRITE 4u /* (file, address, bytes): how many bytes */
#define WEIR_CALL_SEEK 5u  /* (file, offset, from: 0 the begin, 1 here, 2 the end): where it is */
#define WEIR_CALL_SIZE 6u  /* (file): its bytes */

/* (address in a function that a handler has called and that is not reentrant): ends the run */
#define WEIR_CALL_REFUSE 7u
/* (address of a text, address of values): ends the run as a fault of the program. Both end with
 * what the text asks for: %d is the next value as a number, %s the text at that address. */
#define WEIR_CALL_FAULT 8u
#define WEIR_MOST_FAULT_BYTES 1024u /* of a text; the rest is left out */

/* Files 0 to 2 are there from the start: input, which is empty, and the console twice. */
#define WEIR_FILE_INPUT 0
#define WEIR_FILE_CONSOLE 1
#define WEIR_FILE_ERRORS 2
#define WEIR_FIRST_FILE 3
#define WEIR_MOST_FILES 64 /* open at a node at a time */
#define WEIR_MOST_NAME_BYTES 1024u

/* Flags of WEIR_CALL_OPEN. */
#define WEIR_OPEN_ACCESS 3u /* of these bits: 0 to read, 1 to write, 2 both */
#define WEIR_OPEN_APPEND 0x8u
#define WEIR_OPEN_CREATE 0x200u
#define WEIR_OPEN_EMPTY 0x400u
#define WEIR_OPEN_NEW 0x800u

/* Errors; `result` is then -1. */
#define WEIR_ERROR_NO_FILE 2
#define WEIR_ERROR_BAD_FILE 9
#define WEIR_ERROR_THERE 17
#define WEIR_ERROR_FOLDER 21
#define WEIR_ERROR_BAD_ARGUMENT 22
#define WEIR_ERROR_TOO_MANY 24
#define WEIR_ERROR_TOO_LARGE 27
#define WEIR_ERROR_NO_PLACE 29 /* the console has none to seek */
#define WEIR_ERROR_NAME_TOO_LONG 91

#define WEIR_CALL_WORDS 7
/* As an array of words: what the program says, and what the host answers. */
#define WEIR_CALL_OPERATION 0
#define WEIR_CALL_ARGUMENT 1 /* and the two after it */
#define WEIR_CALL_RESULT 4
#define WEIR_CALL_ERROR 5
#define WEIR_CALL_CYCLES 6

#endif
