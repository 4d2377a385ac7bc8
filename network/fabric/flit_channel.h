#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"
#include "network/fabric/header_waits.h"
#include "network/flit.h"

namespace weir::network {

class LinkFaults;

/// Credits that a sender waits for: each by the number of flits that have left the buffer since the
/// beginning when it comes.
class AwaitedCredits {
  public:
    void add(std::int64_t taken) {
        if (std::find(taken_.begin(), taken_.end(), taken) == taken_.end()) {
            taken_.push_back(taken);
        }
    }
    /// So many have left now: whether any that was awaited has come.
    [[nodiscard]] bool come(std::int64_t taken) {
        return std::erase_if(taken_, [taken](std::int64_t each) { return each <= taken; }) > 0;
    }
    [[nodiscard]] bool any() const { return !taken_.empty(); }

  private:
    std::vector<std::int64_t> taken_;
};

/// A physical channel: the link from one part to the next, and the input buffer it ends in.
///
/// Takes a flit a cycle. A flit sent in cycle t can be seen at the other end from t + link_cycles
/// on. The sender holds a credit for each place; the credit of a flit that the receiver takes out
/// in cycle t can be used from t + 1 on, so a one-cycle link reaches full rate with two places and
/// half rate with one. A link of d cycles is a pipeline whose d - 1 registers hold flits too. Its
/// credits may take longer to come back (credit_cycles). A flit of more than one cycle
/// (flit_cycles, on a narrow link: the sender keeps to it) leaves fewer registers: one for each
/// such time.
///
/// Sender and receiver may be ticked in any order: a flit is stamped with its arrival, a credit
/// with the cycle from which it can be used.
class alignas(64) FlitChannel {
  public:
    FlitChannel(const FlitChannel&) = delete;
    FlitChannel& operator=(const FlitChannel&) = delete;

    FlitChannel(std::string name, hw::Cycles link_cycles, hw::Flits buffer,
                hw::Cycles credit_cycles = hw::Cycles(1), hw::Cycles flit_cycles = hw::Cycles(1))
        : place_count_(static_cast<std::uint32_t>(buffer.count() +
                                                  (link_cycles.count() - 1) / flit_cycles.count())),
          credits_(static_cast<std::int32_t>(place_count_)),
          link_count_(static_cast<std::int32_t>(link_cycles.count())),
          credit_cycles_(credit_cycles),
          far_places_(place_count_ > kNearPlaces ? place_count_ : 0),
          name_(std::move(name)) {
        places_ = far_places_.empty() ? near_places_.data() : far_places_.data();
    }

    void connect(hw::ClockedPart& sender, hw::ClockedPart& receiver) {
        sender_ = &sender;
        receiver_ = &receiver;
    }
    /// A receiver of many channels: bit `number` of `occupied` says whether flits are on their way
    /// to it, or have arrived, in this one.
    void mark_occupied_in(std::uint32_t& occupied, int number) {
        occupied_ = &occupied;
        occupied_bit_ = 1U << number;
    }

    // The sender's end.
    [[nodiscard]] bool has_credit(hw::Cycles now) const { return has_credits(hw::Flits(1), now); }
    [[nodiscard]] bool has_credits(hw::Flits flits, hw::Cycles now) const {
        const std::int64_t taken = taken_for(flits);
        return taken <= 0 || (taken_ >= taken && credit_of(taken) <= now);
    }
    /// What it can hold: as many credits as that are back when nothing is in the buffer or on its
    /// way there.
    [[nodiscard]] hw::Flits places() const { return hw::Flits(place_count_); }
    /// Has a sender that has no credit, or not so many, woken when it has.
    [[nodiscard]] bool has_or_expects_credit(hw::Cycles now) {
        if (has_credit(now)) {
            return true;
        }
        expect_credits(hw::Flits(1), now);
        return false;
    }
    [[nodiscard]] bool has_or_expects_credits(hw::Flits flits, hw::Cycles now) {
        if (has_credits(flits, now)) {
            return true;
        }
        expect_credits(flits, now);
        return false;
    }
    /// Wakes the sender when it has so many; at most what there are places. Each number that was
    /// expected wakes it, also where it needs that no more: so it is woken in the same cycles
    /// however often it asks.
    void expect_credits(hw::Flits flits, hw::Cycles now) {
        const std::int64_t taken = taken_for(flits);
        if (taken_ < taken) {
            sender_waits_ = true;
            awaited_.add(taken);
        } else {  // the credit is on its way
            sender_->wake_at(std::max(credit_of(taken), now + hw::Cycles(1)));
        }
    }
    void send(const Flit& flit, hw::Cycles now) {
        if (has_faults_) [[unlikely]] {
            send_unharmed(read_at_end(flit, now), now);
        } else {
            send_unharmed(flit, now);
        }
    }
    /// The same for channels of a network in which nothing fails.
    void send_unharmed(const Flit& flit, hw::Cycles now) {
        Place& place = places_[tail_];
        place.flit = flit;
        place.cycle = now + link_cycles();
        tail_ = next(tail_);
        ++sent_;
        *occupied_ |= occupied_bit_;
        receiver_->wake_at(now + link_cycles());
    }

