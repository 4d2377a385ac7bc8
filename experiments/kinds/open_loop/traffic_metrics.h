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
    records::Metric saturated{*this, "saturated", "1",
                              "1 if some measured packets did not arrive in time, otherwise 0"};
    records::Metric packets_measured{*this, "packets_measured", "1",
                                     "Packets generated in the measurement phase"};
    records::Metric packets_missing{*this, "packets_missing", "1",
                                    "Measured packets that did not arrive in time"};
    records::Metric uniform_capacity_load{
        *this, "uniform_capacity_load", "flits/node/cycle",
        "Largest load of uniform traffic that the network can carry"};
    records::Metric bisection_capacity_load{*this, "bisection_capacity_load", "flits/node/cycle",
                                            "Load of uniform traffic that fills the bisection"};
    records::Metric packet_latency_cycles{*this, "packet_latency_cycles", "cycles",
                                          "Time from a packet's generation to its tail's arrival"};
    records::Metric network_latency_cycles{*this, "network_latency_cycles", "cycles",
                                           "Time from a packet's injection to its tail's arrival"};
    analyses::LatencyPercentiles packet_latency_percentiles{*this, "packet_latency", "packets"};
    records::Metric mean_hops{*this, "mean_hops", "hops",
                              "Mean number of hops of a measured packet"};
    records::Metric mean_channel_utilisation{
        *this, "mean_channel_utilisation", "1",
        "Share of the measured cycles in which a channel carries a flit, mean over the channels "
        "that count as hops"};
    records::Metric busiest_channel_utilisation{
        *this, "busiest_channel_utilisation", "1",
        "Share of the measured cycles in which the busiest channel carries a flit, channels to and "
        "from nodes included"};
};
inline const TrafficMetrics& traffic_metrics() { return records::declared<TrafficMetrics>(); }

/// Metrics of packets from a recording.
struct RecordedTrafficMetrics final : records::MetricGroup {
    records::Metric same_cycle_percent{*this, "same_cycle_percent", "%",
                                       "Share of packets that arrive in the recorded cycle"};
    records::Metric mean_difference_cycles{
        *this, "mean_difference_cycles", "cycles",
        "Mean difference between a packet's arrival and the recorded one, positive if later"};
    records::Metric largest_difference_cycles{
        *this, "largest_difference_cycles", "cycles",
        "Largest difference between a packet's arrival and the recorded one"};
    records::Metric recorded_latency_cycles{
        *this, "recorded_latency_cycles", "cycles",
        "Recorded time from a packet's generation to the arrival of its tail"};
};
const RecordedTrafficMetrics& recorded_traffic_metrics();

/// Metrics of packets one at a time.
struct UnloadedMetrics final : records::MetricGroup {
    records::Metric diameter_hops{*this, "diameter_hops", "hops",
                                  "Longest distance between two nodes"};
    records::Metric network_latency_to_others_cycles{
        *this, "network_latency_to_others_cycles", "cycles",
        "Mean time in the network between two different nodes"};
    records::Metric cycles_per_hop{
        *this, "cycles_per_hop", "cycles",
        "Time per hop: slope of the line through the times of the nearest and the farthest nodes"};
    records::Metric cycles_at_no_hops{
        *this, "cycles_at_no_hops", "cycles",
        "Time at distance 0 on the line through the times of the nearest and the farthest nodes"};
    records::Metric cycles_off_the_line{*this, "cycles_off_the_line", "cycles",
                                        "Largest deviation of a packet from the line through the "
                                        "times of the nearest and the farthest nodes"};
    records::Metric mean_distance_hops{
        *this, "mean_distance_hops", "hops",
        "Mean distance over all pairs of nodes, including a node and itself", "LogP Section 5.1"};
    records::Metric overheads_input_cycles{*this, "overheads_input_cycles", "cycles",
                                           "Overheads T_snd + T_rcv, an input", "LogP Section 5.2"};
    records::Metric message_cycles{
        *this, "message_cycles", "cycles",
        "Time T of a message: the overheads and the network's time at the mean distance",
        "LogP Table 1"};
    records::Metric message_at_published_distance_cycles{
        *this, "message_at_published_distance_cycles", "cycles",
        "Time T of a message on the measured line, at the published distance", "LogP Table 1"};
};
inline const UnloadedMetrics& unloaded_metrics() { return records::declared<UnloadedMetrics>(); }

}  // namespace weir::experiments::kinds
