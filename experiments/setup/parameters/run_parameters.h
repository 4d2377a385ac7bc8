#pragma once

#include <cstdint>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::experiments::setup {

/// Part of a run that is left out of the measurement, as not yet in its steady state.
enum class WarmUp : std::uint8_t { kAutomatic, kFixed, kDetected };

/// Parameters of [run], which hold for every machine and kernel.
struct RunParameters : hw::ParameterGroup {
    RunParameters() : ParameterGroup("run", "Runs of the experiment and their measurement") {
        warmup_cycles.set_acts_after_run();
        warm_up.set_acts_after_run();
        batches.set_acts_after_run();
    }

    hw::Parameter<std::vector<std::int64_t>> seeds{
        *this,
        "seeds",
        {1},
        {0, INT64_MAX},
        "Seeds of the random choices, one run for each seed; confidence intervals need several"};
    hw::Parameter<hw::Cycles> warmup_cycles{*this,
                                            "warmup_cycles",
                                            0,
                                            {0, INT64_MAX / 4},
                                            "Messages handled before this cycle are not measured",
                                            hw::a_kernel_runs("traffic.warm_up_cycles")};
    hw::Choice<WarmUp> warm_up{
        *this,
        "warm_up",
        WarmUp::kAutomatic,
        {{WarmUp::kAutomatic, "automatic"},
         {WarmUp::kFixed, "fixed"},
         {WarmUp::kDetected, "detected"}},
        "Part of the run that is not measured. fixed: the cycles before warmup_cycles. detected: "
        "also the first iterations, as far as they differ from the rest. automatic: detected if "
        "relative_precision is above 0, otherwise fixed",
        "MSER-5: White, Cobb and Spratt 2000",
        hw::a_kernel_runs("traffic.warm_up_cycles") && hw::is_in_steady_state()};
    hw::Parameter<double> relative_precision{
        *this,
        "relative_precision",
        0.0,
        {0.0, 0.5},
        "Target half-width of the main metric's 95 % confidence interval, as a share of the "
        "metric. Runs are lengthened, or seeds added, until the target is met. 0: no target",
        hw::a_kernel_runs() || hw::when("traffic.pattern").is_not("one_at_a_time")};
    hw::Parameter<std::int64_t> batches{
        *this,
        "batches",
        32,
        {10, 128},
        "Number of batches of iterations; the confidence interval is computed from the batch means",
        "assumed; Schmeiser 1982: more than 30 hardly narrow an interval",
        hw::is_in_steady_state() && (hw::when("run.relative_precision").above(0.0) ||
                                     hw::when("run.warm_up").is("detected"))};
    hw::Parameter<std::int64_t> most_lengthening{
        *this,
        "most_lengthening",
        100,
        {1, 1'000'000},
        "Longest run that relative_precision may request, as a multiple of the run's length in the "
        "experiment file",
        hw::is_in_steady_state() && hw::when("run.relative_precision").above(0.0)};
    hw::Parameter<std::int64_t> most_seeds{
        *this,
        "most_seeds",
        100,
        {5, 1'000'000},
        "Largest number of seeds that relative_precision may request, for a kernel that solves one "
        "problem of fixed size",
        hw::solves_one_problem() && hw::when("run.relative_precision").above(0.0)};
    hw::Parameter<hw::Cycles> most_cycles{*this,
                                          "most_cycles",
                                          100'000'000'000,
                                          {1, INT64_MAX / 4},
                                          "Cycle at which an unfinished run ends as a failure",
                                          hw::a_kernel_runs("traffic.drain_cycles")};
    hw::Parameter<hw::Cycles> watchdog_cycles{*this,
                                              "watchdog_cycles",
                                              1'000'000,
                                              {1, INT64_MAX / 4},
                                              "Number of cycles without any progress in the "
                                              "machine after which a run ends with a diagnosis"};
};

/// Parameters of [trace].
struct TraceParameters : hw::ParameterGroup {
    TraceParameters() : ParameterGroup("trace", "Contents of the cycle trace") {}

    hw::Parameter<hw::Cycles> begin_cycle{
        *this,
        "begin_cycle",
        0,
        {0, INT64_MAX / 4},
        "First cycle whose launched messages and intervals of core activity are kept"};
    hw::Parameter<hw::Cycles> end_cycle{*this,
                                        "end_cycle",
                                        hw::kNever.count(),
                                        {1, hw::kNever.count()},
                                        "Cycle up to which launched messages and intervals of core "
                                        "activity are kept; marks of programs are always kept"};
    hw::Parameter<bool> queue_levels{
        *this, "queue_levels", false, {}, "Keep every change of every message queue's fill level"};
    hw::Parameter<hw::Cycles> interval_cycles{*this,
                                              "interval_cycles",
                                              0,
                                              {0, 1'000'000'000},
                                              "Length of the intervals for which counts of each "
                                              "channel and message queue are kept. 0: no counts",
                                              hw::when("network.model").is("wormhole")};
    hw::Parameter<bool> shared_accesses{*this,
                                        "shared_accesses",
                                        false,
                                        {},
                                        "Keep every word that an access to shared memory moves",
                                        hw::shares_memory()};
    hw::Parameter<bool> line_states{
        *this,
        "line_states",
        false,
        {},
        "Keep every change of a shared line's state, in each cache and at its home",
        hw::shares_memory()};
    hw::Parameter<bool> profile{*this,
                                "profile",
                                false,
                                {},
                                "Count the cycles of every instruction of compiled programs, in "
                                "profile.txt, listing.txt and profile.folded",
                                hw::when("core.kind").is("sparcle")};
    hw::Parameter<bool> instructions{
        *this,
        "instructions",
        false,
        {},
        "Record every instruction of compiled programs from trace.begin_cycle to trace.end_cycle, "
        "in instructions-NODE.csv",
        hw::when("core.kind").is("sparcle")};

    [[nodiscard]] std::optional<Fault> check() const override {
        if (end_cycle.value() <= begin_cycle.value()) {
            return Fault{"end_cycle", "is not after trace.begin_cycle"};
        }
        return std::nullopt;
    }
};

}  // namespace weir::experiments::setup
