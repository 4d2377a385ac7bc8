/* Words by which the host and a program with several ranks on a node know of each other
 * (firmware/sparcle/rank_copies.h). Plain C. */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_RANKS_STATE_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_RANKS_STATE_H

/* weir_rank_ends, by the rank's place on its node: 0, or this flag and the rank's status. The words
 * of the first rank's copy count. */
#define WEIR_RANK_HAS_ENDED 0x100u
#define WEIR_RANK_STATUS 0xffu

#endif
