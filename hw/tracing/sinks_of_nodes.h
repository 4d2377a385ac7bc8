#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/per_node.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::hw {

/// Whom the parts of each node tell what the trace keeps: of several tiles (ClockTiles) each its
/// own tile's sink.
class SinksOfNodes {
  public:
    explicit SinksOfNodes(std::vector<TraceSink*> sinks) : sinks_(std::move(sinks)) {}
    /// All the same one.
    SinksOfNodes(TraceSink& sink, std::int32_t node_count) : sinks_(node_count, &sink) {}

    [[nodiscard]] std::size_t node_count() const { return sinks_.size(); }
    [[nodiscard]] TraceSink& of(NodeId node) const { return *sinks_[node]; }

  private:
    PerNode<TraceSink*> sinks_;
};

}  // namespace weir::hw
