#define SPEED_IN_SHARED_MEMORY
#include "firmware/kernels/speed/speed.c"
