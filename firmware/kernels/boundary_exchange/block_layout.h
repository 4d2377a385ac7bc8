#pragma once

#include <array>
#include <cstdint>

namespace weir::firmware {

/// Sides of a block, in the order in which edges are sent: columns, then rows.
enum class Side : std::uint8_t { kWest, kEast, kNorth, kSouth };
inline constexpr std::array<Side, 4> kSides{Side::kWest, Side::kEast, Side::kNorth, Side::kSouth};

[[nodiscard]] constexpr std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }
[[nodiscard]] constexpr Side opposite(Side side) { return static_cast<Side>(index_of(side) ^ 1U); }
/// Whether the block's edge on this side is a column, which is strided in memory.
[[nodiscard]] constexpr bool is_column(Side side) {
    return side == Side::kWest || side == Side::kEast;
}

/// Layout of a node's data in its memory:
/// - two arrays of n x n doubles with a halo, row by row; a step reads one and writes the other
/// - a send buffer for each column
/// - two receive buffers for each column, because a neighbour may be a step ahead
///
/// Each part is aligned for a DMA burst of any dma.burst_bytes.
class BlockLayout {
  public:
    static constexpr std::int64_t kValueBytes = 8;

    BlockLayout() = default;
    explicit BlockLayout(std::int64_t block) : block_(block) {}

    [[nodiscard]] std::int64_t edge_bytes() const { return block_ * kValueBytes; }
    [[nodiscard]] std::int64_t row_bytes() const { return (block_ + 2) * kValueBytes; }
    [[nodiscard]] std::int64_t bytes() const { return 2 * array_bytes() + 6 * buffer_bytes(); }

    /// Address of a value in the array that step `step` reads; -1 and n are the halo.
    [[nodiscard]] std::uint32_t value(std::int64_t step, std::int64_t row,
                                      std::int64_t column) const {
        return static_cast<std::uint32_t>(step % 2 * array_bytes() + (row + 1) * row_bytes() +
                                          (column + 1) * kValueBytes);
    }
    /// Address of the first value of the block's own edge, or of the halo beyond it; the next value
    /// is edge_stride() further.
    [[nodiscard]] std::uint32_t edge(std::int64_t step, Side side) const {
        return value(step, side == Side::kSouth ? block_ - 1 : 0,
                     side == Side::kEast ? block_ - 1 : 0);
    }
    [[nodiscard]] std::uint32_t halo(std::int64_t step, Side side) const {
        switch (side) {
            case Side::kWest:
                return value(step, 0, -1);
            case Side::kEast:
                return value(step, 0, block_);
            case Side::kNorth:
                return value(step, -1, 0);
            case Side::kSouth:
                return value(step, block_, 0);
        }
        return 0;
    }
    [[nodiscard]] std::uint32_t edge_stride(Side side) const {
        return static_cast<std::uint32_t>(is_column(side) ? row_bytes() : kValueBytes);
    }
    /// Address of a column's buffer.
    [[nodiscard]] std::uint32_t send_buffer(Side side) const { return buffer(index_of(side)); }
    [[nodiscard]] std::uint32_t receive_buffer(std::int64_t step, Side side) const {
        return buffer(2 + 2 * index_of(side) + step % 2);
    }

  private:
    static constexpr std::int64_t kAlignment = 256;

    [[nodiscard]] static std::int64_t aligned(std::int64_t bytes) {
        return (bytes + kAlignment - 1) / kAlignment * kAlignment;
    }
    [[nodiscard]] std::int64_t array_bytes() const { return aligned((block_ + 2) * row_bytes()); }
    [[nodiscard]] std::int64_t buffer_bytes() const { return aligned(edge_bytes()); }
    [[nodiscard]] std::uint32_t buffer(std::size_t number) const {
        return static_cast<std::uint32_t>(2 * array_bytes() +
                                          static_cast<std::int64_t>(number) * buffer_bytes());
    }

    std::int64_t block_ = 0;
};

}  // namespace weir::firmware
