/* Variables of the environment, for programs that read them (getenv). Before the run the host
 * writes the texts, NAME=VALUE, and the table of their addresses, which ends with a null pointer.
 */
#include "firmware/sparcle/library/library.h"
#ifdef WEIR_THREADS
#include "firmware/sparcle/threads/thread.h"
#else
#define WEIR_SHARED_DATA
#endif

WEIR_FROM_HOST char weir_environment_text[WEIR_ENVIRONMENT_BYTES] = {0};
WEIR_FROM_HOST char* weir_environment[WEIR_MOST_VARIABLES + 1] = {0};

/* All threads share the environment that they change. */
WEIR_SHARED_DATA char** environ = weir_environment;
