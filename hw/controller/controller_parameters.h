#pragma once

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::hw {

struct ControllerParameters : ParameterGroup {
    ControllerParameters();
    ~ControllerParameters() override;

    Parameter<Bytes> output_queue_bytes{*this,
                                        "output_queue_bytes",
                                        256,
                                        {64, 1 << 20},
                                        "Size of the output queue, from the node to the network",
                                        "LoGPC Section 2: 256 bytes",
                                        when("network.model").is("wormhole")};
    Parameter<Bytes> input_queue_bytes{*this,
                                       "input_queue_bytes",
                                       256,
                                       {64, 1 << 20},
                                       "Size of the input queue, from the network to the node",
                                       "LoGPC Section 2: 256 bytes (LoPC Section 2: 512)",
                                       when("network.model").is("wormhole")};
    Parameter<Cycles> store_cycles{*this,
                                   "store_cycles",
                                   3,
                                   {0, 10'000},
                                   "Time of a store to a register of the controller",
                                   "LoGPC Table 1: each argument adds 3 to o_s"};
    Parameter<Cycles> launch_cycles{
        *this,
        "launch_cycles",
        3,
        {0, 10'000},
        "Time of the store that launches a message, if the output queue has room for it",
        "LoGPC Table 1: o_s of 9 is header, handler address and launch"};
    Parameter<Cycles> load_cycles{*this,
                                  "load_cycles",
                                  2,
                                  {0, 10'000},
                                  "Time of a load from a register of the controller",
                                  "LoGPC Table 1: the first argument adds 2 to o_r"};
    Parameter<Cycles> consecutive_load_cycles{
        *this,
        "consecutive_load_cycles",
        1,
        {0, 10'000},
        "Time added to a load from the controller that directly follows another such load",
        "assumed; LoGPC Table 1: the second argument adds 3 to o_r"};
    Parameter<Cycles> double_cycles{
        *this,
        "double_cycles",
        1,
        {0, 10'000},
        "Time added to a load or store that accesses two words of the output descriptor",
        "Sparcle: a load of two words takes 3 cycles for 2, a store 4 for 3",
        when("firmware.save_double_words").is(true)};
    Parameter<Cycles> notify_cycles{
        *this,
        "notify_cycles",
        10,
        {0, 10'000},
        "Time from the arrival of the whole header in the input queue to the interrupt",
        "calibrated: L = 21 at 4 mean hops (LoGPC Table 1) less 8 for the first byte (Table 2) "
        "and 3 more header flits"};
    Parameter<bool> overflow_trap{
        *this,
        "overflow_trap",
        false,
        {},
        "Whether a trap moves the messages of the input queue to memory when a flit has waited "
        "overflow_timeout_cycles before the full queue",
        "Alewife: two-case delivery (LoGPC reference 19)",
        when("network.model").is("wormhole")};
    Parameter<Cycles> overflow_timeout_cycles{
        *this,
        "overflow_timeout_cycles",
        1000,
        {32, 1'000'000'000},
        "Time for which a flit waits before the full input queue until the overflow trap begins",
        "assumed, not published: as long as several handlers, so that a queue that moves at all "
        "does not trap",
        when("controller.overflow_trap").is(true)};
};

}  // namespace weir::hw
