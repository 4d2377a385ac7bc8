#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/parameter.h"
#include "hw/refusal.h"
#include "hw/units.h"

namespace weir::network {

/// Where a packet goes: a permutation of the nodes, or a random choice for each packet.
enum class PatternKind : std::uint8_t {
    kUniform,
    kTranspose,
    kBitComplement,
    kBitReverse,
    kShuffle,
    kTornado,
    kNeighbour,
    kHotSpot,
    kLocality,
    kTrace,
    kRecording,
    kOneAtATime,
};

/// When packets are generated.
enum class SourceKind : std::uint8_t { kBernoulli, kBursty };

/// Open-loop traffic: every node generates packets whatever becomes of them.
struct TrafficParameters : hw::ParameterGroup {
    TrafficParameters() : ParameterGroup("traffic", "Open-loop traffic, and how it is measured") {}

    hw::Choice<PatternKind> pattern{
        *this,
        "pattern",
        PatternKind::kUniform,
        {{PatternKind::kUniform, "uniform"},
         {PatternKind::kTranspose, "transpose"},
         {PatternKind::kBitComplement, "bit_complement"},
         {PatternKind::kBitReverse, "bit_reverse"},
         {PatternKind::kShuffle, "shuffle"},
         {PatternKind::kTornado, "tornado"},
         {PatternKind::kNeighbour, "neighbour"},
         {PatternKind::kHotSpot, "hot_spot"},
         {PatternKind::kLocality, "locality"},
         {PatternKind::kTrace, "trace"},
         {PatternKind::kRecording, "recording"},
         {PatternKind::kOneAtATime, "one_at_a_time"}},
        "Where packets go; nodes may send to themselves. One at a time: from node 0 to each other, "
        "a packet alone in the network, each when the one before has arrived",
        "Dally and Towles 2004, Section 3.2; locality: LoGPC Section 3.3"};
    hw::Parameter<double> load{
        *this,
        "load",
        0.1,
        {0.000'001, 16.0},
        "Offered load in flits a node and cycle, over all copies of the network; a k x k mesh has "
        "capacity for 4/k of uniform traffic",
        is_random()};
    hw::Parameter<hw::Flits> packet_flits{*this,
                                          "packet_flits",
                                          8,
                                          {1, 65'535},
                                          "Length of every packet, header included",
                                          hw::when("traffic.pattern").is_not("trace", "recording")};
    hw::Choice<SourceKind> source{
        *this,
        "source",
        SourceKind::kBernoulli,
        {{SourceKind::kBernoulli, "bernoulli"}, {SourceKind::kBursty, "bursty"}},
        "A packet in each cycle with the same probability; or so in bursts, with silence between "
        "them, both of random length (a Markov chain of two states)",
        "Dally and Towles 2004, Section 24.2.2",
        is_random()};
    hw::Parameter<hw::Cycles> burst_cycles{*this,
                                           "burst_cycles",
                                           100,
                                           {1, 1'000'000'000},
                                           "Mean length of a burst; its end comes in each cycle "
                                           "with the same probability",
                                           is_random() && hw::when("traffic.source").is("bursty")};
    hw::Parameter<double> burst_load{
        *this,
        "burst_load",
        1.0,
        {0.000'001, 16.0},
        "Load in flits a cycle during a burst; silence is as long as traffic.load then needs",
        is_random() && hw::when("traffic.source").is("bursty")};
    hw::Parameter<bool> interleave_packets{
        *this,
        "interleave_packets",
        true,
        {},
        "With several virtual channels, a node begins its next packet on another one while the one "
        "before is held up; or only when that has left",
        hw::when("traffic.pattern").is_not("one_at_a_time")};
    hw::Parameter<bool> await_tail_credit{
        *this,
        "await_tail_credit",
        false,
        {},
        "A node begins a packet on a virtual channel only once the credit of the last one's tail "
        "has come back",
        "true: BookSim 2 with wait_for_tail_credit",
        hw::when("traffic.pattern").is_not("one_at_a_time")};
    hw::Parameter<double> hot_spot_share{
        *this,
        "hot_spot_share",
        0.1,
        {0.0, 1.0},
        "Of the packets, those that go to hot nodes; the others are uniform",
        hw::when("traffic.pattern").is("hot_spot")};
    hw::Parameter<std::vector<std::int64_t>> hot_spot_nodes{
        *this,       "hot_spot_nodes",         {0},
        {0, 16'383}, "The hot nodes' numbers", hw::when("traffic.pattern").is("hot_spot")};
    hw::Parameter<std::vector<std::int64_t>> hot_spot_rates{
        *this,
        "hot_spot_rates",
        {1},
        {1, 1'000'000},
        "Of hot_spot_share, what goes to each hot node, in proportion to the others; a single rate "
        "is that of all",
        hw::when("traffic.pattern").is("hot_spot")};
    hw::Parameter<std::int64_t> locality_hops{
        *this,
        "locality_hops",
        1,
        {1, 16'383},
        "Most hops of a packet in each dimension; every node so near is as likely",
        "LoGPC Section 3.3: l",
        hw::when("traffic.pattern").is("locality")};
    hw::Parameter<hw::FilePath> trace_file{
        *this,
        "trace_file",
        "",
        {},
        "The packets, a line each: cycle, source, destination, bytes",
        hw::when("traffic.pattern").is("trace")};
    hw::Parameter<hw::FilePath> recording{
        *this,
        "recording",
        "",
        {},
        "Packets of another implementation of the network, such as a router's RTL, plain or "
        "compressed by gzip, a line each: cycle, source, destination, flits, arrived. Measured is "
        "which of them arrive in the same cycle",
        hw::when("traffic.pattern").is("recording")};
    hw::Parameter<bool> write_recording{
        *this,
        "write_recording",
        false,
        {},
        "A run leaves such a file, recording.txt.gz, of its packets that arrived, with a sixth "
        "column: when a packet's header left its source (injected)",
        hw::when("traffic.pattern").is_not("one_at_a_time")};
    hw::Parameter<hw::Cycles> warm_up_cycles{*this,
                                             "warm_up_cycles",
                                             5'000,
                                             {0, 1'000'000'000'000},
                                             "Cycles of traffic before the measurement",
                                             has_phases()};
    hw::Parameter<hw::Cycles> measurement_cycles{
        *this,
        "measurement_cycles",
        10'000,
        {1, 1'000'000'000'000},
        "Packets generated in these cycles are measured, with traffic going on until all have "
        "arrived",
        has_phases()};
    hw::Parameter<hw::Cycles> drain_cycles{
        *this,
        "drain_cycles",
        2'000,
        {1, 1'000'000'000'000},
        "A network in which measured packets are left so long after the measurement is saturated",
        has_phases()};

    [[nodiscard]] std::optional<Fault> check() const override;

  private:
    static hw::Condition has_phases() {
        return hw::when("traffic.pattern").is_not("recording", "one_at_a_time");
    }
    static hw::Condition is_random() {
        return hw::when("traffic.pattern").is_not("trace", "recording", "one_at_a_time");
    }
};

/// Traffic that has no meaning here. The key is "traffic.pattern"; it is empty when it is a file
/// that is wrong, and then the rest says where.
class TrafficFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

}  // namespace weir::network
