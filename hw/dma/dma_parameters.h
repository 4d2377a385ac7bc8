#pragma once

#include <cstdint>
#include <optional>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::hw {

struct MemoryPortParameters : ParameterGroup {
    MemoryPortParameters();
    ~MemoryPortParameters() override;

    Parameter<Bytes> beat_bytes{*this,
                                "beat_bytes",
                                8,
                                {1, 64},
                                "Width of the DRAM's data path: bytes moved in a beat",
                                "assumed: 64 bits"};
    Parameter<Cycles> beat_cycles{
        *this,
        "beat_cycles",
        2,
        {1, 1000},
        "Time of a beat: page-mode cycles of the DRAM",
        "calibrated: with the engines' turnaround, 0.34 cycles a byte for one DMA alone and 1.45 "
        "times that for each of two (LoGPC Section 2.2)"};
    Parameter<Cycles> access_cycles{
        *this,
        "access_cycles",
        0,
        {0, 100'000},
        "Time from a burst's grant to its first beat, in a row of the DRAM that is not open",
        "Alewife: in beat_cycles and l1.miss_cycles, which are calibrated"};
    Parameter<Bytes> row_bytes{
        *this,
        "row_bytes",
        0,
        {0, 1 << 20},
        "Size of the row that a burst leaves open; a power of two, or 0: none"};
    Parameter<Cycles> row_access_cycles{
        *this,
        "row_access_cycles",
        0,
        {0, 100'000},
        "Time from a burst's grant to its first beat, in the open row",
        when("memory_port.row_bytes").at_least(1)};

    Parameter<std::int64_t> bursts_in_flight{
        *this,
        "bursts_in_flight",
        1,
        {1, 64},
        "Most bursts in flight: the access of one overlaps the beats of others; 1: one after the "
        "other",
        "Alewife: assumed",
        when("memory_port.access_cycles").at_least(1)};

    [[nodiscard]] std::optional<Fault> check() const override;
};

struct DmaParameters : ParameterGroup {
    DmaParameters();
    ~DmaParameters() override;

    Parameter<Cycles> setup_cycles{
        *this,
        "setup_cycles",
        10,
        {1, 100'000},
        "Set-up time of an engine, within the store that starts it: the launch for sending, the "
        "store to STORE_BODY for receiving",
        "LoGPC Table 2: 10 cycles at each end"};
    Parameter<Bytes> burst_bytes{*this,
                                 "burst_bytes",
                                 32,
                                 {8, 256},
                                 "Size of a burst of an engine; a multiple of 8",
                                 "assumed: two cache lines of 16 bytes"};
    Parameter<Cycles> turnaround_cycles{
        *this,
        "turnaround_cycles",
        2,
        {1, 10'000},
        "Time from the end of a burst to the request for the next",
        "calibrated: with memory_port.beat_cycles, 0.34 cycles a byte alone, 1.45 times that for "
        "each of two engines at work (LoGPC Section 2.2)"};

    [[nodiscard]] std::optional<Fault> check() const override;
};

/// Gm of LoGPC: cycles per byte of an engine that has the memory port to itself and never waits for
/// its queue; whole bursts only.
[[nodiscard]] double dma_cycles_per_byte(const DmaParameters& engine,
                                         const MemoryPortParameters& port);

}  // namespace weir::hw
