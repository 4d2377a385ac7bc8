/* The compiler's own limits.h goes on to the system's, which has nothing to add. */
