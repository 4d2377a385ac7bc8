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
/* write: the number of words to send, 2 to 16 */
#define WEIR_LAUNCH (WEIR_CONTROLLER_BASE + 0x80u)
/* write, any value: drops the message at the head of the input queue */
#define WEIR_DISPOSE (WEIR_CONTROLLER_BASE + 0x84u)
/* read only: how many words of the descriptor were stored since the last launch */
#define WEIR_COMPOSED_WORDS (WEIR_CONTROLLER_BASE + 0x88u)
/* read only: 1 while a message waits for which the controller has interrupted or may interrupt */
#define WEIR_MESSAGE_WAITING (WEIR_CONTROLLER_BASE + 0x8cu)

/* The header word: destination in bits 0-15, message words in 16-23, operation in 24-31. */
#define WEIR_HEADER(operation, words, destination)                               \
    ((((unsigned)(operation)&0xffu) << 24) | (((unsigned)(words)&0xffu) << 16) | \
     ((unsigned)(destination)&0xffffu))
#define WEIR_HEADER_DESTINATION(header) ((header)&0xffffu)
#define WEIR_HEADER_WORDS(header) (((header) >> 16) & 0xffu)
#define WEIR_HEADER_OPERATION(header) (((header) >> 24) & 0xffu)

#endif
