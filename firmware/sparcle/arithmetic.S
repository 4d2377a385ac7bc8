/*
 * Compiler support routines for instructions that SPARC V7 lacks: 32-bit multiplication by MULScc,
 * and division bit by bit. The routines use %o registers and %g1 only, as all compiled code does.
 */
        .section .text
        .global .umul, .mul, weir_multiply_long

/* %o0 x %o1, unsigned or signed: low word in %o0, high word in %o1. */
.umul:
        wr      %o0, %y
        andncc  %g0, %g0, %o4           /* no partial product; N and V clear */
        nop
        nop
        .rept   32
        mulscc  %o4, %o1, %o4
        .endr
        mulscc  %o4, %g0, %o4
        sra     %o1, 31, %o2            /* correction: MULScc treats %o1 as signed */
        and     %o2, %o0, %o2
        add     %o4, %o2, %o1
        retl
        rd      %y, %o0

.mul:
        wr      %o0, %y
        andncc  %g0, %g0, %o4
        nop
        nop
        .rept   32
        mulscc  %o4, %o1, %o4
        .endr
        mulscc  %o4, %g0, %o4
        sra     %o0, 31, %o2            /* correction: %o0 was treated as unsigned */
        and     %o2, %o1, %o2
        sub     %o4, %o2, %o1
        retl
        rd      %y, %o0

/* uint64_t weir_multiply_long(uint32_t, uint32_t): the compiler expects the high word in %o0. */
weir_multiply_long:
        mov     %o7, %o5
        call    .umul
        nop
        mov     %o0, %o2
        mov     %o1, %o0
        jmp     %o5 + 8
        mov     %o2, %o1

/* Unsigned division of %o0 by %o1: quotient in %o2, rest in %o3. Changes %o0, %o1, %o4 and %o5. */
        .macro  divide_step
        addcc   %o0, %o0, %o0
        addx    %o3, %o3, %o3
        subcc   %o3, %o1, %o5
        bcs     1f
        add     %o2, %o2, %o2
        mov     %o5, %o3
        add     %o2, 1, %o2
1:
        .endm

divide:
        tst     %o1
        be      divided_by_zero
        mov     0, %o2
        bneg    3f                      /* the quotient of a divisor of 2^31 or more is 0 or 1 */
        mov     0, %o3
        srl     %o0, 16, %o4
        tst     %o4
        bne     2f
        mov     4, %o4
        sll     %o0, 16, %o0            /* the upper half is zero: skip its bits */
        mov     2, %o4
2:
        .rept   8
        divide_step
        .endr
        deccc   %o4
        bne     2b
        nop
        retl
        nop
3:      subcc   %o0, %o1, %o3
        bcs,a   4f
        mov     %o0, %o3
        mov     1, %o2
4:      retl
        nop
divided_by_zero:
        ta      0x02                    /* trap type 0x82, as in the ABI */
        retl
        mov     0, %o3

        .global .udiv, .urem, .div, .rem
.udiv:
        mov     %o7, %g1
        call    divide
        nop
        jmp     %g1 + 8
        mov     %o2, %o0

.urem:
        mov     %o7, %g1
        call    divide
        nop
        jmp     %g1 + 8
        mov     %o3, %o0

/* Bit 0 of the return address holds the result's sign. */
        .macro  make_positive register
        tst     \register
        bneg,a  1f
        sub     %g0, \register, \register
1:
        .endm
        .macro  return_signed register
        btst    1, %g1
        be      1f
        andn    %g1, 1, %g1
        sub     %g0, \register, \register
1:      jmp     %g1 + 8
        mov     \register, %o0
        .endm
.div:
        xor     %o0, %o1, %o2
        srl     %o2, 31, %o2
        or      %o7, %o2, %g1
        make_positive %o0
        make_positive %o1
        call    divide
        nop
        return_signed %o2

.rem:
        srl     %o0, 31, %o2
        or      %o7, %o2, %g1
        make_positive %o0
        make_positive %o1
        call    divide
        nop
        return_signed %o3

/*
 * void weir_work(uint32_t cycles): 2 cycles an iteration, and 7 for the call, its delay slot, RETL
 * and the last instructions.
 */
        .global weir_work
weir_work:
        subcc   %o0, 2, %o0
        bg      .
        subcc   %o0, 2, %o0
        retl
        nop
