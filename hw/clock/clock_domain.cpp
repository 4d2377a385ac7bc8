#include "hw/clock/clock_domain.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "hw/clock/clock_tiles.h"

namespace weir::hw {

namespace {

constexpr std::size_t kCacheLine = 64;

}  // namespace

ClockDomainParameters::ClockDomainParameters()
    : ParameterGroup("clock", "The clock of the machine") {}
ClockDomainParameters::~ClockDomainParameters() = default;

ClockedPart::ClockedPart(ClockDomain& domain) : domain_(domain) { domain.parts_.push_back(this); }

ClockDomain::ClockDomain(const sc_core::sc_module_name& name,
                         const ClockDomainParameters& parameters, std::uint64_t seed)
    : sc_module(name),
      period_(1.0 / parameters.processor_mhz.value(), sc_core::SC_US),
      cycles_per_resolution_(1.0 / static_cast<double>(period_.value())),
      tick_order_(parameters.tick_order.value()),
      sleeping_(parameters.sleeping.value()),
      order_stream_(seed, NodeId(0), "tick order") {
    for (std::size_t i = 0; i < short_times_.size(); ++i) {
        short_times_[i] = sc_core::sc_time::from_value(i * period_.value());
    }
    SC_HAS_PROCESS(ClockDomain);
    SC_METHOD(run_cycle);
    sensitive << resume_;
    dont_initialize();
    SC_METHOD(follow_cycle);
    sensitive << follow_;
    dont_initialize();
}

void WakeList::grow_and_push(ClockedPart& part) {
    const std::size_t held = places_.size();
    places_.resize(std::max<std::size_t>(8, 2 * held), nullptr);
    next_ = places_.data() + held;
    *next_++ = &part;
    end_ = places_.data() + places_.size();
}

std::int64_t WakeList::remove(const ClockedPart& part) {
    ClockedPart** const kept = std::remove(places_.data(), next_, &part);
    const std::int64_t removed = next_ - kept;
    next_ = kept;
    return removed;
}

void ClockedPart::forget_wake_up(Cycles cycle) { domain_.forget(*this, cycle); }

void ClockDomain::forget(ClockedPart& part, Cycles cycle) {
    sc_assert(cycle > now_ && cycle - now_ < Cycles(kWheelCycles));
    const std::size_t slot = cycle.count() & kWheelMask;
    pending_wake_ups_ -= wheel_[slot].remove(part);
    if (wheel_[slot].parts().empty()) {
        occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    }
    if (cycle - now_ < Cycles(kNearCycles)) {
        part.near_wake_ups_ &= ~near_bit(cycle);
    }
}

void ClockDomain::run_until(Cycles limit) {
    limit_ = limit;
    if (!stopped_ && has_wake_ups()) {
        const Cycles next = sleeping_ ? next_wake_up() : now_ + Cycles(1);
        if (next <= limit_) {
            resume_.notify(to_time(next) - sc_core::sc_time_stamp());
            sc_core::sc_start();
        }
    }
    if (!stopped_ && limit_ > now_ && progress_ > std::max(now_, Cycles(0))) {
        pass_until(std::min(progress_, limit_));
    }
}

void ClockDomain::pass_until(Cycles cycle) {
    if (cycle > now_) {
        now_ = cycle;
        bring_near(now_);
    }
}

// A time step of SystemC's kernel takes longer than most cycles do. While nothing else waits for
// the kernel, cycles follow each other within one activation, and the kernel's time catches up at
// the end.
void ClockDomain::run_cycle() {
    const Cycles stamp = to_cycles(sc_core::sc_time_stamp());
    if (stamp == now_) {
        return;  // the kernel's time has caught up with the current cycle
    }
    if (tiles_ != nullptr) {
        tiles_->go_on();
        if (now_ > stamp) {
            resume_.notify(to_time(now_ - stamp));
        }
        return;
    }
    now_ = stamp;
    is_alone_ = !sc_core::sc_pending_activity();
    for (;;) {
        tick_parts();
        const bool has_ended = stopped_ || !has_wake_ups();
        const Cycles next = has_ended || sleeping_ ? next_wake_up() : now_ + Cycles(1);
        if (has_ended || next > limit_) {
            if (now_ > stamp) {
                resume_.notify(to_time(now_ - stamp));
            }
            return;
        }
        is_alone_ = !sc_core::sc_pending_activity();
        if (!is_alone_) {
            resume_.notify(to_time(next - stamp));
            return;
        }
        now_ = next;
    }
}

void ClockDomain::follow_kernel() {
    sc_assert(!follows_kernel_);
    follows_kernel_ = true;
}

void ClockDomain::start_of_simulation() {
    if (follows_kernel_ && has_wake_ups()) {
        follow_.notify(to_time(sleeping_ ? next_wake_up() : now_ + Cycles(1)) -
                       sc_core::sc_time_stamp());
    }
}

Cycles ClockDomain::wake_from_process(ClockedPart& part) {
    sc_assert(follows_kernel_);
    const sc_core::sc_time& stamp = sc_core::sc_time_stamp();
    // The kernel's time in cycles, rounded up.
    const auto cycle_of_stamp =
        static_cast<std::int64_t>((stamp.value() + period_.value() - 1) / period_.value());
    const Cycles cycle = std::max(Cycles(cycle_of_stamp), now_ + Cycles(1));
    schedule(part, cycle);
    follow_.notify(to_time(cycle) - stamp);  // an earlier pending notification stays
    return cycle;
}

void ClockDomain::follow_cycle() {
    if (!processes_have_run_) {
        processes_have_run_ = true;
        follow_.notify(sc_core::SC_ZERO_TIME);
        return;
    }
    processes_have_run_ = false;
    const Cycles stamp = to_cycles(sc_core::sc_time_stamp());
    if (stopped_) {
        return;
    }
    now_ = stamp;
    tick_parts();
    if (!stopped_ && has_wake_ups()) {
        follow_.notify(to_time((sleeping_ ? next_wake_up() : now_ + Cycles(1)) - now_));
    }
}

void ClockDomain::schedule_beyond(ClockedPart& part, Cycles cycle) {
    if (cycle - now_ < Cycles(kWheelCycles)) {
        put_on_list(part, cycle);
    } else {
        ++pending_wake_ups_;
        far_[cycle.count()].push_back(&part);
    }
}

void ClockDomain::tick_parts() {
    bring_near(now_);
    const std::size_t slot = now_.count() & kWheelMask;
    running_.swap(wheel_[slot]);
    occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    pending_wake_ups_ -= static_cast<std::int64_t>(running_.parts().size());
    if (!sleeping_) {
        running_.assign(parts_);
    }
    if (tick_order_ != TickOrder::kWakeOrder) {
        reorder();
    }
    ++active_cycles_;
    const std::uint64_t now_bit = near_bit(now_);
    const std::span<ClockedPart*> parts = running_.parts();
    const auto tick_once = [&](ClockedPart& part) {
        if (part.last_tick_ == now_) {
            return;
        }
        part.last_tick_ = now_;
        part.near_wake_ups_ &= ~now_bit;
        ++ticks_;
        part.tick(now_);
    };
    std::size_t i = 0;
    for (; i + kFetchedAhead < parts.size(); ++i) {
        const auto* ahead = reinterpret_cast<const char*>(parts[i + kFetchedAhead]);
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + kCacheLine);
        tick_once(*parts[i]);
    }
    for (; i < parts.size(); ++i) {
        tick_once(*parts[i]);
    }
    running_.clear();
    if (!after_ticks_.empty()) {
        end_cycle();
    }
}

