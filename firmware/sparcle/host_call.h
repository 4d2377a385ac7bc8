/*
 * Services of the host for a program: files, and the console as a file. Plain C; included by the C
 * library's lower end (library/system_calls.c) and by the host
 * (experiments/kinds/kernel/host_files.h).
 *
 * The program stores the address of a weir_host_call, words in its memory, to WEIR_HOST_CALL. The
 * host answers within this store: it writes `result`, `error` and `cycles`. The program then waits
 * for `cycles` cycles, in which it takes messages. Numbers of errors and flags are newlib's. All
 * addresses are of the node's own memory.
 *
 * Nodes have files of their own, unless the program has the symbol weir_one_process
 * (weir compile --threads): then all nodes have the same files.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_HOST_CALL_H
#define WEIR_FIRMWARE_SPARCLE_HOST_CALL_H

/* Operations, with their arguments and results. A first argument without an explanation is a file
 * number. */
#define WEIR_CALL_OPEN 1u  /* (address of the name, bytes of the name, flags): file number */
#define WEIR_CALL_CLOSE 2u /* (file): result 0 */
#define WEIR_CALL_READ 3u  /* (file, address, bytes): bytes read; 0 at the end of the file */
#define WEIR_CALL_WRITE 4u /* (file, address, bytes): bytes written */
#define WEIR_CALL_SEEK 5u  /* (file, offset, origin: 0 start, 1 here, 2 end): new position */
#define WEIR_CALL_SIZE 6u  /* (file): size of the file in bytes */
/* (address in a non-reentrant function that a handler has called): ends the run */
#define WEIR_CALL_REFUSE 7u
/* (address of a text, address of values): ends the run with a program fault. In the text, %d stands
 * for the next value as a number, and %s for the text at the next value. */
#define WEIR_CALL_FAULT 8u
/* (address of the name, bytes of the name): removes a file that the program has made */
#define WEIR_CALL_REMOVE 9u
/* Largest size of a fault's text; further bytes are cut off. */
#define WEIR_MOST_FAULT_BYTES 1024u

/* Files that are open from the start: input, which is empty without workload.stdin, and the console
 * twice. The names /dev/stdin, /dev/stdout, /dev/stderr and /dev/tty open them; /dev/null opens a
 * file that stays empty. */
#define WEIR_FILE_INPUT 0
#define WEIR_FILE_CONSOLE 1
#define WEIR_FILE_ERRORS 2
#define WEIR_FIRST_FILE 3
#define WEIR_MOST_FILES 64 /* largest number of open files of a node */
#define WEIR_MOST_NAME_BYTES 1024u

/* Flags of WEIR_CALL_OPEN. */
#define WEIR_OPEN_ACCESS 3u /* mask: 0 read, 1 write, 2 both */
#define WEIR_OPEN_APPEND 0x8u
#define WEIR_OPEN_CREATE 0x200u
#define WEIR_OPEN_EMPTY 0x400u
#define WEIR_OPEN_NEW 0x800u

/* Error numbers; `result` is then -1. */
#define WEIR_ERROR_NO_FILE 2
#define WEIR_ERROR_BAD_FILE 9
#define WEIR_ERROR_THERE 17
#define WEIR_ERROR_FOLDER 21
#define WEIR_ERROR_BAD_ARGUMENT 22
#define WEIR_ERROR_TOO_MANY 24
#define WEIR_ERROR_TOO_LARGE 27
#define WEIR_ERROR_NO_PLACE 29  /* error of a seek: the console has no position */
#define WEIR_ERROR_READ_ONLY 30 /* error of a removal: a file of the host */
#define WEIR_ERROR_NAME_TOO_LONG 91

#define WEIR_CALL_WORDS 7
/* Layout as an array of words: the program's request, then the host's answer. */
#define WEIR_CALL_OPERATION 0
#define WEIR_CALL_ARGUMENT 1 /* first of three arguments */
#define WEIR_CALL_RESULT 4
#define WEIR_CALL_ERROR 5
#define WEIR_CALL_CYCLES 6

#endif
