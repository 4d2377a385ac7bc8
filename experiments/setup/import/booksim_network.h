#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::experiments::setup {

/// Cycles of an `anynet` network's channels in Weir, where BookSim's channel takes one cycle.
struct BooksimChannelCycles {
    std::int64_t hop = 2;        ///< from a switch's grant to the next buffer, without allocation
    std::int64_t injection = 3;  ///< from a node to its router
    std::int64_t ejection = 1;   ///< from a router to its node
};

/// Turns BookSim's description of an `anynet` network into a DOT graph:
///
///     router 0 node 0 node 1 router 1 5
///
/// connects router 0 with two nodes and with router 1. A number behind a neighbour is the channel's
/// latency, 1 by default; between routers it holds in this direction only. Nodes and routers are
/// numbered from 0 without gaps. Throws UserFault with line and column.
[[nodiscard]] std::string booksim_network_as_dot(std::string_view text, const std::string& source,
                                                 const BooksimChannelCycles& cycles);

}  // namespace weir::experiments::setup
