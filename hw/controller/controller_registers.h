/*
 * The message controller as a program sees it: memory-mapped registers of 32 bits. This header is
 * plain C; the hardware model and every firmware include the same one.
 *
 * Sending: store the header word, the handler's address and the arguments into the output
 * descriptor, then store the number of words to WEIR_LAUNCH. Receiving: when the controller
 * interrupts, word k of the message at the head of the input queue is read at
 * WEIR_INPUT_WINDOW + 4 k; a store to WEIR_DISPOSE removes that message.
 * The descriptor keeps its words over an interrupt: whoever sends from a handler must first save
 * WEIR_COMPOSED_WORDS words and store them back afterwards.
 *
 * A message may have a body besides, which the DMA engines move from memory to memory. Sending one:
 * behind the operand words (header, handler's address, arguments) the descriptor holds pairs of
 * words, address and length in bytes, whose memory is gathered in their order; both are multiples
 * of WEIR_DMA_ALIGNMENT, a length is not zero, and stretches may overlap (they are read twice). The
 * descriptor is free again when the launch completes; the memory is not until the sending engine is
 * idle. A further launch waits until then. Receiving: a store to WEIR_STORE_BODY, at any time
 * before the message is disposed of, has the receiving engine write the body to memory as it
 * arrives. The words of the window stay. A message with a body must be stored before it is disposed
 * of; it leaves the queue when both are done, and the next message interrupts after that.
 * Memory holds what was stored when the engine is idle; a burst reads and writes what memory holds
 * in that cycle. What breaks these rules is answered with an error, and nothing is done.
 *
 * When the input queue has had no room for the network's next flit for too long, the controller
 * raises its trap line. A trap may take messages off the queue, above the handler of the one at its
 * head, and keep them in memory; with a store to WEIR_SAVED_MESSAGES of how many there are the
 * controller interrupts for them, before any message in the queue, until a 0 is stored.
 */
#ifndef WEIR_HW_CONTROLLER_REGISTERS_H
#define WEIR_HW_CONTROLLER_REGISTERS_H

#define WEIR_DESCRIPTOR_WORDS 16
#define WEIR_WORD_BYTES 4
#define WEIR_HEADER_BYTES 8

/* Byte addresses. */
#define WEIR_CONTROLLER_BASE 0xffff0000u
#define WEIR_CONTROLLER_BYTES 0x100u
/* read and write: 16 words */
#define WEIR_OUTPUT_DESCRIPTOR (WEIR_CONTROLLER_BASE + 0x00u)
/* read only: 16 words, the head of the input queue */
#define WEIR_INPUT_WINDOW (WEIR_CONTROLLER_BASE + 0x40u)
/* write: WEIR_LAUNCH_VALUE; without a body, just the number of words to send, 2 to 16 */
#define WEIR_LAUNCH (WEIR_CONTROLLER_BASE + 0x80u)
/* write, any value: drops the message at the head of the input queue */
#define WEIR_DISPOSE (WEIR_CONTROLLER_BASE + 0x84u)
/* read only: how many words of the descriptor were stored since the last launch */
#define WEIR_COMPOSED_WORDS (WEIR_CONTROLLER_BASE + 0x88u)
/* read only: 1 while a message waits for which the controller has interrupted or may interrupt */
#define WEIR_MESSAGE_WAITING (WEIR_CONTROLLER_BASE + 0x8cu)

/* write: a memory address, a multiple of WEIR_DMA_ALIGNMENT; stores the body of the message at the
 * head of the input queue from there on */
#define WEIR_STORE_BODY (WEIR_CONTROLLER_BASE + 0x90u)
/* the same, and interrupts when it is done (WEIR_DMA_RECEIVED) */
#define WEIR_STORE_BODY_AND_INTERRUPT (WEIR_CONTROLLER_BASE + 0x94u)
/* read only: the length in bytes of the body of the message at the head of the input queue */
#define WEIR_BODY_BYTES (WEIR_CONTROLLER_BASE + 0x98u)
/* read only, 1: answered when the engine is idle */
#define WEIR_SEND_DMA_IDLE (WEIR_CONTROLLER_BASE + 0x9cu)
#define WEIR_RECEIVE_DMA_IDLE (WEIR_CONTROLLER_BASE + 0xa0u)
/* read: the bits below; write: clears the ended bits that are set in the word */
#define WEIR_DMA_STATUS (WEIR_CONTROLLER_BASE + 0xa4u)

/* write: how many messages software has taken off the input queue and not yet handled */
#define WEIR_SAVED_MESSAGES (WEIR_CONTROLLER_BASE + 0xa8u)
/* read only: bytes free in the output queue; 0 while a launch would wait for the sending engine. A
 * network without queues has room for a message at any time, or stalls the launch all the same. */
#define WEIR_OUTPUT_ROOM (WEIR_CONTROLLER_BASE + 0xacu)

/* Status bits: an engine is at work; an engine that was to interrupt has ended. */
#define WEIR_DMA_SENDING 0x1u
#define WEIR_DMA_RECEIVING 0x2u
#define WEIR_DMA_SENT 0x4u
#define WEIR_DMA_RECEIVED 0x8u
#define WEIR_DMA_ENDED (WEIR_DMA_SENT | WEIR_DMA_RECEIVED)

#define WEIR_DMA_ALIGNMENT 8

/* What to store to WEIR_LAUNCH: operand words, all words with those of the pairs, and whether to
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
