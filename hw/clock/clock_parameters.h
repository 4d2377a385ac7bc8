#pragma once

#include <cstdint>

#include "hw/parameter.h"

namespace weir::hw {

/// Order in which the parts are ticked within a cycle; no result may depend on it.
enum class TickOrder : std::uint8_t { kWakeOrder, kReversed, kShuffled };

struct ClockDomainParameters : ParameterGroup {
    ClockDomainParameters();
    ~ClockDomainParameters() override;

    Parameter<double> processor_mhz{
        *this,
        "processor_mhz",
        20.0,
        {0.001, 100'000.0},
        "Processor clock rate. The unit of time is one cycle of this clock",
        "Alewife as measured: 41 MB/s is 2 bytes/cycle (LoGPC Table 2)"};
    Choice<TickOrder> tick_order{
        *this,
        "tick_order",
        TickOrder::kWakeOrder,
        {{TickOrder::kWakeOrder, "wake"},
         {TickOrder::kReversed, "reversed"},
         {TickOrder::kShuffled, "shuffled"}},
        "Order in which the machine's parts are ticked within a cycle. wake: the order in which "
        "they were woken. reversed: the opposite order. shuffled: a random order",
        changes_speed_alone()};
    Parameter<bool> sleeping{*this,
                             "sleeping",
                             true,
                             {},
                             "Whether ticks of machine parts with nothing to do are skipped",
                             changes_speed_alone()};
};

}  // namespace weir::hw
