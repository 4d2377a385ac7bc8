#pragma once

#include "experiments/analyses/latency_percentiles.h"
#include "experiments/records/metric.h"

namespace weir::experiments::kinds {

/// Metrics of packets that nodes offer to the network alone.
struct TrafficMetrics final : records::MetricGroup {
    records::Metric offered_load{*this, "offered_load", "flits/node/cycle",
                                 "Flits generated per node and cycle in the measurement phase"};
    records::Metric accepted_load{*this, "accepted_load", "flits/node/cycle",
                                  "Flits ejected per node and cycle in the measurement phase"};
    records::Metric saturated{
        *this, "saturated", "1",
        "1 if measured packets are missing after traffic.drain_cycles, otherwise 0"};
    records::Metric packets_measured{*this, "packets_measured", "1",
                                     "Number of packets generated in the measurement phase"};
    records::Metric packets_missing{
        *this, "packets_missing", "1",
        "Number of measured packets that are missing after traffic.drain_cycles"};
    records::Metric uniform_capacity_load{
        *this, "uniform_capacity_load", "flits/node/cycle",
        "Largest load of uniform traffic that the network can carry"};
    records::Metric bisection_capacity_load{*this, "bisection_capacity_load", "flits/node/cycle",
                                            "Load of uniform traffic at which the channels of the "
                                            "bisection carry a flit in each cycle"};
    records::Metric packet_latency_cycles{*this, "packet_latency_cycles", "cycles",
                                          "Time from a packet's generation to its tail's arrival"};
    records::Metric network_latency_cycles{*this, "network_latency_cycles", "cycles",
                                           "Time from a packet's injection to its tail's arrival"};
    analyses::LatencyPercentiles packet_latency_percentiles{*this, "packet_latency", "packets"};
    records::Metric mean_hops{*this, "mean_hops", "hops",
                              "Mean number of hops of a measured packet"};
    records::Metric mean_channel_utilisation{
        *this, "mean_channel_utilisation", "1",
        "Share of the measured cycles in which a channel carries a flit; mean of the channels that "
        "`weir topology show` counts as hops"};
    records::Metric busiest_channel_utilisation{
        *this, "busiest_channel_utilisation", "1",
        "Share of the measured cycles in which the busiest channel of the network carries a flit, "
        "including channels to and from nodes"};
};
inline const TrafficMetrics& traffic_metrics() { return records::declared<TrafficMetrics>(); }

/// Metrics of packets from a recording.
struct RecordedTrafficMetrics final : records::MetricGroup {
    records::Metric same_cycle_percent{
        *this, "same_cycle_percent", "%",
        "Share of packets that arrive in the same cycle as in the recording"};
    records::Metric mean_difference_cycles{*this, "mean_difference_cycles", "cycles",
                                           "Mean difference between a packet's arrival here and in "
                                           "the recording, positive if later here"};
    records::Metric largest_difference_cycles{
        *this, "largest_difference_cycles", "cycles",
        "Largest difference between a packet's arrival here and in the recording"};
    records::Metric recorded_latency_cycles{*this, "recorded_latency_cycles", "cycles",
                                            "Time from a packet's generation to its tail's arrival "
                                            "in the recording; mean of all packets"};
};
const RecordedTrafficMetrics& recorded_traffic_metrics();

/// Metrics of packets one at a time.
struct UnloadedMetrics final : records::MetricGroup {
    records::Metric diameter_hops{*this, "diameter_hops", "hops",
                                  "Number of hops between the two most distant nodes"};
    records::Metric network_latency_to_others_cycles{
        *this, "network_latency_to_others_cycles", "cycles",
        "Mean time of a packet in the network over all pairs of different nodes"};
    records::Metric cycles_per_hop{*this, "cycles_per_hop", "cycles",
                                   "Time per hop: slope of the line through the network latencies "
                                   "to the nearest and the farthest nodes"};
    records::Metric cycles_at_no_hops{*this, "cycles_at_no_hops", "cycles",
                                      "Time at distance 0 on the line through the network "
                                      "latencies to the nearest and the farthest nodes"};
    records::Metric cycles_off_the_line{*this, "cycles_off_the_line", "cycles",
                                        "Largest deviation of a packet from the line through the "
                                        "network latencies to the nearest and the farthest nodes"};
    records::Metric mean_distance_hops{
        *this, "mean_distance_hops", "hops",
        "Mean number of hops over all pairs of nodes, including a node and itself",
        "LogP Section 5.1"};
    records::Metric overheads_input_cycles{
        *this, "overheads_input_cycles", "cycles",
        "Overheads T_snd + T_rcv of a message, taken from the machine's file and not measured",
        "LogP Section 5.2"};
    records::Metric message_cycles{*this, "message_cycles", "cycles",
                                   "Time T of a message at the mean distance: "
                                   "overheads_input_cycles and measured network_latency_cycles",
                                   "LogP Table 1"};
    records::Metric message_at_published_distance_cycles{
        *this, "message_at_published_distance_cycles", "cycles",
        "Time T of a message at the published distance, by the line through the measured latencies",
        "LogP Table 1"};
};
inline const UnloadedMetrics& unloaded_metrics() { return records::declared<UnloadedMetrics>(); }

}  // namespace weir::experiments::kinds
