#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hw/messages/message_pool.h"
#include "hw/random_stream.h"
#include "hw/units.h"
#include "network/faults/fault_log.h"
#include "network/flit.h"

namespace weir::network {

/// Damage to the flits that enter a channel. Each flit carries a check, so that a wrong bit is
/// always detected. Besides its bytes a flit is marked as header or tail.
/// - A lost flit is unreadable. The receiver knows that a flit came, since it has used its cycle
///   and buffer slot. It knows neither the flit's message nor whether this message has ended.
/// - A flipped flit has one wrong bit among its bytes. A flipped header is treated as lost.
///
/// A message whose header is lost or flipped is lost as a whole.
class LinkFaults {
  public:
    struct Rates {
        double lost_per_million = 0.0;
        double flipped_per_million = 0.0;
    };
    /// `channel` is the channel's name in the log, and selects its random stream. `log` and
    /// `messages` must outlive this object.
    LinkFaults(FaultLog& log, const hw::MessagePool& messages, hw::Bytes flit_bytes,
               std::uint64_t seed, std::string channel, Rates rates);

    /// For each cycle in the list, damages the first flit that enters in this cycle or later; to be
    /// called before the run.
    void lose_from(std::vector<hw::Cycles> cycles) { lost_from_ = std::move(cycles); }
    void flip_from(std::vector<hw::Cycles> cycles) { flipped_from_ = std::move(cycles); }

    /// Replaces the cycles after `now` in both lists by those of other lists.
    void renew_after(hw::Cycles now, const std::vector<hw::Cycles>& lost_from,
                     const std::vector<hw::Cycles>& flipped_from);

    /// Returns the flit as the receiver reads it. `now` is the cycle in which the flit enters the
    /// channel.
    [[nodiscard]] Flit crossing(const Flit& flit, hw::Cycles now);

  private:
    enum class What : std::uint8_t { kNothing, kLost, kFlipped };
    [[nodiscard]] What drawn();

    FaultLog& log_;
    const hw::MessagePool& messages_;
    std::uint64_t flit_bits_;
    std::string channel_;
    Rates rates_;
    hw::RandomStream stream_;
    std::vector<hw::Cycles> lost_from_;
    std::vector<hw::Cycles> flipped_from_;
};

}  // namespace weir::network
