#pragma once

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::nodes::sparcle {

/// Cycles of instructions by class, when instruction and data hit. Loads and stores add
/// memory.load_cycles, store_cycles and double_cycles; accesses to the message controller add the
/// time to its answer. Classes without an entry take integer_cycles.
///
/// The source "ERC32" is the cycle table in binutils' simulator of the ERC32 (sim/erc32/exec.c).
/// The ERC32 is a SPARC V7 processor of the Cypress 7C601 family, like Sparcle.
struct Timing : hw::ParameterGroup {
    Timing();
    ~Timing() override;

    static constexpr const char* kErc32 = "SPARC V7 (ERC32)";
    static hw::Condition has_multiplier() { return hw::when("sparcle.multiply_divide").is(true); }
    static hw::Condition has_float_unit() {
        return hw::when("sparcle.floating_point_unit").is(true);
    }

    hw::Parameter<hw::Cycles> integer_cycles{
        *this,
        "integer_cycles",
        1,
        {1, 1000},
        "Time of an instruction without a parameter of its own, and of an annulled instruction",
        kErc32};
    hw::Parameter<hw::Cycles> jump_cycles{
        *this,
        "jump_cycles",
        2,
        {1, 1000},
        "Time of JMPL, the instruction for indirect jumps and returns",
        kErc32};
    hw::Parameter<hw::Cycles> return_from_trap_cycles{
        *this, "return_from_trap_cycles", 2, {1, 1000}, "Time of RETT, the return from a trap",
        kErc32};
    hw::Parameter<hw::Cycles> atomic_cycles{
        *this, "atomic_cycles", 4, {1, 1000}, "Hit time of LDSTUB and SWAP", kErc32};
    hw::Parameter<hw::Cycles> load_use_cycles{
        *this,
        "load_use_cycles",
        1,
        {0, 1000},
        "Time added to an instruction that reads a register loaded by the previous instruction",
        kErc32};
    hw::Parameter<hw::Cycles> cycle_counter_cycles{
        *this,
        "cycle_counter_cycles",
        0,
        {0, 100'000},
        "Time added to a load from the cycle counter, which returns the cycle in which the load "
        "begins",
        "assumed: no more than a load that hits"};
    hw::Parameter<hw::Cycles> trap_cycles{
        *this, "trap_cycles", 3, {1, 1000}, "Time from a trap or interrupt to its vector", kErc32};
    hw::Parameter<hw::Cycles> remote_wait_trap_cycles{
        *this,
        "remote_wait_trap_cycles",
        5,
        {1, 1000},
        "Time from a trap that switches contexts to its vector. Such a trap waits for a line from "
        "another node, or for a word's full/empty state",
        "recalled, not read: about 5 of the 14 cycles of a context switch"};
    hw::Parameter<bool> multiply_divide{
        *this,
        "multiply_divide",
        false,
        {},
        "Whether the core has SPARC V8's multiply and divide instructions",
        "SPARC V7 has MULScc only"};
    hw::Parameter<hw::Cycles> multiply_cycles{
        *this,           "multiply_cycles",       19,
        {1, 1000},       "Time of UMUL and SMUL", "assumed; as in microSPARC",
        has_multiplier()};
    hw::Parameter<hw::Cycles> divide_cycles{
        *this,           "divide_cycles",         39,
        {1, 1000},       "Time of UDIV and SDIV", "assumed; as in microSPARC",
        has_multiplier()};
    hw::Parameter<bool> floating_point_unit{*this,
                                            "floating_point_unit",
                                            true,
                                            {},
                                            "Whether the core has a floating-point unit; without "
                                            "it floating-point instructions trap (fp_disabled)",
                                            "Alewife: a floating-point unit beside each Sparcle"};
    hw::Parameter<hw::Cycles> float_add_cycles{
        *this,  "float_add_cycles", 4, {1, 1000}, "Time of FADD, FSUB and FCMP",
        kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_multiply_single_cycles{
        *this,           "float_multiply_single_cycles", 5, {1, 1000}, "Time of FMULs", kErc32,
        has_float_unit()};
    hw::Parameter<hw::Cycles> float_multiply_double_cycles{
        *this,           "float_multiply_double_cycles", 9, {1, 1000}, "Time of FMULd", kErc32,
        has_float_unit()};
    hw::Parameter<hw::Cycles> float_divide_single_cycles{
        *this,           "float_divide_single_cycles", 20, {1, 1000}, "Time of FDIVs", kErc32,
        has_float_unit()};
    hw::Parameter<hw::Cycles> float_divide_double_cycles{
        *this,           "float_divide_double_cycles", 35, {1, 1000}, "Time of FDIVd", kErc32,
        has_float_unit()};
    hw::Parameter<hw::Cycles> float_root_single_cycles{
        *this,           "float_root_single_cycles", 37, {1, 1000}, "Time of FSQRTs", kErc32,
        has_float_unit()};
    hw::Parameter<hw::Cycles> float_root_double_cycles{
        *this,           "float_root_double_cycles", 65, {1, 1000}, "Time of FSQRTd", kErc32,
        has_float_unit()};
    hw::Parameter<hw::Cycles> float_move_cycles{
        *this,  "float_move_cycles", 2, {1, 1000}, "Time of FMOV, FNEG and FABS",
        kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_convert_cycles{
        *this,
        "float_convert_cycles",
        5,
        {1, 1000},
        "Time of a conversion between integer, single precision and double precision",
        "SPARC V7 (ERC32): 2 to 7 by kind; Weir has one value for all",
        has_float_unit()};
    hw::Parameter<bool> run_ahead{*this,
                                  "run_ahead",
                                  true,
                                  {},
                                  "Whether a core executes instructions ahead of the current "
                                  "cycle, up to the first cycle in which an event could affect it",
                                  hw::changes_speed_alone()};

    // Checks of a program, which take no cycles (program_checks.h).
    hw::Parameter<hw::Bytes> null_page_bytes{
        *this,
        "null_page_bytes",
        4096,
        {0, 4096},
        "Size of the null page at address 0. A load, a store or a jump to this page ends the run "
        "with an error. 0: no check",
        "a page, as on most systems"};
    hw::Parameter<bool> check_stack{
        *this,
        "check_stack",
        true,
        {},
        "Whether a stack overflow ends the run: a function's frame that reaches below the stack"};
    hw::Parameter<bool> writable_text{
        *this,
        "writable_text",
        false,
        {},
        "Whether a program may store into its instructions and constants (self-modifying code)"};
    hw::Parameter<bool> check_uninitialised{
        *this,
        "check_uninitialised",
        false,
        {},
        "Whether the use of an uninitialised value ends the run"};
    hw::Parameter<hw::Cycles> handler_most_cycles{
        *this,
        "handler_most_cycles",
        0,
        {0, 1'000'000'000},
        "Longest time of a handler without entry and exit. A longer handler ends the run. 0: no "
        "limit"};
};

}  // namespace weir::nodes::sparcle
