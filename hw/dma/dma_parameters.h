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
        "Time of a beat: one page-mode access of the DRAM",
        "calibrated: with the engines' turnaround, 0.34 cycles a byte for one DMA alone and 1.45 "
        "times that for each of two (LoGPC Section 2.2)"};
    Parameter<Cycles> access_cycles{
        *this,
        "access_cycles",
        0,
        {0, 100'000},
        "Time from a burst's grant to its first beat if its DRAM row is not open",
        "Alewife: 0, since the calibrated beat_cycles and l1.miss_cycles include this time"};
    Parameter<Bytes> row_bytes{
        *this,
        "row_bytes",
        0,
        {0, 1 << 20},
        "Size of a DRAM row, a power of two; a burst leaves its row open. 0: no row stays open"};
    Parameter<Cycles> row_access_cycles{
        *this,
        "row_access_cycles",
        0,
        {0, 100'000},
        "Time from a burst's grant to its first beat if its DRAM row is open",
        when("memory_port.row_bytes").at_least(1)};

    Parameter<std::int64_t> bursts_in_flight{
        *this,
        "bursts_in_flight",
        1,
        {1, 64},
        "Largest number of bursts in flight. The access time of a burst overlaps the beats of "
        "other bursts. 1: bursts are served one after the other",
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
        "Set-up time of an engine. It is part of the store that starts the engine: the launch for "
        "sending, the store to register STORE_BODY for receiving",
        "LoGPC Table 2: 10 cycles at each end"};
    Parameter<Bytes> burst_bytes{*this,
                                 "burst_bytes",
                                 32,
                                 {8, 256},
                                 "Size of an engine's bursts; a multiple of 8",
                                 "assumed: two cache lines of 16 bytes"};
    Parameter<Cycles> turnaround_cycles{
        *this,
        "turnaround_cycles",
        2,
        {1, 10'000},
        "Time from the end of a burst to the engine's request for the next burst",
        "calibrated: with memory_port.beat_cycles, 0.34 cycles a byte alone, 1.45 times that for "
        "each of two engines at work (LoGPC Section 2.2)"};

    [[nodiscard]] std::optional<Fault> check() const override;
};

/// Gm of LoGPC: cycles per byte of an engine that has the memory port to itself and never waits for
/// its queue; whole bursts only.
[[nodiscard]] double dma_cycles_per_byte(const DmaParameters& engine,
                                         const MemoryPortParameters& port);

}  // namespace weir::hw
