/* Empty: the compiler's limits.h includes the system's, which has nothing to add. */