    // The receiver's end.
    [[nodiscard]] bool has_flit(hw::Cycles now) const {
        return taken_ != sent_ && places_[head_].cycle <= now;
    }
    [[nodiscard]] const Flit& front() const { return places_[head_].flit; }
    /// When that flit could first be seen.
    [[nodiscard]] hw::Cycles front_arrival() const { return places_[head_].cycle; }
    void take(hw::Cycles now) {
        places_[head_].cycle = now + credit_cycles_;
        head_ = next(head_);
        ++taken_;
        if (taken_ == sent_) {
            *occupied_ &= ~occupied_bit_;
        }
        if (sender_waits_) {
            wake_who_awaits(now);
        }
    }
    [[nodiscard]] HeaderWaits& header_waits() { return header_waits_; }
    /// Whether the tail of the message at the front has arrived too.
    [[nodiscard]] bool has_whole_message(hw::Cycles now) const;

    // Faults of the hardware.
    /// What it does to the flits that go in; before the run.
    void set_faults(LinkFaults& faults) {
        faults_ = &faults;
        has_faults_ = true;
    }
    /// Between cycles: the sender has one credit less from the next cycle on, or none for ever.
    void lose_credit() { --credits_; }
    void fail() { credits_ = kFailed; }
    [[nodiscard]] bool has_failed() const { return credits_ <= kFailed / 2; }
    /// What of its hardware has failed, for explanations: ", and is dead".
    [[nodiscard]] std::string condition() const;

    /// Has the host fetch what a cycle at either end needs: in a large network it lies beyond the
    /// nearer caches.
    void fetch() const {
        __builtin_prefetch(this);
        __builtin_prefetch(&occupied_);
        __builtin_prefetch(&near_places_);
    }
    [[nodiscard]] const hw::ClockedPart* receiver() const { return receiver_; }

    // For statistics, conservation and explanations.
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] hw::Flits sent() const { return hw::Flits(sent_); }
    [[nodiscard]] hw::Flits taken() const { return hw::Flits(taken_); }
    [[nodiscard]] hw::Flits held() const { return hw::Flits(sent_ - taken_); }
    [[nodiscard]] const HeaderWaits& header_waits() const { return header_waits_; }

  private:
    struct Place {
        Flit flit;
        hw::Cycles cycle;  ///< of its arrival; when it has been taken, from which its credit counts
    };

    // A sender with `flits` credits has seen so many flits leave since the beginning.
    [[nodiscard]] std::int64_t taken_for(hw::Flits flits) const {
        return sent_ + flits.count() - credits_;
    }
    // When the credit of the flit that left as number `taken` of all can be used; not so long ago
    // that its place has been filled again.
    [[nodiscard]] hw::Cycles credit_of(std::int64_t taken) const {
        const std::int64_t behind_tail = taken - 1 - (sent_ - place_count_);
        const std::int64_t place = tail_ + behind_tail;
        return places_[place < place_count_ ? place : place - place_count_].cycle;
    }

    void wake_who_awaits(hw::Cycles now) {
        if (awaited_.come(taken_)) {
            sender_->wake_at(now + credit_cycles_);
        }
        sender_waits_ = awaited_.any();
    }

    [[nodiscard]] hw::Cycles link_cycles() const { return hw::Cycles(link_count_); }
    // A flit that goes into a faulty channel.
    [[nodiscard, gnu::cold, gnu::noinline]] Flit read_at_end(const Flit& flit, hw::Cycles now);

    [[nodiscard]] std::uint32_t next(std::uint32_t place) const {
        return place + 1 == place_count_ ? 0 : place + 1;
    }

    static constexpr std::uint32_t kNearPlaces = 8;
    static constexpr std::int32_t kFailed = std::numeric_limits<std::int32_t>::min() / 2;

    // In the order of the host's cache lines: what the ends look at in a cycle; whom they wake; the
    // flits, where they are few; and the rest.
    Place* places_;
    std::int64_t sent_ = 0;
    std::int64_t taken_ = 0;
    std::uint32_t head_ = 0;
    std::uint32_t tail_ = 0;
    std::uint32_t place_count_;
    std::int32_t credits_;     // that the sender has when nothing is held: as many as places
    std::int32_t link_count_;  // cycles
    bool sender_waits_ = false;
    bool has_faults_ = false;

    std::uint32_t* occupied_ = &unshared_occupied_;
    std::uint32_t occupied_bit_ = 1;
    std::uint32_t unshared_occupied_ = 0;
    hw::ClockedPart* receiver_ = nullptr;
    hw::ClockedPart* sender_ = nullptr;
    hw::Cycles credit_cycles_;

    alignas(64) std::array<Place, kNearPlaces> near_places_;

    HeaderWaits header_waits_;
    AwaitedCredits awaited_;
    std::vector<Place> far_places_;
    std::string name_;
    LinkFaults* faults_ = nullptr;
};

/// What a physical channel has seen, copies of the network and virtual channels together.
struct ChannelCount {
    hw::Flits sent;           ///< into it
    hw::Cycles header_waits;  ///< that headers at the front of its buffers waited for an output

    ChannelCount& operator+=(const ChannelCount& other) {
        sent += other.sent;
        header_waits += other.header_waits;
        return *this;
    }
};

}  // namespace weir::network
