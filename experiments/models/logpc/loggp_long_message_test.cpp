#include "experiments/models/logpc/loggp_long_message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

constexpr double kDmaSetup = 10.0;
constexpr double kMemorySlowdown = 1.45;  // factor on Gm with both DMA engines running, section 2.2

/// LoGPC (2001), Table 2 and the text below it: both overheads include 10 cycles of DMA set-up; the
/// interrupt takes 119. The paper does not print the memory's gap.
LoggpMachine alewife(double memory_gap) {
    return {.send_overhead_cycles = 25.0,
            .latency_cycles = 8.0,
            .receive_overhead_cycles = 119.0 + kDmaSetup,
            .gap_cycles_per_byte = 0.5,
            .memory_gap_cycles_per_byte = memory_gap,
            .header_bytes = 8.0};
}

// Independent computation of (2): the pipeline, byte by byte. Byte i is in the input queue i G
// after the first. The DMA engine starts o_rl after a G, and takes Gm for each queued byte.
double pipeline_cycles(const LoggpMachine& machine, int bytes) {
    const double first = machine.send_overhead_cycles + machine.latency_cycles;
    double moved = first + machine.header_bytes * machine.gap_cycles_per_byte +
                   machine.receive_overhead_cycles;
    for (int byte = 0; byte < bytes; ++byte) {
        moved = std::max(moved + machine.memory_gap_cycles_per_byte,
                         first + byte * machine.gap_cycles_per_byte);
    }
    return moved;
}

// 1000 bytes: 25 + 8 + 999/2 by (1); the interrupt's term of (2) is 25 + 8 + 4 + 129 + 1000 Gm.
TEST(LoggpLongMessage, IsTheSumOfItsParts) {
    const LoggpLongMessage message = solve_loggp_long_message(alewife(0.25), 1000.0);
    EXPECT_EQ(message.network_limited_cycles, 532.5);
    EXPECT_EQ(message.interrupt_limited_cycles, 416.0);
    EXPECT_EQ(message.end_to_end_cycles, 532.5);
    EXPECT_EQ(message.sender_cycles, 524.5);
    EXPECT_EQ(solve_loggp_long_message(alewife(0.25), 100.0).end_to_end_cycles, 191.0);
    EXPECT_EQ(loggp_network_limited_cycles(25.0, 8.0, 0.5, 1000.0), 532.5);
}

TEST(LoggpLongMessage, TakesAsLongAsItsPipelineByteByByte) {
    // Gm = 0.5 is G. For larger Gm the network's term of (2), which leaves out the last byte's move
    // into memory, no longer counts.
    for (const double memory_gap : {0.0, 0.25, 0.27, 0.37, 0.5, 0.75}) {
        for (const int bytes : {1, 2, 8, 100, 534, 535, 1000, 1027, 4096, 100000}) {
            const double cycles = pipeline_cycles(alewife(memory_gap), bytes);
            EXPECT_NEAR(solve_loggp_long_message(alewife(memory_gap), bytes).end_to_end_cycles,
                        cycles, 1e-9 * cycles)  // rounding of sums of up to 100,000 gaps
                << memory_gap << " " << bytes;
        }
    }
}

// LoGPC, section 2.2: 1/G is 2 bytes per cycle (Table 2; its 41 MB/s are 2 bytes at 20.5 MHz).
TEST(LoggpLongMessage, BandwidthTendsTo2BytesACycle) {
    EXPECT_EQ(loggp_bandwidth(alewife(0.37)).asymptotic_bytes_per_cycle, 2.0);
    double last = 0.0;
    for (const double bytes : {1.0, 10.0, 100.0, 534.0, 1e3, 1e4, 1e6}) {
        const double bandwidth = solve_loggp_long_message(alewife(0.37), bytes).bytes_per_cycle;
        EXPECT_GT(bandwidth, last);
        EXPECT_LT(bandwidth, 2.0);
        last = bandwidth;
    }
    EXPECT_NEAR(last, 2.0, 2e-4);
}

// Figure 5: bandwidth is constant above about 10 KB. The model is within 1 % of 1/G at 10 KB and 6
// % below it at 1,000 bytes.
TEST(LoggpLongMessage, BandwidthIsConstantAbove10Kilobytes) {
    const auto share = [](double bytes) {
        return solve_loggp_long_message(alewife(0.25), bytes).bytes_per_cycle / 2.0;
    };
    EXPECT_GT(share(10000.0), 0.99);
    EXPECT_LT(share(1000.0), 0.95);
}

// Section 2.2 and Figure 4: above 1,000 bytes the sender's time and the end-to-end time are nearly
// equal. They differ by L = 8 cycles, 1.5 % at 1,000 bytes, and by 136 cycles at 64 bytes.
TEST(LoggpLongMessage, SenderAndReceiverEndNearlyTogetherAbove1000Bytes) {
    for (const double bytes : {1000.0, 1500.0, 10000.0}) {
        const LoggpLongMessage message = solve_loggp_long_message(alewife(0.25), bytes);
        EXPECT_EQ(message.end_to_end_cycles - message.sender_cycles, 8.0);
        EXPECT_LT(message.end_to_end_cycles / message.sender_cycles, 1.016);
    }
    const LoggpLongMessage small = solve_loggp_long_message(alewife(0.25), 64.0);
    EXPECT_GT(small.end_to_end_cycles / small.sender_cycles, 3.0);
}

