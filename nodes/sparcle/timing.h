#pragma once

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::nodes::sparcle {

/// What instructions take, by class, when instruction and data hit: the one table of it. Loads and
/// stores take memory.load_cycles, store_cycles and double_cycles more; accesses to the message
/// controller what that answers. Classes that are not here take integer_cycles.
///
/// A source "ERC32" is the table of binutils' simulator of that SPARC V7 processor, of the family
/// of Sparcle's Cypress 7C601 (sim/erc32/exec.c).
struct Timing : hw::ParameterGroup {
    Timing();
    ~Timing() override;

    static constexpr const char* kErc32 = "SPARC V7 (ERC32)";
    static hw::Condition has_multiplier() { return hw::when("sparcle.multiply_divide").is(true); }
    static hw::Condition has_float_unit() {
        return hw::when("sparcle.floating_point_unit").is(true);
    }

    hw::Parameter<hw::Cycles> integer_cycles{
        *this, "integer_cycles", 1, {1, 1000}, "Any other instruction, annulled ones too", kErc32};
    hw::Parameter<hw::Cycles> jump_cycles{
        *this, "jump_cycles", 2, {1, 1000}, "JMPL, which returns and jumps are", kErc32};
    hw::Parameter<hw::Cycles> return_from_trap_cycles{
        *this, "return_from_trap_cycles", 2, {1, 1000}, "RETT", kErc32};
    hw::Parameter<hw::Cycles> atomic_cycles{
        *this, "atomic_cycles", 4, {1, 1000}, "LDSTUB and SWAP that hit", kErc32};
    hw::Parameter<hw::Cycles> load_use_cycles{
        *this,
        "load_use_cycles",
        1,
        {0, 1000},
        "Added to an instruction that reads what the one right before it has loaded",
        kErc32};
    hw::Parameter<hw::Cycles> cycle_counter_cycles{
        *this,
        "cycle_counter_cycles",
        0,
        {0, 100'000},
        "Added to a load that reads the cycle counter; it reads the cycle in which it begins",
        "assumed: what a load that hits takes, and no more"};
    hw::Parameter<hw::Cycles> trap_cycles{
        *this, "trap_cycles", 3, {1, 1000}, "From a trap or interrupt to its vector", kErc32};
    hw::Parameter<hw::Cycles> remote_wait_trap_cycles{
        *this,
        "remote_wait_trap_cycles",
        5,
        {1, 1000},
        "The same of the traps that switch contexts: of an access whose line comes from another "
        "node, or whose word is in the wrong full/empty state",
        "recalled, not read: about 5 of the 14 cycles of a context switch"};
    hw::Parameter<bool> multiply_divide{*this,
                                        "multiply_divide",
                                        false,
                                        {},
                                        "It has SPARC V8's multiply and divide instructions",
                                        "SPARC V7 has MULScc only"};
    hw::Parameter<hw::Cycles> multiply_cycles{
        *this,           "multiply_cycles", 19,
        {1, 1000},       "UMUL, SMUL",      "assumed; as in microSPARC",
        has_multiplier()};
    hw::Parameter<hw::Cycles> divide_cycles{
        *this,           "divide_cycles", 39, {1, 1000}, "UDIV, SDIV", "assumed; as in microSPARC",
        has_multiplier()};
    hw::Parameter<bool> floating_point_unit{
        *this,
        "floating_point_unit",
        true,
        {},
        "It has a floating-point unit; else its instructions trap (fp_disabled)",
        "Alewife has one beside each Sparcle"};
    hw::Parameter<hw::Cycles> float_add_cycles{
        *this, "float_add_cycles", 4, {1, 1000}, "FADD, FSUB, FCMP", kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_multiply_single_cycles{
        *this, "float_multiply_single_cycles", 5, {1, 1000}, "FMULs", kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_multiply_double_cycles{
        *this, "float_multiply_double_cycles", 9, {1, 1000}, "FMULd", kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_divide_single_cycles{
        *this, "float_divide_single_cycles", 20, {1, 1000}, "FDIVs", kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_divide_double_cycles{
        *this, "float_divide_double_cycles", 35, {1, 1000}, "FDIVd", kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_root_single_cycles{
        *this, "float_root_single_cycles", 37, {1, 1000}, "FSQRTs", kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_root_double_cycles{
        *this, "float_root_double_cycles", 65, {1, 1000}, "FSQRTd", kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_move_cycles{
        *this, "float_move_cycles", 2, {1, 1000}, "FMOV, FNEG, FABS", kErc32, has_float_unit()};
    hw::Parameter<hw::Cycles> float_convert_cycles{
        *this,
        "float_convert_cycles",
        5,
        {1, 1000},
        "Conversions between integer, single and double",
        "SPARC V7 (ERC32): 2 to 7 by kind; here one for all",
        has_float_unit()};
    hw::Parameter<bool> run_ahead{
        *this,
        "run_ahead",
        true,
        {},
        "A core executes instructions ahead of the machine's time, up to the first cycle in which "
        "anything could reach it",
        hw::changes_speed_alone()};

    // Checks of a program, which cost no cycles (program_checks.h).
    hw::Parameter<hw::Bytes> null_page_bytes{
        *this,
        "null_page_bytes",
        4096,
        {0, 4096},
        "A program that loads, stores or goes below that address ends the run; 0: no program does",
        "a page, as on most systems"};
    hw::Parameter<bool> check_stack{
        *this, "check_stack", true, {}, "A function whose frame ends below the stack ends the run"};
    hw::Parameter<bool> writable_text{
        *this,
        "writable_text",
        false,
        {},
        "A program may store into its instructions and constants: one that modifies itself"};
    hw::Parameter<bool> check_uninitialised{
        *this,
        "check_uninitialised",
        false,
        {},
        "The use of a value that was loaded from where nothing has written ends the run"};
    hw::Parameter<hw::Cycles> handler_most_cycles{
        *this,
        "handler_most_cycles",
        0,
        {0, 1'000'000'000},
        "A handler that takes more cycles than that ends the run; 0: however long it takes"};
};

}  // namespace weir::nodes::sparcle
