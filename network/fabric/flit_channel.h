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

/// Credits that a sender waits for. Each is given by the total number of flits that have left the
/// buffer when the credit returns.
class CreditRequests {
  public:
    void add(std::int64_t taken) {
        if (std::find(taken_.begin(), taken_.end(), taken) == taken_.end()) {
            taken_.push_back(taken);
        }
    }
    /// Reports that `taken` flits in total have left. True if an awaited credit has returned.
    [[nodiscard]] bool come(std::int64_t taken) {
        return std::erase_if(taken_, [taken](std::int64_t each) { return each <= taken; }) > 0;
    }
    [[nodiscard]] bool any() const { return !taken_.empty(); }

  private:
    std::vector<std::int64_t> taken_;
};

/// A physical channel: the link from one part to the next, and the input buffer at its end.
///
/// Transfers one flit per cycle. A flit sent in cycle t is visible at the receiver from t +
/// link_cycles on. The sender has a credit for each buffer slot. The credit of a flit taken in
/// cycle t can be used from t + 1 on. So a one-cycle link reaches full rate with two slots, and
/// half rate with one. A link of d cycles is a pipeline whose d - 1 registers also hold flits. Its
/// credits may take longer to return (credit_cycles). On a narrow link a flit takes flit_cycles,
/// which the sender has to observe; the link then has a register for each flit_cycles only.
///
/// Sender and receiver may be ticked in any order. A flit is stamped with its arrival; a credit is
/// stamped with the cycle from which it can be used.
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
    /// For a receiver of many channels: keeps bit `number` of `occupied` set while flits are in
    /// this channel, on the link or in the buffer.
    void mark_occupied_in(std::uint32_t& occupied, int number) {
        occupied_ = &occupied;
        occupied_bit_ = 1U << number;
    }

    // Sender's side.
    [[nodiscard]] bool has_credit(hw::Cycles now) const { return has_credits(hw::Flits(1), now); }
    [[nodiscard]] bool has_credits(hw::Flits flits, hw::Cycles now) const {
        const std::int64_t taken = taken_for(flits);
        return taken <= 0 || (taken_ >= taken && credit_of(taken) <= now);
    }
    /// Number of buffer slots and link registers: the number of credits when the channel is empty.
    [[nodiscard]] hw::Flits places() const { return hw::Flits(place_count_); }
    /// Flits sent whose credits have not returned: on the link, in the buffer, or taken a short
    /// time ago.
    [[nodiscard]] hw::Flits credits_used(hw::Cycles now) const {
        std::int64_t returned = taken_;
        while (returned > sent_ - place_count_ && credit_of(returned) > now) {
            --returned;
        }
        return hw::Flits(sent_ - returned);
    }
    /// True if there is a credit; otherwise wakes the sender when there is.
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
    /// Wakes the sender when it has `flits` credits, at most places(). Each number requested wakes
    /// it once, even if the sender does not need it any more. So the wake-ups do not depend on how
    /// often it requests.
    void expect_credits(hw::Flits flits, hw::Cycles now) {
        const std::int64_t taken = taken_for(flits);
        if (taken_ < taken) {
            sender_waits_ = true;
            awaited_.add(taken);
        } else {  // the credit is in flight
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
    /// Sends in a network without faults.
    void send_unharmed(const Flit& flit, hw::Cycles now) {
        Place& place = places_[tail_];
        place.flit = flit;
        place.cycle = now + link_cycles();
        tail_ = next(tail_);
        ++sent_;
        *occupied_ |= occupied_bit_;
        receiver_->wake_at(now + link_cycles());
    }

    // Receiver's side.
    [[nodiscard]] bool has_flit(hw::Cycles now) const {
        return taken_ != sent_ && places_[head_].cycle <= now;
    }
    [[nodiscard]] const Flit& front() const { return places_[head_].flit; }
    /// Changes the lot of the header at the front.
    void set_front_lot(int lot) { places_[head_].flit.lot = static_cast<std::uint16_t>(lot); }
    /// First cycle in which the front flit was visible.
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
    /// True if the tail of the message at the front has arrived, too.
    [[nodiscard]] bool has_whole_message(hw::Cycles now) const;

    // Hardware faults.
    /// Sets the faults that damage flits in this channel. Called before the run.
    void set_faults(LinkFaults& faults) {
        faults_ = &faults;
        has_faults_ = true;
    }
    /// Removes one credit, or all credits, from the next cycle on. Called between cycles.
    void lose_credit() { --credits_; }
    void fail() { credits_ = kFailed; }
    [[nodiscard]] bool has_failed() const { return credits_ <= kFailed / 2; }
    /// The failure of the channel's hardware, for reports: ", and is dead".
    [[nodiscard]] std::string condition() const;

    /// Prefetches the data of a cycle into the host's caches. In a large network they are not in
    /// the nearer caches.
    void fetch() const {
        __builtin_prefetch(this);
        __builtin_prefetch(&occupied_);
        __builtin_prefetch(&near_places_);
    }
    [[nodiscard]] const hw::ClockedPart* receiver() const { return receiver_; }

    // For statistics, conservation checks and reports.
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] hw::Flits sent() const { return hw::Flits(sent_); }
    [[nodiscard]] hw::Flits taken() const { return hw::Flits(taken_); }
    /// The last flit that was sent into the channel; there must be one.
    [[nodiscard]] const Flit& last_sent() const {
        return places_[(tail_ == 0 ? place_count_ : tail_) - 1].flit;
    }
    [[nodiscard]] hw::Flits held() const { return hw::Flits(sent_ - taken_); }
    [[nodiscard]] const HeaderWaits& header_waits() const { return header_waits_; }

  private:
    struct Place {
        Flit flit;
        hw::Cycles cycle;  ///< cycle of arrival; after the flit was taken, cycle from which its
                           ///< credit can be used
    };

    // Total number of flits that have left when the sender has `flits` credits.
    [[nodiscard]] std::int64_t taken_for(hw::Flits flits) const {
        return sent_ + flits.count() - credits_;
    }
    // Cycle from which the credit of the flit with number `taken` can be used. The flit's slot must
    // not have been filled again.
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
    // Returns the flit as the receiver reads it. For faulty channels.
    [[nodiscard, gnu::cold, gnu::noinline]] Flit read_at_end(const Flit& flit, hw::Cycles now);

    [[nodiscard]] std::uint32_t next(std::uint32_t place) const {
        return place + 1 == place_count_ ? 0 : place + 1;
    }

    static constexpr std::uint32_t kNearPlaces = 8;
    static constexpr std::int32_t kFailed = std::numeric_limits<std::int32_t>::min() / 2;

    // In the order of the host's cache lines: data of each cycle; parts to wake; flits of short
    // buffers; the rest.
    Place* places_;
    std::int64_t sent_ = 0;
    std::int64_t taken_ = 0;
    std::uint32_t head_ = 0;
    std::uint32_t tail_ = 0;
    std::uint32_t place_count_;
    std::int32_t credits_;     // credits of an empty channel: places(), less lost ones
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
    CreditRequests awaited_;
    std::vector<Place> far_places_;
    std::string name_;
    LinkFaults* faults_ = nullptr;
};

/// Counts of a physical channel, over all copies of the network and all virtual channels.
struct ChannelCount {
    hw::Flits sent;           ///< flits sent into the channel
    hw::Cycles header_waits;  ///< wait of headers at the front of its buffers

    ChannelCount& operator+=(const ChannelCount& other) {
        sent += other.sent;
        header_waits += other.header_waits;
        return *this;
    }
};

}  // namespace weir::network
