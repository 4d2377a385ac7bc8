#pragma once

#include "experiments/analyses/latency_percentiles.h"
#include "experiments/records/metric.h"

namespace weir::experiments::kinds {

/// Of packets that nodes offer to the network alone.
struct TrafficMetrics final : records::MetricGroup {
    records::Metric offered_load{*this, "offered_load", "flits/node/cycle",
                                 "Flits generated a node and cycle, of all packets measured"};
    records::Metric accepted_load{*this, "accepted_load", "flits/node/cycle",
                                  "Flits taken out a node and cycle in the measured time"};
    records::Metric saturated{*this, "saturated", "1",
                              "1 where packets that were measured never arrived, else 0"};
    records::Metric packets_measured{*this, "packets_measured", "1",
                                     "Packets generated in the measured time"};
    records::Metric packets_missing{*this, "packets_missing", "1",
                                    "Of these, those that did not arrive"};
    records::Metric uniform_capacity_load{*this, "uniform_capacity_load", "flits/node/cycle",
                                          "What uniform traffic could load the network with at "
                                          "most"};
    records::Metric bisection_capacity_load{*this, "bisection_capacity_load", "flits/node/cycle",
                                            "The load that fills the bisection"};
    records::Metric packet_latency_cycles{*this, "packet_latency_cycles", "cycles",
                                          "From a packet's generation to its tail's arrival"};
    records::Metric network_latency_cycles{*this, "network_latency_cycles", "cycles",
                                           "From a packet's injection to its tail's arrival"};
    analyses::LatencyPercentiles packet_latency_percentiles{*this, "packet_latency", "packets"};
    records::Metric mean_hops{*this, "mean_hops", "hops",
                              "Hops on a measured packet's way, the mean"};
    records::Metric mean_channel_utilisation{
        *this, "mean_channel_utilisation", "1",
        "Share of the measured cycles with a flit on a channel, the mean over the channels that "
        "distances count: between routers, in trees to and from the nodes too"};
    records::Metric busiest_channel_utilisation{
        *this, "busiest_channel_utilisation", "1",
        "Share of the measured cycles with a flit on the busiest channel of all, to and from the "
        "nodes too"};
};
const TrafficMetrics& traffic_metrics();

/// Of packets one at a time.
struct UnloadedMetrics final : records::MetricGroup {
    records::Metric diameter_hops{*this, "diameter_hops", "hops", "The longest distance"};
    records::Metric network_latency_to_others_cycles{
        *this, "network_latency_to_others_cycles", "cycles",
        "The network's time between two different nodes, the mean"};
    records::Metric cycles_per_hop{*this, "cycles_per_hop", "cycles",
                                   "What a hop more takes, from the nearest to the farthest nodes"};
    records::Metric cycles_at_no_hops{*this, "cycles_at_no_hops", "cycles",
                                      "What the line through them has at no distance"};
    records::Metric cycles_off_the_line{*this, "cycles_off_the_line", "cycles",
                                        "The farthest that a packet is off that line"};
    records::Metric mean_distance_hops{*this, "mean_distance_hops", "hops",
                                       "The distance of two nodes, a node to itself among them",
                                       "LogP Section 5.1"};
    records::Metric overheads_input_cycles{*this, "overheads_input_cycles", "cycles",
                                           "T_snd + T_rcv, an input", "LogP Section 5.2"};
    records::Metric message_cycles{*this, "message_cycles", "cycles",
                                   "T: the overheads and the network's time at the mean distance",
                                   "LogP Table 1"};
    records::Metric message_at_published_distance_cycles{
        *this, "message_at_published_distance_cycles", "cycles",
        "T on the measured line, at the distance that is published", "LogP Table 1"};
};
const UnloadedMetrics& unloaded_metrics();

}  // namespace weir::experiments::kinds
