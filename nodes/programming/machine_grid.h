#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/units.h"
#include "nodes/programming/machine_shape.h"

namespace weir::nodes {

/// The nodes of a machine as a grid with the extents of its mesh or torus, x first. A hypercube has
/// extents of 2, and any other network one extent, its number of nodes.
class MachineGrid {
  public:
    explicit MachineGrid(const MachineShape& machine) : extents_(machine.mesh_extents) {}

    [[nodiscard]] const std::vector<std::int32_t>& extents() const { return extents_; }
    [[nodiscard]] std::size_t dimension_count() const { return extents_.size(); }

    /// Coordinates of a node, x first.
    [[nodiscard]] std::vector<std::int32_t> coordinates(hw::NodeId node) const {
        std::vector<std::int32_t> found;
        std::int32_t rest = node.index();
        for (const std::int32_t extent : extents_) {
            found.push_back(rest % extent);
            rest /= extent;
        }
        return found;
    }
    /// Node at these coordinates, one for each dimension. Coordinates beyond an end continue at
    /// the other end.
    [[nodiscard]] hw::NodeId node_at(const std::vector<std::int32_t>& coordinates) const {
        std::int32_t index = 0;
        for (std::size_t i = extents_.size(); i-- > 0;) {
            const std::int32_t extent = extents_[i];
            index = index * extent + ((coordinates.at(i) % extent) + extent) % extent;
        }
        return hw::NodeId(index);
    }
    /// Node that is `steps` away in a dimension, around the end of the grid where necessary. In a
    /// mesh, a message around the end crosses the whole row.
    [[nodiscard]] hw::NodeId around(hw::NodeId node, std::size_t dimension,
                                    std::int32_t steps) const {
        std::vector<std::int32_t> place = coordinates(node);
        place.at(dimension) += steps;
        return node_at(place);
    }
    /// The same without a way around the end; empty beyond it.
    [[nodiscard]] std::optional<hw::NodeId> neighbour(hw::NodeId node, std::size_t dimension,
                                                      std::int32_t steps) const {
        std::vector<std::int32_t> place = coordinates(node);
        place.at(dimension) += steps;
        const bool is_inside = place[dimension] >= 0 && place[dimension] < extents_[dimension];
        return is_inside ? std::optional(node_at(place)) : std::nullopt;
    }

  private:
    std::vector<std::int32_t> extents_;
};

}  // namespace weir::nodes
