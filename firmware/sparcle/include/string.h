/* The C library's header, as far as firmware/sparcle/memory.h has it. */
#include "firmware/sparcle/memory.h"