// Section 2.2: a crossover of "about 1,000 bytes" needs Gm = 0.3665. Memory of "nearly twice" the
// network's bandwidth (Gm of 0.25 to 0.27) has the crossover at 534 to 580 bytes. The paper's text
// does not give Gm.
TEST(LoggpLongMessage, CrossoverIsAt1000BytesForAMemoryGapOf037) {
    EXPECT_EQ(loggp_bandwidth(alewife(0.25)).crossover_bytes, 534.0);
    EXPECT_NEAR(loggp_bandwidth(alewife(0.27)).crossover_bytes.value(), 580.4, 0.1);
    EXPECT_NEAR(loggp_bandwidth(alewife(0.37)).crossover_bytes.value(), 1026.9, 0.1);
    EXPECT_NEAR(loggp_bandwidth(alewife(0.3665)).crossover_bytes.value(), 1000.0, 1e-9);
}

TEST(LoggpLongMessage, TheNetworkLimitsFromTheCrossoverOn) {
    for (const double memory_gap : {0.0, 0.25, 0.3665, 0.37, 0.49}) {
        const double crossover = loggp_bandwidth(alewife(memory_gap)).crossover_bytes.value();
        const LoggpLongMessage below = solve_loggp_long_message(alewife(memory_gap), crossover - 1);
        const LoggpLongMessage above = solve_loggp_long_message(alewife(memory_gap), crossover + 1);
        EXPECT_GT(below.end_to_end_cycles, below.network_limited_cycles) << memory_gap;
        EXPECT_EQ(above.end_to_end_cycles, above.network_limited_cycles) << memory_gap;
    }
}

// While both DMA engines run, memory with Gm = 0.37 is slower than the network and never catches
// up; memory with Gm = 0.25 does, later.
TEST(LoggpLongMessage, WithBothDmaEnginesTheCrossoverMovesOutOrGoes) {
    EXPECT_FALSE(loggp_bandwidth(alewife(0.37 * kMemorySlowdown)).crossover_bytes.has_value());
    EXPECT_NEAR(loggp_bandwidth(alewife(0.37 * kMemorySlowdown)).asymptotic_bytes_per_cycle,
                1.0 / 0.5365, 1e-12);
    EXPECT_NEAR(loggp_bandwidth(alewife(0.25 * kMemorySlowdown)).crossover_bytes.value(),
                133.5 / 0.1375, 1e-9);
    EXPECT_FALSE(loggp_bandwidth(alewife(0.5)).crossover_bytes.has_value());
}

TEST(LoggpLongMessage, HalfPerformanceLengthGetsHalfTheBandwidth) {
    for (const double memory_gap : {0.0, 0.25, 0.3665, 0.5, 2.0}) {
        const LoggpBandwidth bandwidth = loggp_bandwidth(alewife(memory_gap));
        EXPECT_NEAR(solve_loggp_long_message(alewife(memory_gap), bandwidth.half_performance_bytes)
                        .bytes_per_cycle,
                    bandwidth.asymptotic_bytes_per_cycle / 2.0, 1e-12)
            << memory_gap;
    }
    // Without an interrupt (1) alone limits: half the bandwidth at (o_sl + L - G)/G bytes.
    LoggpMachine no_interrupt = alewife(0.0);
    no_interrupt.receive_overhead_cycles = 0.0;
    no_interrupt.header_bytes = 0.0;
    EXPECT_EQ(loggp_bandwidth(no_interrupt).half_performance_bytes, 65.0);
}

// Figure 3 with Table 2: 8 bytes of header and 2 bytes per cycle during o_rl = 129 cycles make 266
// bytes. Alewife's input queue has room for 256 bytes.
TEST(LoggpLongMessage, AboutAQueueOf256BytesArrivesDuringTheInterrupt) {
    EXPECT_EQ(solve_loggp_long_message(alewife(0.25), 1000.0).queued_bytes, 8.0 + 2.0 * 129.0);
    EXPECT_EQ(solve_loggp_long_message(alewife(0.25), 100.0).queued_bytes, 100.0);
}

std::string loggp_refusal(const LoggpMachine& machine, double bytes) {
    try {
        solve_loggp_long_message(machine, bytes);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(LoggpLongMessage, RefusesEachInputByName) {
    EXPECT_THAT(loggp_refusal({}, 10.0),
                Names("send_overhead_cycles (o_sl)", "given", "accepted", "0", "1e+15"));
    EXPECT_THAT(loggp_refusal(alewife(-0.1), 10.0),
                Names("memory_gap_cycles_per_byte (Gm)", "-0.1", "accepted", "0", "1e+15"));
    EXPECT_EQ(loggp_refusal(alewife(0.25), 0.0),
              "message_bytes (B) is 0; accepted: 1 to 1e+15 bytes");
    LoggpMachine machine = alewife(0.25);
    machine.gap_cycles_per_byte = 0.0;
    EXPECT_THROW(loggp_bandwidth(machine), ModelError);
    const LoggpMachine free{.send_overhead_cycles = 0.0,
                            .latency_cycles = 0.0,
                            .receive_overhead_cycles = 0.0,
                            .gap_cycles_per_byte = 1.0,
                            .memory_gap_cycles_per_byte = 0.0,
                            .header_bytes = 0.0};
    EXPECT_THROW(solve_loggp_long_message(free, 1.0), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
