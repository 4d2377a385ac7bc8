/*
 * Marks around a program's phases (weir_phase() in weir.h), as named in the trace. A node is in the
 * phase that it entered last, until the mark of no phase or the end of its program. Plain C.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_PHASES_H
#define WEIR_FIRMWARE_SPARCLE_PHASES_H

/* Prefix of a phase's name, in its mark. */
#define WEIR_PHASE_MARK "phase "
#define WEIR_NO_PHASE_MARK "no phase"

#endif
