#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/parameter.h"
#include "hw/refusal.h"
#include "hw/units.h"

namespace weir::network {

/// Destinations of packets: a permutation of the nodes, or a random choice for each packet.
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
    kNextGroup,
    kTable,
    kTrace,
    kRecording,
    kOneAtATime,
};

/// Times at which packets are generated.
enum class SourceKind : std::uint8_t { kBernoulli, kBursty };

/// Open-loop traffic: nodes generate packets independently of the network's state.
struct TrafficParameters : hw::ParameterGroup {
    TrafficParameters() : ParameterGroup("traffic", "Open-loop traffic and its measurement") {}

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
         {PatternKind::kNextGroup, "next_group"},
         {PatternKind::kTable, "table"},
         {PatternKind::kTrace, "trace"},
         {PatternKind::kRecording, "recording"},
         {PatternKind::kOneAtATime, "one_at_a_time"}},
        "Destinations of packets; nodes may send to themselves. uniform: any node. locality: a "
        "node at most locality_hops away in each dimension. next_group: any node of the next group "
        "of a dragonfly. table: pairs of nodes with rates from a file. trace, recording: packets "
        "from a file. "
        "one_at_a_time: node 0 sends to each other node, each packet after the arrival of the "
        "previous packet",
        "Dally and Towles 2004, Section 3.2; locality: LoGPC Section 3.3; next_group: Kim et al. "
        "2008; table: Noxim"};
    hw::Parameter<double> load{
        *this,
        "load",
        0.1,
        {0.000'001, 16.0},
        "Offered load in flits per node and cycle, in total over all copies of the network. A k x "
        "k mesh has a capacity of 4/k for uniform traffic. With traffic.pattern = \"table\", the "
        "load "
        "of each line without a rate",
        is_random()};
    hw::Parameter<hw::Flits> packet_flits{*this,
                                          "packet_flits",
                                          8,
                                          {1, 65'535},
                                          "Length of each packet, header included",
                                          hw::when("traffic.pattern").is_not("trace", "recording")};
    hw::Choice<SourceKind> source{
        *this,
        "source",
        SourceKind::kBernoulli,
        {{SourceKind::kBernoulli, "bernoulli"}, {SourceKind::kBursty, "bursty"}},
        "Times at which packets are generated. bernoulli: a packet in each cycle with constant "
        "probability. bursty: as bernoulli, in bursts with silence between them, both of random "
        "length (a Markov chain of two states)",
        "Dally and Towles 2004, Section 24.2.2",
        has_source()};
    hw::Parameter<hw::Cycles> burst_cycles{
        *this,
        "burst_cycles",
        100,
        {1, 1'000'000'000},
        "Mean length of a burst, which ends in each cycle with constant probability",
        has_source() && hw::when("traffic.source").is("bursty")};
    hw::Parameter<double> burst_load{*this,
                                     "burst_load",
                                     1.0,
                                     {0.000'001, 16.0},
                                     "Load of a node in flits per cycle during a burst; the mean "
                                     "length of silence follows from traffic.load",
                                     has_source() && hw::when("traffic.source").is("bursty")};
    hw::Parameter<bool> interleave_packets{
        *this,
        "interleave_packets",
        true,
        {},
        "Whether a node begins its next packet on another virtual channel while the previous "
        "packet is blocked. false: it begins a packet only after the previous packet has left",
        hw::when("traffic.pattern").is_not("one_at_a_time")};
    hw::Parameter<bool> await_tail_credit{
        *this,
        "await_tail_credit",
        false,
        {},
        "Whether a node begins a packet on a virtual channel only after the credit of the previous "
        "packet's tail has returned",
        "true: BookSim 2 with wait_for_tail_credit",
        hw::when("traffic.pattern").is_not("one_at_a_time")};
    hw::Parameter<double> hot_spot_share{
        *this,
        "hot_spot_share",
        0.1,
        {0.0, 1.0},
        "Share of packets that go to the hot nodes; the other packets go to uniformly random nodes",
        hw::when("traffic.pattern").is("hot_spot")};
    hw::Parameter<std::vector<std::int64_t>> hot_spot_nodes{
        *this,       "hot_spot_nodes",           {0},
        {0, 16'383}, "Numbers of the hot nodes", hw::when("traffic.pattern").is("hot_spot")};
    hw::Parameter<std::vector<std::int64_t>> hot_spot_rates{
        *this,
        "hot_spot_rates",
        {1},
        {1, 1'000'000},
        "Relative rates of packets to the hot nodes, one for each of hot_spot_nodes; a single rate "
        "holds for all",
        hw::when("traffic.pattern").is("hot_spot")};
    hw::Parameter<std::int64_t> locality_hops{
        *this,
        "locality_hops",
        1,
        {1, 16'383},
        "Largest number of hops of a packet in each dimension; all nodes in this range "
        "are equally likely",
        "LoGPC Section 3.3: l",
        hw::when("traffic.pattern").is("locality")};
    hw::Parameter<hw::FilePath> table_file{
        *this,
        "table_file",
        "",
        {},
        "File of pairs of nodes with rates, as a traffic table of Noxim. Each line has source and "
        "destination. Optional are packets per cycle (pir), and packets per cycle after a cycle "
        "with a packet (por). Optional times are the cycles before and after those with packets "
        "(t_on, t_off), and the period in which they recur (t_period)",
        "Noxim's traffic tables",
        hw::when("traffic.pattern").is("table")};
    hw::Parameter<hw::FilePath> trace_file{
        *this,
        "trace_file",
        "",
        {},
        "File of packets, one per line: cycle, source, destination, bytes",
        hw::when("traffic.pattern").is("trace")};
    hw::Parameter<hw::FilePath> recording{
        *this,
        "recording",
        "",
        {},
        "File of packets that another implementation of the network has delivered, such as a "
        "router's RTL; plain or compressed by gzip. Each line has cycle, source, destination, "
        "flits, arrived (the cycle of arrival). The run measures which packets arrive in the same "
        "cycle as in the file",
        hw::when("traffic.pattern").is("recording")};
    hw::Parameter<bool> write_recording{
        *this,
        "write_recording",
        false,
        {},
        "Write the packets that arrived into recording.txt.gz, in the format of "
        "traffic.recording. A sixth column (injected) is the cycle in which the header "
        "left its source",
        hw::when("traffic.pattern").is_not("one_at_a_time")};
    hw::Parameter<hw::Cycles> warm_up_cycles{*this,
                                             "warm_up_cycles",
                                             5'000,
                                             {0, 1'000'000'000'000},
                                             "Duration of the traffic before the measurement",
                                             has_phases()};
    hw::Parameter<hw::Cycles> measurement_cycles{
        *this,
        "measurement_cycles",
        10'000,
        {1, 1'000'000'000'000},
        "Length of the measurement. Packets generated in it are measured; traffic continues until "
        "all of them have arrived",
        has_phases()};
    hw::Parameter<hw::Cycles> drain_cycles{
        *this,
        "drain_cycles",
        2'000,
        {1, 1'000'000'000'000},
        "Longest time after the measurement until all measured packets have arrived. If packets "
        "are missing then, the network is saturated",
        has_phases()};

    [[nodiscard]] std::optional<Fault> check() const override;

  private:
    static hw::Condition has_phases() {
        return hw::when("traffic.pattern").is_not("recording", "one_at_a_time");
    }
    static hw::Condition is_random() {
        return hw::when("traffic.pattern").is_not("trace", "recording", "one_at_a_time");
    }
    static hw::Condition has_source() {
        return hw::when("traffic.pattern").is_not("table", "trace", "recording", "one_at_a_time");
    }
};

/// Traffic that the network does not allow. The key is "traffic.pattern", or empty for a faulty
/// file, whose message has the place.
class TrafficFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

}  // namespace weir::network
