/* Registers that setjmp() keeps in a program with threads (jumps_flat.S); replaces newlib's file.
 */
#ifndef _MACHINE_SETJMP_H
#define _MACHINE_SETJMP_H
#define _JBLEN 18
#define _JBTYPE int
typedef _JBTYPE jmp_buf[_JBLEN];
#endif
