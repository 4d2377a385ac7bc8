/* The C library's header, reduced to the functions in firmware/sparcle/memory.h. */
#include "firmware/sparcle/memory.h"
