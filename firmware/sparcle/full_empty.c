#include "firmware/sparcle/full_empty.h"

#include "firmware/sparcle/trap.h"

static void refuse(const volatile void* element, const char* what) __attribute__((noreturn));
static void refuse(const volatile void* element, const char* what) {
    console_printf("node %u: %s at %x\n", weir_node(), what, (uint32_t)element);
    weir_stop(WEIR_STATUS_WRONG_STATE);
}

void j_structure_is_full(const volatile void* element) {
    refuse(element, "second write of a J-structure's element");
}

void l_structure_is_unlocked(const volatile void* element) {
    refuse(element, "put of an L-structure's element that is not yet taken");
}
