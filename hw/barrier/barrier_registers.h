/*
 * Registers of the hardware barrier: memory-mapped, of 32 bits, on each node, apart from those of
 * the message controller. This header is plain C; the hardware model and every firmware include it.
 *
 * A node arrives by a store to WEIR_BARRIER_ARRIVE, and is released when all nodes have arrived. A
 * load from WEIR_BARRIER_WAIT is answered at the release; one from WEIR_BARRIER_ARRIVED is answered
 * at once. A node may arrive again only after its release. An access that breaks these rules has no
 * effect, and is answered with an error.
 */
#ifndef WEIR_HW_BARRIER_REGISTERS_H
#define WEIR_HW_BARRIER_REGISTERS_H

/* Byte addresses. */
#define WEIR_BARRIER_BASE 0xffff0100u
#define WEIR_BARRIER_BYTES 0x10u
/* write, any value: this node arrives */
#define WEIR_BARRIER_ARRIVE (WEIR_BARRIER_BASE + 0x0u)
/* read only, 1: answered when this node is released */
#define WEIR_BARRIER_WAIT (WEIR_BARRIER_BASE + 0x4u)
/* read only: 1 while this node has arrived and has not been released */
#define WEIR_BARRIER_ARRIVED (WEIR_BARRIER_BASE + 0x8u)

#define WEIR_IS_BARRIER_REGISTER(address) \
    ((address) >= WEIR_BARRIER_BASE && (address) < WEIR_BARRIER_BASE + WEIR_BARRIER_BYTES)

#endif
