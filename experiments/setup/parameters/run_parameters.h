#pragma once

#include <cstdint>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::experiments::setup {

/// Which part of a run is left out, since it is not yet in its steady state.
enum class WarmUp : std::uint8_t { kAutomatic, kFixed, kDetected };

/// How an experiment is run, whatever it runs on.
struct RunParameters : hw::ParameterGroup {
    RunParameters() : ParameterGroup("run", "How the experiment is run and measured") {}

    hw::Parameter<std::vector<std::int64_t>> seeds{
        *this, "seeds", {1}, {0, INT64_MAX}, "One run for each; confidence comes from several"};
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
        "What is not measured: what comes before warmup_cycles alone; or besides as much of the "
        "iterations after it as is unlike the rest; automatic: the latter where there is a "
        "relative_precision",
        "MSER-5: White, Cobb and Spratt 2000",
        hw::a_kernel_runs("traffic.warm_up_cycles") && hw::is_in_steady_state()};
    hw::Parameter<double> relative_precision{
        *this,
        "relative_precision",
        0.0,
        {0.0, 0.5},
        "Half the 95 % interval of the main metric, as a share of it, at which a run is long "
        "enough; longer runs, or more seeds, are made until it is; 0: as the file says",
        hw::a_kernel_runs() || hw::when("traffic.pattern").is_not("one_at_a_time")};
    hw::Parameter<std::int64_t> batches{
        *this,
        "batches",
        32,
        {10, 128},
        "Batches of iterations whose means the interval is of",
        "assumed; Schmeiser 1982: more than 30 hardly narrow an interval",
        hw::is_in_steady_state() && (hw::when("run.relative_precision").above(0.0) ||
                                     hw::when("run.warm_up").is("detected"))};
    hw::Parameter<std::int64_t> most_lengthening{
        *this,
        "most_lengthening",
        100,
        {1, 1'000'000},
        "A run that is not precise is made at most so many times as long as the file says",
        hw::is_in_steady_state() && hw::when("run.relative_precision").above(0.0)};
    hw::Parameter<std::int64_t> most_seeds{
        *this,
        "most_seeds",
        100,
        {5, 1'000'000},
        "Where a kernel solves a problem of one size, at most so many seeds are run instead",
        hw::solves_one_problem() && hw::when("run.relative_precision").above(0.0)};
    hw::Parameter<hw::Cycles> most_cycles{*this,
                                          "most_cycles",
                                          100'000'000'000,
                                          {1, INT64_MAX / 4},
                                          "A run that has not ended by then is ended as a failure",
                                          hw::a_kernel_runs("traffic.drain_cycles")};
    hw::Parameter<hw::Cycles> watchdog_cycles{
        *this,
        "watchdog_cycles",
        1'000'000,
        {1, INT64_MAX / 4},
        "A run in which nothing gets done for so long is ended and explained"};
};

/// What the cycle trace keeps.
struct TraceParameters : hw::ParameterGroup {
    TraceParameters() : ParameterGroup("trace", "What the cycle trace keeps") {}

    hw::Parameter<hw::Cycles> begin_cycle{
        *this,
        "begin_cycle",
        0,
        {0, INT64_MAX / 4},
        "Messages launched and core intervals from this cycle on are kept"};
    hw::Parameter<hw::Cycles> end_cycle{*this,
                                        "end_cycle",
                                        hw::kNever.count(),
                                        {1, hw::kNever.count()},
                                        "The cycle up to which they are kept; marks always are"};
    hw::Parameter<bool> queue_levels{
        *this, "queue_levels", false, {}, "Keep every change of every message queue's level"};
    hw::Parameter<hw::Cycles> interval_cycles{
        *this,
        "interval_cycles",
        0,
        {0, 1'000'000'000},
        "Keep what each channel and message queue saw in every so many cycles; 0: do not",
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
        "Keep what each line of shared memory is to each cache and to its home, change by change",
        hw::shares_memory()};
    hw::Parameter<bool> profile{*this,
                                "profile",
                                false,
                                {},
                                "Count the cycles of every instruction of compiled programs: "
                                "profile.txt, listing.txt, profile.folded",
                                hw::when("core.kind").is("sparcle")};
    hw::Parameter<bool> instructions{*this,
                                     "instructions",
                                     false,
                                     {},
                                     "Keep every instruction of compiled programs from begin_cycle "
                                     "to end_cycle: instructions-NODE.csv",
                                     hw::when("core.kind").is("sparcle")};

    [[nodiscard]] std::optional<Fault> check() const override {
        if (end_cycle.value() <= begin_cycle.value()) {
            return Fault{"end_cycle", "is not after trace.begin_cycle"};
        }
        return std::nullopt;
    }
};

}  // namespace weir::experiments::setup
