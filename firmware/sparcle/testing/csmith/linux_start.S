/*
 * Support for a program under Linux, and therefore in qemu's user mode: start, end, and output of a
 * character.
 */
#define SYSTEM_CALL 0x10
#define SYSTEM_CALL_EXIT 1
#define SYSTEM_CALL_WRITE 4
#define STANDARD_OUTPUT 1
#define SMALLEST_FRAME 96

        .section .text
        .global _start, console_character
_start:
        mov     0, %fp
        sub     %sp, SMALLEST_FRAME, %sp
        and     %sp, -8, %sp
        call    main
        nop
        mov     SYSTEM_CALL_EXIT, %g1
        ta      SYSTEM_CALL

console_character:
        save    %sp, -(SMALLEST_FRAME + 8), %sp
        stb     %i0, [%fp - 1]
        mov     STANDARD_OUTPUT, %o0
        sub     %fp, 1, %o1
        mov     1, %o2
        mov     SYSTEM_CALL_WRITE, %g1
        ta      SYSTEM_CALL
        ret
        restore
