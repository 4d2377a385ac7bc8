/* Registers of a node's coherence controller, for the hardware model and the firmware. Software
 * uses them for the part of a directory's work that the hardware leaves to software (LimitLESS).
 *
 * While packets for software wait, the controller raises the core's coherence trap. The registers
 * then show the packet that came first, and its line's directory entry. The home answers BUSY to
 * all requests for that line until the entry's state is written. A sent packet waits in the
 * controller until it can leave; a packet with a line reads the line from memory. Loads and stores
 * of registers take the cycles of a hit.
 */
#ifndef WEIR_MEMORY_COHERENCE_REGISTERS_H
#define WEIR_MEMORY_COHERENCE_REGISTERS_H

#define WEIR_COHERENCE_BASE 0xffff0400u
#define WEIR_COHERENCE_BYTES 0x100u

/* read only: address of the waiting packet's line. 0 if no packet waits, or if the trap must end
 * since it has served as many packets as the machine has nodes (coherence.trap_turns). */
#define WEIR_TRAPPED_LINE (WEIR_COHERENCE_BASE + 0x00u)
/* read only: the packet's sender in bits 0-15; its kind, a WEIR_ASKS or a WEIR_TELLS value, in bits
 * 16-18; and WEIR_ALL_IN_SOFTWARE */
#define WEIR_TRAPPED_PACKET (WEIR_COHERENCE_BASE + 0x04u)
/* read only: number of nodes in the entry's pointers, including the bit for this node */
#define WEIR_POINTERS (WEIR_COHERENCE_BASE + 0x08u)
/* write: the entry's new state, a WEIR_HOME value, in bits 16-18, and the number of
 * acknowledgements to come in 0-15. The pointers are cleared; in states with a writer they then
 * contain the requester.
 */
#define WEIR_DIRECTORY_STATE (WEIR_COHERENCE_BASE + 0x0cu)
/* write: sends a packet, a WEIR_SENDS value in bits 16-17, to the node in bits 0-15 */
#define WEIR_SEND_PACKET (WEIR_COHERENCE_BASE + 0x10u)
/* write, any value: ends the work on the packet */
#define WEIR_TRAP_DONE (WEIR_COHERENCE_BASE + 0x14u)
/* Overflow trap: registers to save packets that stop the input queue. While packets are held, the
 * controller takes none from the input queue. Software takes the packet at its head, saves it in
 * memory, and returns it later, before packets that are still in the queue. While packets are saved
 * (WEIR_PACKETS_SAVED), the trap is raised whenever the controller has room for a packet. */
/* write: 1 holds packets in the input queue from the next cycle on, 0 releases them */
#define WEIR_HOLD_PACKETS (WEIR_COHERENCE_BASE + 0x18u)
/* read only: number of words of the packet at the head of the input queue, with its sender in bits
 * 16-31. 0 if there is no packet, or not all of it. */
#define WEIR_HELD_PACKET (WEIR_COHERENCE_BASE + 0x1cu)
/* write, any value: removes the held packet from the queue */
#define WEIR_TAKE_PACKET (WEIR_COHERENCE_BASE + 0x20u)
/* write: number of packets that software has taken and not returned */
#define WEIR_PACKETS_SAVED (WEIR_COHERENCE_BASE + 0x24u)
/* read only: 1 while a packet can be returned */
#define WEIR_MAY_RETURN (WEIR_COHERENCE_BASE + 0x28u)
/* write: returns the packet whose words are in WEIR_PACKET_WORD; the value is that of
 * WEIR_HELD_PACKET when the packet was taken */
#define WEIR_RETURN_PACKET (WEIR_COHERENCE_BASE + 0x2cu)
/* read: words of the packet at the head of the input queue; write: words of a packet to return */
#define WEIR_PACKET_WORD(index) (WEIR_COHERENCE_BASE + 0x80u + 4u * (unsigned)(index))
#define WEIR_MOST_PACKET_WORDS 6
/* First word of a packet: its operation, and its operand if the packet has a third node or a number
 * of acknowledgements. On the wire the operand has a word of its own. */
#define WEIR_PACKET_FIRST_WORD(operation, operand) \
    (0x80000000u | ((unsigned)(operand) << 8) | (unsigned)(operation))
#define WEIR_PACKET_OPERATION(word) ((word)&0xffu)
#define WEIR_PACKET_OPERAND(word) (((word) >> 8) & 0xffffu)
#define WEIR_PACKET_HAS_OPERAND(word) (((word) >> 31) & 1u)

/* read only: nodes in the pointers, in order; the first WEIR_POINTERS are valid */
#define WEIR_POINTER(index) (WEIR_COHERENCE_BASE + 0x40u + 4u * (unsigned)(index))
#define WEIR_MOST_POINTERS 8

#define WEIR_ASKS_TO_READ 0u
#define WEIR_ASKS_TO_WRITE 1u
#define WEIR_ASKS_TO_MODIFY 2u
/* Notices: the only copy was replaced, or taken, and memory has its line; or a copy to read was
 * invalidated. */
#define WEIR_TELLS_OF_REPLACEMENT 3u
#define WEIR_TELLS_OF_UPDATE 4u
#define WEIR_TELLS_OF_INVALIDATION 5u
/* Bit of WEIR_TRAPPED_PACKET: lines have no hardware pointers, and all packets of other nodes trap.
 * WEIR_POINTERS is then 1 if the home's own cache may have a copy, which it may have written. */
#define WEIR_ALL_IN_SOFTWARE 0x80000u

#define WEIR_HOME_TRAPS_ON_WRITE 0u
#define WEIR_HOME_WRITE_TRANSACTION 1u
#define WEIR_HOME_READ_WRITE 2u
#define WEIR_HOME_TRAPS_ALWAYS 3u
#define WEIR_HOME_SOFTWARE_TRANSACTION 4u /* software counts the acknowledgements */

#define WEIR_SENDS_INVALIDATE 0u
#define WEIR_SENDS_READ_DATA 1u
#define WEIR_SENDS_WRITE_DATA 2u
#define WEIR_SENDS_MODIFY_GRANT 3u

#define WEIR_COHERENCE_VALUE(what, node) (((unsigned)(what) << 16) | ((unsigned)(node)&0xffffu))
#define WEIR_COHERENCE_WHAT(value) (((value) >> 16) & 0x7u)
#define WEIR_COHERENCE_NODE(value) ((value)&0xffffu)

#endif