void ClockDomain::refuse_after_ticks() const {
    throw std::logic_error("cycle " + std::to_string(now_.count()) +
                           ": a part requests a call at the end of the cycle after its ticks; "
                           "accepted: a request from a tick");
}

void ClockDomain::end_cycle() {
    is_ending_cycle_ = true;
    for (ClockedPart* part : after_ticks_) {
        part->acts_after_ticks_ = false;
        part->end_of_cycle(now_);
    }
    is_ending_cycle_ = false;
    after_ticks_.clear();
}

void ClockDomain::reorder() {
    const std::span<ClockedPart*> parts = running_.parts();
    const std::vector<ClockedPart*> woken(parts.begin(), parts.end());
    if (tick_order_ == TickOrder::kReversed) {
        std::reverse(parts.begin(), parts.end());
    } else {
        for (std::size_t i = parts.size(); i > 1; --i) {
            std::swap(parts[i - 1], parts[order_stream_.below(i)]);
        }
    }
    if (!std::equal(parts.begin(), parts.end(), woken.begin())) {
        ++reordered_cycles_;
    }
}

void ClockDomain::bring_near(Cycles now) {
    while (!far_.empty() && far_.begin()->first - now.count() < kWheelCycles) {
        const std::size_t slot = far_.begin()->first & kWheelMask;
        for (ClockedPart* part : far_.begin()->second) {
            wheel_[slot].push(*part);
        }
        occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
        far_.erase(far_.begin());
    }
}

Cycles ClockDomain::next_wake_up() const {
    const std::int64_t start = now_.count() + 1;
    const std::int64_t first_slot = start & kWheelMask;
    // Searches the wheel's slots in the order of their cycles, 64 at a time. The first word is read
    // twice: first its bits from the first slot on, last those before it.
    for (std::int64_t word = 0; word <= kWheelCycles / 64; ++word) {
        const std::int64_t base = (first_slot / 64 + word) % (kWheelCycles / 64);
        std::uint64_t bits = occupied_[base];
        if (word == 0) {
            bits &= ~std::uint64_t{0} << (first_slot % 64);
        } else if (word == kWheelCycles / 64) {
            bits &= ~(~std::uint64_t{0} << (first_slot % 64));
        }
        if (bits != 0) {
            const std::int64_t slot = base * 64 + std::countr_zero(bits);
            return Cycles(start + ((slot - first_slot) & kWheelMask));
        }
    }
    return far_.empty() ? kNever : Cycles(far_.begin()->first);
}

}  // namespace weir::hw
