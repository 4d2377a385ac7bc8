/* What the parts of the C library's lower end tell each other, and the host. Plain C. */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_LIBRARY_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_LIBRARY_H

/* Of the words of main(), each with a zero behind it; and how many words there are at most, the
 * program's name among them. */
#define WEIR_ARGUMENT_BYTES 2048
#define WEIR_MOST_ARGUMENT_WORDS 128

#endif
