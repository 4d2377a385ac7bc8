/* Registers that setjmp() keeps in a program for contexts (jumps.S); replaces newlib's file. */
#ifdef WEIR_CONTEXTS
#ifndef _MACHINE_SETJMP_H
#define _MACHINE_SETJMP_H
#define _JBLEN 18
#define _JBTYPE int
typedef _JBTYPE jmp_buf[_JBLEN];
#endif
#else
#include_next <machine/setjmp.h>
#endif
