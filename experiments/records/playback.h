#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// Traffic in a network's channels and queues over time, for a page that plays it frame by frame.
struct Playback {
    struct Place {
        double x = 0.0;
        double y = 0.0;
    };
    /// Physical channel: a line in the map, of length 0 if the channel is not to be drawn.
    struct Channel {
        std::string name;
        Place from;
        Place to;
        /// Number of the sending vertex, from 0: switches first, then nodes.
        std::size_t sender = 0;
        std::size_t receiver = 0;  ///< number of the receiving vertex
        std::size_t rank = 0;      ///< index among the sender's channels, as in Ways::next
    };
    /// Values of all frames in sequence: in each frame one number for each channel, or for each
    /// node.
    struct Frames {
        std::vector<std::uint32_t> flits;         ///< flits sent into the channel
        std::vector<std::uint32_t> header_waits;  ///< cycles that headers waited, as in the trace
        std::vector<std::uint32_t> input_byte_cycles;
        std::vector<std::uint32_t> output_byte_cycles;
    };
    /// Messages as columns, in the order of their launches. A stage that was not reached has the
    /// cycle of the run's end.
    struct Messages {
        std::vector<std::uint32_t> source;
        std::vector<std::uint32_t> destination;
        std::vector<std::uint32_t> sequence;  ///< number among its source's messages
        std::vector<std::uint32_t> launch;    ///< cycles since the previous message's launch
        std::vector<std::uint32_t> entry;     ///< cycles from launch to entry into the network
        std::vector<std::uint32_t> arrival;   ///< cycles from entry to the tail's arrival
        /// Cycles from the tail's arrival to the message's removal from the input queue.
        std::vector<std::uint32_t> disposal;
    };
    /// Next channels of routes, for networks where the switch and the destination determine the
    /// next channel.
    struct Ways {
        std::vector<std::uint32_t> first;  ///< for each node, the switch that the node sends into
        /// For each destination node, by switch: the next channel, as its rank among the switch's
        /// channels.
        std::vector<std::uint8_t> next;
    };

    std::vector<Channel> channels;
    std::vector<Place> nodes;
    std::vector<Place> switches;  ///< switches that the map draws separately from nodes
    std::size_t switch_count = 0;
    std::int64_t begin_cycle = 0;
    std::int64_t end_cycle = 0;
    std::int64_t frame_cycles = 1;  ///< length of a frame in cycles; the last frame may be shorter
    double flits_a_cycle = 1.0;     ///< capacity of a channel in flits per cycle
    Frames frames;
    Messages messages;
    std::optional<Ways> ways;
};

/// Playback that is read when a page shows it.
struct PlaybackFigure {
    std::string title;
    std::string caption;
    /// Reads the playback; gives nullopt if the run's files are gone.
    std::function<std::optional<Playback>()> read;
};

}  // namespace weir::experiments::records
