/*
 * Registers of the message controller: memory-mapped, of 32 bits. This header is plain C; the
 * hardware model and every firmware include it.
 *
 * Sending: store the header word, the handler's address and the arguments into the output
 * descriptor, then store the number of words to WEIR_LAUNCH.
 *
 * Receiving: when the controller interrupts, load word k of the message at the head of the input
 * queue from WEIR_INPUT_WINDOW + 4 k. A store to WEIR_DISPOSE removes that message.
 *
 * The descriptor keeps its words over an interrupt. A handler that sends must first save
 * WEIR_COMPOSED_WORDS words, and store them back afterwards.
 *
 * A message may also have a body, which the DMA engines move from memory to memory.
 *
 * Sending a body: behind the operand words (header, handler's address, arguments), store pairs of
 * an address and a length in bytes. The sending engine gathers these ranges in their order. Both
 * words are multiples of WEIR_DMA_ALIGNMENT, and the length is not zero. Ranges may overlap. The
 * descriptor is free again when the launch completes, and the memory when the sending engine is
 * idle. A further launch waits until the engine is idle.
 *
 * Receiving a body: store its destination to WEIR_STORE_BODY at any time before the message is
 * disposed of. The receiving engine writes the body to memory as it arrives. The words in the
 * window do not change. A message with a body can be disposed of only after this store. It leaves
 * the queue when its body is in memory and it has been disposed of; then the next message
 * interrupts.
 *
 * Memory: all of a body has been moved when its engine is idle. A burst reads or writes its bytes
 * of memory in the cycle in which the memory port grants it.
 *
 * An access that breaks these rules has no effect, and is answered with an error.
 *
 * Overflow: the controller raises its trap line when the input queue has had no room for the
 * network's next flit for too long. A trap may take messages off the queue, even while a handler
 * works on the head, and keep them in memory. It stores the number of these messages to
 * WEIR_SAVED_MESSAGES. The controller interrupts for them, before any message in the queue, until a
 * 0 is stored.
 */
#ifndef WEIR_HW_CONTROLLER_REGISTERS_H
#define WEIR_HW_CONTROLLER_REGISTERS_H

#define WEIR_DESCRIPTOR_WORDS 16
#define WEIR_WORD_BYTES 4
#define WEIR_HEADER_BYTES 8

/* Byte addresses. */
#define WEIR_CONTROLLER_BASE 0xffff0000u
#define WEIR_CONTROLLER_BYTES 0x100u
/* read and write: the 16 words of the message to send */
#define WEIR_OUTPUT_DESCRIPTOR (WEIR_CONTROLLER_BASE + 0x00u)
/* read only: 16 words, the head of the input queue */
#define WEIR_INPUT_WINDOW (WEIR_CONTROLLER_BASE + 0x40u)
/* write: WEIR_LAUNCH_VALUE; without a body, just the number of words to send, 2 to 16 */
#define WEIR_LAUNCH (WEIR_CONTROLLER_BASE + 0x80u)
/* write, any value: drops the message at the head of the input queue */
#define WEIR_DISPOSE (WEIR_CONTROLLER_BASE + 0x84u)
/* read only: number of words of the descriptor stored since the last launch */
#define WEIR_COMPOSED_WORDS (WEIR_CONTROLLER_BASE + 0x88u)
/* read only: 1 while a message waits that has caused an interrupt, or may cause one */
#define WEIR_MESSAGE_WAITING (WEIR_CONTROLLER_BASE + 0x8cu)

/* write: memory address, a multiple of WEIR_DMA_ALIGNMENT, to which the body of the message at the
 * head of the input queue is stored */
#define WEIR_STORE_BODY (WEIR_CONTROLLER_BASE + 0x90u)
/* write: as WEIR_STORE_BODY, with an interrupt (WEIR_DMA_RECEIVED) when the body is in memory */
#define WEIR_STORE_BODY_AND_INTERRUPT (WEIR_CONTROLLER_BASE + 0x94u)
/* read only: the length in bytes of the body of the message at the head of the input queue */
#define WEIR_BODY_BYTES (WEIR_CONTROLLER_BASE + 0x98u)
/* read only: answered, with 1, when the engine is idle */
#define WEIR_SEND_DMA_IDLE (WEIR_CONTROLLER_BASE + 0x9cu)
#define WEIR_RECEIVE_DMA_IDLE (WEIR_CONTROLLER_BASE + 0xa0u)
/* read: the status bits below; write: clears those bits of WEIR_DMA_ENDED that are set in the word
 */
#define WEIR_DMA_STATUS (WEIR_CONTROLLER_BASE + 0xa4u)

/* write: number of messages that software has taken off the input queue and not yet handled */
#define WEIR_SAVED_MESSAGES (WEIR_CONTROLLER_BASE + 0xa8u)
/* read only: free bytes in the output queue; 0 while a launch would wait for the sending engine. A
 * controller without queues always reports room, even where the network stalls launches. */
#define WEIR_OUTPUT_ROOM (WEIR_CONTROLLER_BASE + 0xacu)

/* Status bits: an engine is at work, or has ended after a start with interrupt. */
#define WEIR_DMA_SENDING 0x1u
#define WEIR_DMA_RECEIVING 0x2u
#define WEIR_DMA_SENT 0x4u
#define WEIR_DMA_RECEIVED 0x8u
#define WEIR_DMA_ENDED (WEIR_DMA_SENT | WEIR_DMA_RECEIVED)

#define WEIR_DMA_ALIGNMENT 8

/* Value for WEIR_LAUNCH: number of operand words, number of words with the pairs, and whether to
 * interrupt when the last byte has been read (WEIR_DMA_SENT). */
#define WEIR_LAUNCH_VALUE(operands, words, interrupt)                  \
    (((unsigned)(operands)&0xffu) | (((unsigned)(words)&0xffu) << 8) | \
     ((interrupt) ? 0x10000u : 0u))
#define WEIR_LAUNCH_OPERANDS(value) ((value)&0xffu)
#define WEIR_LAUNCH_WORDS(value) (((value) >> 8) & 0xffu)
#define WEIR_LAUNCH_INTERRUPTS(value) (((value) >> 16) & 1u)

/* The header word: destination in bits 0-15, message words in 16-23, operation in 24-31. */
#define WEIR_HEADER(operation, words, destination)                               \
    ((((unsigned)(operation)&0xffu) << 24) | (((unsigned)(words)&0xffu) << 16) | \
     ((unsigned)(destination)&0xffffu))
#define WEIR_HEADER_DESTINATION(header) ((header)&0xffffu)
#define WEIR_HEADER_WORDS(header) (((header) >> 16) & 0xffu)
#define WEIR_HEADER_OPERATION(header) (((header) >> 24) & 0xffu)
/* Operations from this one on are packets of the coherence protocol: no program may launch them. */
#define WEIR_PROTOCOL_OPERATION 0x80u

#endif
