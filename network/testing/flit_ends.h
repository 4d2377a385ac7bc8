#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <ostream>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "network/fabric/flit_channel.h"
#include "network/flit.h"

namespace weir::network::testing {

/// A flit that passed one end of a channel, with its cycle.
struct FlitPassage {
    std::int64_t cycle = 0;
    hw::MessageSlot message = 0;
    bool is_header = false;
    bool is_tail = false;
    bool operator==(const FlitPassage&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const FlitPassage& passage) {
        return out << "message " << passage.message << (passage.is_header ? " header" : "")
                   << (passage.is_tail ? " tail" : "") << " at " << passage.cycle;
    }
};

/// Cycles in which the flits passed.
inline std::vector<std::int64_t> cycles_of(const std::vector<FlitPassage>& passages) {
    std::vector<std::int64_t> cycles;
    cycles.reserve(passages.size());
    for (const FlitPassage& passage : passages) {
        cycles.push_back(passage.cycle);
    }
    return cycles;
}

/// An ideal sender: sends its flits in order, each in its cycle or as soon as the channel has a
/// credit.
class FlitSource final : public hw::ClockedPart {
  public:
    FlitSource(hw::ClockDomain& domain, FlitChannel& channel)
        : ClockedPart(domain), channel_(channel) {}

    /// Sends a worm of `flits` flits, the header in cycle `cycle` at the earliest.
    void worm(hw::MessageSlot message, std::uint16_t destination, int flits,
              std::int64_t cycle = 0) {
        for (int flit = 0; flit < flits; ++flit) {
            this->flit(flit == 0 ? Flit::header(message, destination, flits)
                                 : Flit{message, destination, false, flit == flits - 1},
                       cycle);
        }
    }
    /// Sends a single flit, in cycle `cycle` at the earliest.
    void flit(const Flit& flit, std::int64_t cycle) {
        waiting_.emplace_back(flit, hw::Cycles(cycle));
        wake_at(waiting_.front().second);
    }

    void tick(hw::Cycles now) override {
        if (waiting_.empty()) {
            return;
        }
        const auto& [flit, not_before] = waiting_.front();
        if (now < not_before) {
            wake_at(not_before);
            return;
        }
        if (!has_credit(channel_, now)) {
            channel_.expect_credits(hw::Flits(1), now);
            return;
        }
        channel_.send(flit, now);
        sent.push_back({now.count(), flit.message, flit.is_header, flit.is_tail});
        waiting_.pop_front();
        if (!waiting_.empty()) {
            wake_at(std::max(waiting_.front().second, now + hw::Cycles(1)));
        }
    }

    std::vector<FlitPassage> sent;
    /// Check for a credit; replaced by a test that plants a fault.
    std::function<bool(const FlitChannel&, hw::Cycles)> has_credit =
        [](const FlitChannel& channel, hw::Cycles now) { return channel.has_credit(now); };

  private:
    FlitChannel& channel_;
    std::deque<std::pair<Flit, hw::Cycles>> waiting_;
};

/// An ideal receiver: takes a flit in every cycle with one, except in the cycles of refuse().
class FlitSink final : public hw::ClockedPart {
  public:
    FlitSink(hw::ClockDomain& domain, FlitChannel& channel)
        : ClockedPart(domain), channel_(channel) {}

    /// Takes no flit in the cycles `from` to `until` - 1.
    void refuse(std::int64_t from, std::int64_t until) {
        refuse_from_ = hw::Cycles(from);
        refuse_until_ = hw::Cycles(until);
        wake_at(refuse_until_);
    }

    void tick(hw::Cycles now) override {
        if (!channel_.has_flit(now) || (now >= refuse_from_ && now < refuse_until_)) {
            return;
        }
        const Flit flit = channel_.front();
        channel_.take(now);
        taken.push_back({now.count(), flit.message, flit.is_header, flit.is_tail});
        if (channel_.has_flit(now)) {
            wake_at(now + hw::Cycles(1));
        }
    }

    std::vector<FlitPassage> taken;

  private:
    FlitChannel& channel_;
    hw::Cycles refuse_from_ = hw::kNever;
    hw::Cycles refuse_until_ = hw::kNever;
};

}  // namespace weir::network::testing
