/* The registers of a node's coherence controller, for the hardware model and the firmware: what
 * software needs to do the part of a directory's work that its hardware leaves to it (LimitLESS).
 *
 * While packets that the hardware has handed over wait, the controller raises the core's coherence
 * trap. The registers then tell of the packet that came first, and of its line's directory entry.
 * The home answers BUSY to all requests for that line until its state is written. A packet that is
 * sent waits in the controller until it can leave; those that carry the line read it from memory.
 * A load takes what a load that hits takes, and so does a store.
 */
#ifndef WEIR_MEMORY_COHERENCE_REGISTERS_H
#define WEIR_MEMORY_COHERENCE_REGISTERS_H

#define WEIR_COHERENCE_BASE 0xffff0400u
#define WEIR_COHERENCE_BYTES 0x100u

/* read only: the address of the packet's line; 0: no packet waits, or the trap has served as many
 * packets as the machine has nodes and is to end (coherence.trap_turns) */
#define WEIR_TRAPPED_LINE (WEIR_COHERENCE_BASE + 0x00u)
/* read only: what the packet asks for (WEIR_ASKS_...) or tells (WEIR_TELLS_...) in bits 16-18, who
 * has sent it in 0-15; WEIR_ALL_IN_SOFTWARE */
#define WEIR_TRAPPED_PACKET (WEIR_COHERENCE_BASE + 0x04u)
/* read only: how many nodes the entry's pointers name, the bit for this node included */
#define WEIR_POINTERS (WEIR_COHERENCE_BASE + 0x08u)
/* write: the entry's new state (WEIR_HOME_...) in bits 16-18, acknowledgements to come in 0-15. The
 * pointers are emptied; in the states of a writer they name who asks. */
#define WEIR_DIRECTORY_STATE (WEIR_COHERENCE_BASE + 0x0cu)
/* write: sends a packet (WEIR_SENDS_... in bits 16-17) to the node in bits 0-15 */
#define WEIR_SEND_PACKET (WEIR_COHERENCE_BASE + 0x10u)
/* write, any value: the packet is done with */
#define WEIR_TRAP_DONE (WEIR_COHERENCE_BASE + 0x14u)
/* What an overflow trap does with packets that stop the input queue. While they are held, those in
 * the input queue stay there; software takes the one at its head, keeps it in memory, and hands it
 * back later, before any that is still in the queue. While any are said to be saved, the trap is
 * raised whenever the controller has room for one. */
/* write: 1 holds the packets in the input queue from the next cycle on, 0 no longer */
#define WEIR_HOLD_PACKETS (WEIR_COHERENCE_BASE + 0x18u)
/* read only: words of the packet at the head of the input queue, its sender in bits 16-31; 0: what
 * is there is no packet, or not there as a whole */
#define WEIR_HELD_PACKET (WEIR_COHERENCE_BASE + 0x1cu)
/* write, any value: it leaves the queue */
#define WEIR_TAKE_PACKET (WEIR_COHERENCE_BASE + 0x20u)
/* write: how many packets software has taken and not handed back */
#define WEIR_PACKETS_SAVED (WEIR_COHERENCE_BASE + 0x24u)
/* read only: 1 while a packet can be handed back */
#define WEIR_MAY_RETURN (WEIR_COHERENCE_BASE + 0x28u)
/* write: what WEIR_HELD_PACKET was of the packet whose words are in WEIR_PACKET_WORD; it is handed
 * back */
#define WEIR_RETURN_PACKET (WEIR_COHERENCE_BASE + 0x2cu)
/* read: the words of the packet at the head of the input queue; write: those of one to be handed
 * back */
#define WEIR_PACKET_WORD(index) (WEIR_COHERENCE_BASE + 0x80u + 4u * (unsigned)(index))
#define WEIR_MOST_PACKET_WORDS 6
/* The first word of a packet is its operation; where the packet names a third node or a count, that
 * stands there, too, and not in a word of its own as on the wire. */
#define WEIR_PACKET_FIRST_WORD(operation, operand) \
    (0x80000000u | ((unsigned)(operand) << 8) | (unsigned)(operation))
#define WEIR_PACKET_OPERATION(word) ((word)&0xffu)
#define WEIR_PACKET_OPERAND(word) (((word) >> 8) & 0xffffu)
#define WEIR_PACKET_HAS_OPERAND(word) (((word) >> 31) & 1u)

/* read only: the nodes that the pointers name, in order; WEIR_POINTERS of them are valid */
#define WEIR_POINTER(index) (WEIR_COHERENCE_BASE + 0x40u + 4u * (unsigned)(index))
#define WEIR_MOST_POINTERS 8

#define WEIR_ASKS_TO_READ 0u
#define WEIR_ASKS_TO_WRITE 1u
#define WEIR_ASKS_TO_MODIFY 2u
/* The only copy was given up, or taken, and memory has its line; or a copy to read is gone. */
#define WEIR_TELLS_OF_REPLACEMENT 3u
#define WEIR_TELLS_OF_UPDATE 4u
#define WEIR_TELLS_OF_INVALIDATION 5u
/* In WEIR_TRAPPED_PACKET: lines have no pointers in hardware, and all packets of other nodes trap.
 * WEIR_POINTERS is then 1 if the home's own cache may have the line, which it may have written. */
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
