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

/// What a channel does to the flits that go into it. Each flit carries a check, so that a wrong bit
/// is always seen. Besides its bytes a flit says whether it is a header or a tail:
///  - Of a lost flit nothing can be read. What comes behind knows that there was one, since it took
///    its time and place, but neither its message nor whether that has ended.
///  - Of a flipped flit one bit of its bytes is wrong; a header is then no better than a lost one.
/// A message whose header is lost in this way is lost as a whole.
class LinkFaults {
  public:
    struct Rates {
        double lost_per_million = 0.0;
        double flipped_per_million = 0.0;
    };
    /// `channel`: keys what is drawn. The log and the messages must stay.
    LinkFaults(FaultLog& log, const hw::MessagePool& messages, hw::Bytes flit_bytes,
               std::uint64_t seed, std::string channel, Rates rates);

    /// Of each of these cycles the first flit that goes in in it or later; before the run.
    void lose_from(std::vector<hw::Cycles> cycles) { lost_from_ = std::move(cycles); }
    void flip_from(std::vector<hw::Cycles> cycles) { flipped_from_ = std::move(cycles); }

    /// A flit that goes in now, as it will be read at the other end.
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
