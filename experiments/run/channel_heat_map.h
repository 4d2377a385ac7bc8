#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "experiments/run/channel_use.h"

namespace weir::experiments::run {

/// Columns and rows of the grid that the channels' names are of; nothing when the network is no
/// mesh or torus of two dimensions.
struct GridSize {
    std::size_t columns = 0;
    std::size_t rows = 0;
};
[[nodiscard]] std::optional<GridSize> grid_of(const ChannelUses& channels);

/// The grid as text of at most 80 columns, x to the right and y downwards: between two nodes how
/// busy the channel to the higher and the one to the lower coordinate are, in per cent; in tenths
/// where the grid is wider than 9. Empty when it is no grid, or one wider than 19.
[[nodiscard]] std::string heat_map_text(const ChannelUses& channels);

/// The grid as SVG: an arrow a channel, coloured by how busy it is. Empty when it is no grid.
[[nodiscard]] std::string heat_map_picture(const ChannelUses& channels, const std::string& title);

}  // namespace weir::experiments::run
