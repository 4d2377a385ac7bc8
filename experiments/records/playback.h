#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// What a network's channels and queues saw over time, for a page that plays it frame by frame.
struct Playback {
    struct Place {
        double x = 0.0;
        double y = 0.0;
    };
    /// A physical channel: a line in the map, which has no length where it is not to be seen.
    struct Channel {
        std::string name;
        Place from;
        Place to;
        std::size_t sender = 0;    ///< vertex: the switches from 0, then the nodes
        std::size_t receiver = 0;  ///< the same
        std::size_t rank = 0;      ///< among the sender's channels, for Ways::next
    };
    /// What every frame has, one after the other: a number for each channel, or for each node.
    struct Frames {
        std::vector<std::uint32_t> flits;         ///< sent into the channel
        std::vector<std::uint32_t> header_waits;  ///< cycles, as the trace counts them
        std::vector<std::uint32_t> input_byte_cycles;
        std::vector<std::uint32_t> output_byte_cycles;
    };
    /// In the order of their launches, as columns. What was not reached is taken for the run's end.
    struct Messages {
        std::vector<std::uint32_t> source;
        std::vector<std::uint32_t> destination;
        std::vector<std::uint32_t> sequence;  ///< of its source's messages
        std::vector<std::uint32_t> launch;    ///< cycles after the one before was launched
        std::vector<std::uint32_t> entry;     ///< after that, into the network
        std::vector<std::uint32_t> arrival;   ///< after that, of the tail
        std::vector<std::uint32_t> disposal;  ///< after that, from the input queue
    };
    /// Where a message goes on, where that is one channel whatever its way there.
    struct Ways {
        std::vector<std::uint32_t> first;  ///< of each node, the switch that it sends into
        /// Of each node as destination for each switch: the switch's channel, by its rank.
        std::vector<std::uint8_t> next;
    };

    std::vector<Channel> channels;
    std::vector<Place> nodes;
    std::vector<Place> switches;  ///< those that stand apart from nodes
    std::size_t switch_count = 0;
    std::int64_t begin_cycle = 0;
    std::int64_t end_cycle = 0;
    std::int64_t frame_cycles = 1;  ///< the last frame may be shorter
    double flits_a_cycle = 1.0;     ///< that a channel can carry
    Frames frames;
    Messages messages;
    std::optional<Ways> ways;
};

/// One that a page reads when it shows it.
struct PlaybackFigure {
    std::string title;
    std::string caption;
    std::function<std::optional<Playback>()> read;  ///< nothing where what it is made of is gone
};

}  // namespace weir::experiments::records
