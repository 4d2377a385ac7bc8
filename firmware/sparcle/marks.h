/*
 * Marks that programs leave in the trace, numbered from 1 in this order: the constant for
 * weir_mark(), and the name in the trace (CompiledKernel::mark_name). Plain C.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_MARKS_H
#define WEIR_FIRMWARE_SPARCLE_MARKS_H

#define WEIR_MARKS(mark)                                                                  \
    mark(STEADY_STATE_ENDS, "steady state ends"), mark(PROGRAM_BEGINS, "program begins"), \
        mark(PROGRAM_ENDS, "program ends"), mark(PRODUCT_BEGINS, "product begins"),       \
        mark(PRODUCT_ENDS, "product ends"), mark(DAG_BEGINS, "dag begins"),               \
        mark(DAG_ENDS, "dag ends"), mark(EXCHANGE_BEGINS, "exchange begins"),             \
        mark(EXCHANGE_ENDS, "exchange ends")

#ifndef __cplusplus
#define WEIR_MARK_NUMBER(constant, name) MARK_##constant
enum { MARK_NONE, WEIR_MARKS(WEIR_MARK_NUMBER) };
#endif

#endif
