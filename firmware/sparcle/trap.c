#include "firmware/sparcle/trap.h"

#include "firmware/sparcle/weir.h"

struct weir_trap_record weir_trap_record __attribute__((aligned(8)));

static const char* trap_name(unsigned type) {
    switch (type) {
        case 0x01:
            return "instruction access";
        case 0x02:
            return "illegal instruction";
        case 0x03:
            return "privileged instruction";
        case 0x04:
            return "floating point is off: a handler used it";
        case 0x07:
            return "memory address not aligned";
        case 0x08:
            return "floating-point exception";
        case 0x09:
            return "data access";
        case 0x0a:
            return "tag overflow";
        case 0x24:
            return "coprocessor";
        case SPARCLE_TRAP_DIVISION_BY_ZERO:
        case 0x82:
            return "division by zero";
        case SPARCLE_TRAP_REMOTE_WAIT:
            return "remote wait without contexts";
        case SPARCLE_TRAP_FULL_EMPTY:
            return "word in the wrong full/empty state";
        default:
            return type >= 0x80 ? "trap instruction" : "interrupt or trap without handler";
    }
}

static void print_registers(const char* names, const unsigned* registers) {
    console_printf("  %s0-7", names);
    for (int i = 0; i < 8; ++i) {
        console_printf(" %08x", registers[i]);
    }
    console_character('\n');
}

void weir_report_trap(void) __attribute__((noreturn));
void weir_report_trap(void) {
    const struct weir_trap_record* trap = &weir_trap_record;
    console_printf(
        "node %u: trap 0x%02x (%s) at pc 0x%08x, npc 0x%08x, psr 0x%08x, wim 0x%02x, y 0x%08x\n",
        weir_node(), trap->type, trap_name(trap->type), trap->pc, trap->next_pc, trap->psr,
        trap->wim, trap->y);
    print_registers("g", trap->globals);
    print_registers("o", trap->outs);
    print_registers("l", trap->locals);
    print_registers("i", trap->ins);
    weir_stop(WEIR_STATUS_TRAP + trap->type);
}

void weir_stop(unsigned status) {
    WEIR_DEVICE(WEIR_HOST_EXIT) = status;
    __asm__ volatile("rd %%psr, %%g1\n\tor %%g1, 0xf00, %%g1\n\twr %%g1, %%psr" : : : "g1");
    for (;;) {
        (void)WEIR_DEVICE(WEIR_HOST_IDLE);
    }
}
