#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <systemc>
#include <vector>

#include "hw/parameter.h"
#include "hw/random_stream.h"
#include "hw/units.h"

namespace weir::hw {

class ClockDomain;

/// What the domain wakes. A part does its work of a cycle in tick(), reads only what was stable
/// when the cycle began (ClockedRegister, or an item stamped with the cycle it arrives in), and
/// asks for the next tick it needs with wake_at(). Being ticked without need must change nothing.
class ClockedPart {
  public:
    explicit ClockedPart(ClockDomain& domain);
    ClockedPart(const ClockedPart&) = delete;
    ClockedPart& operator=(const ClockedPart&) = delete;
    virtual ~ClockedPart() = default;

    virtual void tick(Cycles now) = 0;

    /// Asks for a tick at `cycle`, which lies after the present one. Any part may wake another.
    void wake_at(Cycles cycle);

    [[nodiscard]] ClockDomain& domain() const { return domain_; }

  private:
    friend class ClockDomain;
    ClockDomain& domain_;
    Cycles next_wake_ = kNever;
    Cycles last_tick_{-1};
};

/// How the domain orders the parts of one cycle. The result must not depend on it.
enum class TickOrder : std::uint8_t { kWakeOrder, kReversed, kShuffled };

struct ClockDomainParameters : ParameterGroup {
    ClockDomainParameters() : ParameterGroup("clock", "The clock of the machine") {}

    Parameter<double> processor_mhz{
        *this,
        "processor_mhz",
        20.0,
        {0.001, 100'000.0},
        "Processor clock rate in MHz; the unit of time is its cycle",
        "Alewife as measured: 41 MB/s is 2 bytes/cycle (LoGPC Table 2)"};
    Choice<TickOrder> tick_order{*this,
                                 "tick_order",
                                 TickOrder::kWakeOrder,
                                 {{TickOrder::kWakeOrder, "wake"},
                                  {TickOrder::kReversed, "reversed"},
                                  {TickOrder::kShuffled, "shuffled"}},
                                 "Order in which parts are ticked within a cycle; results never "
                                 "depend on it"};
    Parameter<bool> sleeping{*this,
                             "sleeping",
                             true,
                             {},
                             "Parts with nothing to do are not ticked; results never depend on it"};
};

/// The clock of a machine: one SC_METHOD that ticks the parts that asked for this cycle, then
/// sleeps until the next cycle anybody asked for.
///
/// In a cycle: parts on the wake list are ticked once each, in an order no result depends on; parts
/// woken meanwhile go to the list of the cycle they named. When the list is empty the domain ends:
/// nothing can happen any more.
/// Wake-ups lie in a calendar wheel of kWheelCycles slots; those further away in an ordered map.
class ClockDomain final : public sc_core::sc_module {
  public:
    ClockDomain(const sc_core::sc_module_name& name, const ClockDomainParameters& parameters,
                std::uint64_t seed = 1);
    ~ClockDomain() override = default;
    ClockDomain(const ClockDomain&) = delete;
    ClockDomain& operator=(const ClockDomain&) = delete;

    [[nodiscard]] Cycles now() const { return now_; }
    [[nodiscard]] const sc_core::sc_time& period() const { return period_; }
    [[nodiscard]] sc_core::sc_time to_time(Cycles duration) const {
        return static_cast<double>(duration.count()) * period_;
    }
    [[nodiscard]] Cycles to_cycles(const sc_core::sc_time& duration) const {
        return Cycles(static_cast<std::int64_t>(duration.value() / period_.value()));
    }

    /// Ends the run after the present cycle.
    void stop() { stopped_ = true; }
    [[nodiscard]] bool stopped() const { return stopped_; }

    /// Called by parts that got something done by `cycle`; the watchdog measures from there.
    void note_progress(Cycles cycle) { progress_ = cycle > progress_ ? cycle : progress_; }
    [[nodiscard]] Cycles last_progress() const { return progress_; }

    /// Runs from the present cycle until stop(), until nobody has a wake-up left, or until `limit`
    /// (the run can then be continued).
    void run_until(Cycles limit);
    /// Whether any part waits for a cycle.
    [[nodiscard]] bool has_wake_ups() const { return pending_wake_ups_ != 0; }

    /// Cycles in which at least one part was ticked, ticks done, and cycles in which the parts were
    /// ticked in another order than they were woken in.
    [[nodiscard]] std::int64_t active_cycles() const { return active_cycles_; }
    [[nodiscard]] std::int64_t ticks() const { return ticks_; }
    [[nodiscard]] std::int64_t reordered_cycles() const { return reordered_cycles_; }

  private:
    friend class ClockedPart;
    static constexpr std::int64_t kWheelCycles = 1024;
    static constexpr std::int64_t kWheelMask = kWheelCycles - 1;

    void run_cycle();
    void schedule(ClockedPart& part, Cycles cycle);
    [[nodiscard]] Cycles next_wake_up() const;
    void bring_near(Cycles now);
    void tick_parts();
    void reorder();

    sc_core::sc_time period_;
    TickOrder tick_order_;
    bool sleeping_;
    RandomStream order_stream_;
    std::vector<ClockedPart*> parts_;
    std::array<std::vector<ClockedPart*>, kWheelCycles> wheel_;
    std::array<std::uint64_t, kWheelCycles / 64> occupied_{};
    std::map<std::int64_t, std::vector<ClockedPart*>> far_;
    std::vector<ClockedPart*> running_;
    sc_core::sc_event resume_;
    Cycles now_{-1};
    Cycles limit_{0};
    Cycles progress_{0};
    bool stopped_ = false;
    std::int64_t pending_wake_ups_ = 0;
    std::int64_t active_cycles_ = 0;
    std::int64_t ticks_ = 0;
    std::int64_t reordered_cycles_ = 0;
};

inline void ClockedPart::wake_at(Cycles cycle) {
    if (cycle != next_wake_) {
        domain_.schedule(*this, cycle);
    }
}

inline void ClockDomain::schedule(ClockedPart& part, Cycles cycle) {
    sc_assert(cycle > now_);
    if (cycle < part.next_wake_) {
        part.next_wake_ = cycle;
    }
    ++pending_wake_ups_;
    if (cycle - now_ < Cycles(kWheelCycles)) {
        const auto slot = static_cast<std::size_t>(cycle.count() & kWheelMask);
        wheel_[slot].push_back(&part);
        occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    } else {
        far_[cycle.count()].push_back(&part);
    }
}

}  // namespace weir::hw
