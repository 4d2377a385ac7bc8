/* A handler that calls first a reentrant function, then one that is not reentrant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/active_messages.h"

static volatile uint32_t come;
static char copy[16];

static void take(void) {
    memcpy(copy, "reentrant", 10);
    come = (uint32_t)strlen(copy);
}

static void take_memory(void) { come = malloc(10) != NULL; }

int main(int count, char** words) {
    const int is_allowed = count > 1 && strcmp(words[1], "memcpy") == 0;
    if (weir_node() == 1) {
        am_send_0(0, is_allowed ? take : take_memory);
    } else if (weir_node() == 0) {
        am_wait(&come);
        printf("%s\n", copy);
    }
    return 0;
}
