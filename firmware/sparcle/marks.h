/*
 * The numbers by which programs name their marks in the trace (WEIR_HOST_MARK_NAME). Plain C; the
 * host has their names (CompiledKernel::mark_name).
 */
#ifndef WEIR_FIRMWARE_SPARCLE_MARKS_H
#define WEIR_FIRMWARE_SPARCLE_MARKS_H

#define MARK_STEADY_STATE_ENDS 1
#define MARK_PROGRAM_BEGINS 2
#define MARK_PROGRAM_ENDS 3
#define MARK_PRODUCT_BEGINS 4
#define MARK_PRODUCT_ENDS 5
#define MARK_DAG_BEGINS 6
#define MARK_DAG_ENDS 7

#endif
