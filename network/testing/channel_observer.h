#pragma once

#include <cstdint>
#include <vector>

#include "hw/testing/twin/port_recording.h"
#include "hw/units.h"
#include "network/fabric/flit_channel.h"
#include "network/flit.h"

namespace weir::network::testing {

/// The events of the current cycle at a channel: reads its counts at the end of each cycle.
class ChannelObserver {
  public:
    explicit ChannelObserver(const FlitChannel& channel) : channel_(&channel) {}

    void end_of_cycle() {
        has_sent_ = channel_->sent() != sent_;
        has_taken_ = channel_->taken() != taken_;
        sent_ = channel_->sent();
        taken_ = channel_->taken();
        if (has_sent_) {
            index_ = flit().is_header ? 0 : index_ + 1;
        }
    }
    /// A flit was sent into the channel in this cycle.
    [[nodiscard]] bool has_sent() const { return has_sent_; }
    [[nodiscard]] const Flit& flit() const { return channel_->last_sent(); }
    /// Number of this flit in its message; the header's is 0.
    [[nodiscard]] std::int64_t index() const { return index_; }
    /// A flit was taken from the channel in this cycle.
    [[nodiscard]] bool has_taken() const { return has_taken_; }

  private:
    const FlitChannel* channel_;
    hw::Flits sent_;
    hw::Flits taken_;
    std::int64_t index_ = 0;
    bool has_sent_ = false;
    bool has_taken_ = false;
};

/// The bits of a flit on a channel of a twin: a tail's mark, a header's mark, and data, from the
/// highest bit on. A header's lowest data bits are the destination's coordinates. All others are
/// drawn from the message's slot and the flit's number in it, as the model has no data in flits.
struct FlitCode {
    int data_bits = 16;
    int coordinate_bits = 3;
    std::vector<std::int32_t> extents = {};

    [[nodiscard]] int bits() const { return data_bits + 2; }
    [[nodiscard]] int place_bits() const {
        return coordinate_bits * static_cast<int>(extents.size());
    }
    /// Coordinates of a node, lowest dimension in the lowest bits.
    [[nodiscard]] std::uint64_t place_of(std::uint32_t node) const {
        std::uint64_t place = 0;
        int bit = 0;
        for (const std::int32_t extent : extents) {
            place |= std::uint64_t{node % static_cast<std::uint32_t>(extent)} << bit;
            node /= static_cast<std::uint32_t>(extent);
            bit += coordinate_bits;
        }
        return place;
    }
    /// Writes a flit with its number in its message to a port, from bit `first_bit` on.
    void write(hw::twin::PortRecording& recording, std::size_t port, int first_bit,
               const Flit& flit, std::int64_t index) const {
        write_data(recording, port, first_bit, flit.message, flit.destination, index);
        recording.set(port, flit.is_header ? 1 : 0, first_bit + data_bits, 1);
        recording.set(port, flit.is_tail ? 1 : 0, first_bit + data_bits + 1, 1);
    }
    /// Writes the data alone.
    void write_data(hw::twin::PortRecording& recording, std::size_t port, int first_bit,
                    hw::MessageSlot message, std::uint32_t destination, std::int64_t index) const {
        int bit = 0;
        if (index == 0) {
            recording.set(port, place_of(destination), first_bit, place_bits());
            bit = place_bits();
        }
        std::uint64_t drawn =
            (std::uint64_t{message} << 20) + static_cast<std::uint64_t>(index) + 1;
        for (; bit < data_bits; bit += 32) {
            drawn = (drawn ^ drawn >> 29) * 0x9e3779b97f4a7c15U;
            const int bits = data_bits - bit < 32 ? data_bits - bit : 32;
            recording.set(port, drawn >> (64 - bits), first_bit + bit, bits);
        }
    }
};

}  // namespace weir::network::testing
