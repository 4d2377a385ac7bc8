#include "experiments/analyses/fits/model_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/statistics/testing/known_processes.h"
#include "hw/testing/names.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::HasSubstr;
using weir::testing::Names;

/// Trace of a hand-made machine with known parameters.
class MadeRun {
  public:
    static constexpr int kNodes = 4;
    static constexpr int kSend = 10;
    static constexpr int kReceive = 20;
    static constexpr int kLatency = 30;  ///< at a distance of 0; each hop takes two cycles more

    /// Offset of a node's clock.
    explicit MadeRun(std::vector<int> offsets = {0, 0, 0, 0}) : offsets_(std::move(offsets)) {}

    struct Waits {
        int send = 0;
        int trip = 0;
    };
    /// Adds a message, sent from `begin` on, and returns the end of its handler. Times are those of
    /// a clock without offset.
    int add(int source, int destination, int begin, Waits waits, int body = 0,
            hw::MessageId parent = {}) {
        trace::MessageRow row;
        row.id = {hw::NodeId(source), sequences_[static_cast<std::size_t>(source)]++};
        row.parent = parent;
        row.destination = hw::NodeId(destination);
        row.body_bytes = hw::Bytes(body);
        row.bytes = hw::Bytes(16 + body);
        row.hops = std::abs(source - destination);
        const int sent = begin + kSend + waits.send;
        const int handled = sent + kLatency + 2 * static_cast<int>(row.hops) + waits.trip;
        const int end = handled + kReceive;
        row.times.compose = at(source, begin);
        row.times.launch = at(source, sent);
        row.times.handler_begin = at(destination, handled);
        row.times.handler_end = at(destination, end);
        if (body > 0) {
            row.times.receive_dma_end = at(destination, handled + 40 + body / 2 + body_delay_);
        }
        last_ = row.id;
        trace_.messages.push_back(row);
        return end;
    }
    /// Ends of the bodies added from now on are later by these cycles.
    void delay_bodies(int cycles) { body_delay_ = cycles; }
    [[nodiscard]] hw::MessageId last() const { return last_; }
    [[nodiscard]] trace::ProgramTimes times() {
        trace_.sort();
        return trace::program_times(trace_, kNodes);
    }

    /// Messages between all pairs of nodes, one at a time, a third of which wait.
    void add_all_pairs(int rounds, int body = 0) {
        statistics::testing::KnownProcess process(7);
        for (int round = 0; round < rounds; ++round) {
            for (int source = 0; source < kNodes; ++source) {
                for (int destination = 0; destination < kNodes; ++destination) {
                    if (source == destination) {
                        continue;
                    }
                    const bool waits = process.unit() < 0.33;
                    const int wait = waits ? 2 + static_cast<int>(process.exponential(40.0)) : 0;
                    now_ = add(source, destination, now_ + 100, {wait, wait}, body);
                }
            }
        }
    }
    void add_round_trips(int count, int work) {
        int now = 0;
        for (int trip = 0; trip < count; ++trip) {
            const int handled = add(0, 1, now, {});
            // The reply is sent inside the handler, before its end.
            const hw::MessageId request = last();
            now = add(1, 0, handled - kSend, {}, 0, request) + work;
        }
    }

    /// Round trips whose requests have longer handlers than their replies. Some of these handlers
    /// interrupt a send of their node's thread, and take still longer.
    void add_interrupting_trips(int count, int interrupting) {
        constexpr int kSave = 14;
        int now = 0;
        for (int trip = 0; trip < count; ++trip) {
            const int handled = add(0, 1, now, {});
            const hw::MessageId request = last();
            const bool interrupts = trip < interrupting;
            trace_.messages.back().times.handler_end =
                at(1, handled + kSend + (interrupts ? kSave : 0));
            if (interrupts) {
                add(1, 2, handled - kReceive - 1, {.send = 100});
            }
            now = add(1, 0, handled, {}, 0, request) + 500;
        }
    }

  private:
    [[nodiscard]] hw::Cycles at(int node, int cycle) const {
        return hw::Cycles(cycle + offsets_[static_cast<std::size_t>(node)]);
    }

    std::vector<int> offsets_;
    trace::Trace trace_{"made"};
    hw::MessageId last_;
    std::vector<std::int64_t> sequences_ = std::vector<std::int64_t>(kNodes);
    int now_ = 0;
    int body_delay_ = 0;
};

records::ModelFit fit_of(const std::string& model, MadeRun& run) {
    const std::vector runs{run.times()};
    return fit_model(model, runs);
}

const records::FittedValue& value_of(const records::ModelFit& fit, const std::string& name) {
    return *std::find_if(fit.values.begin(), fit.values.end(),
                         [&name](const records::FittedValue& each) { return each.name == name; });
}

void expect_in_interval(const records::ModelFit& fit, const std::string& name, double truth) {
    const records::FittedValue& value = value_of(fit, name);
    ASSERT_TRUE(value.value && value.half_width) << name;
    EXPECT_NEAR(*value.value, truth, *value.half_width + 1e-9) << name;
    EXPECT_LE(*value.half_width, std::max(0.3, truth / 20.0)) << name;
}

// The mean distance of four nodes in a row is 5/3 hops.
constexpr double kMeanLatency = MadeRun::kLatency + 2.0 * 5.0 / 3.0;

TEST(ModelFitTest, ParametersAreThoseOfMessagesWithoutWaits) {
    MadeRun run;
    run.add_all_pairs(10);
    const records::ModelFit fit = fit_of("logp", run);
    expect_in_interval(fit, "send_overhead_cycles", MadeRun::kSend);
    expect_in_interval(fit, "receive_overhead_cycles", MadeRun::kReceive);
    expect_in_interval(fit, "latency_cycles", kMeanLatency);
    EXPECT_EQ(fit.count, 120);
    // Messages that wait are what the model leaves out.
    EXPECT_GT(fit.mean_residual, 5.0);
    EXPECT_THAT(fit.summary, Names("logp", "cycles"));
}

// The difference of two clocks cancels in the sum of a message there and one back.
TEST(ModelFitTest, ClocksOfNodesNeedNotAgree) {
    MadeRun agreeing;
    MadeRun differing({0, 17, 100'000, 4'000});
    agreeing.add_all_pairs(10);
    differing.add_all_pairs(10);
    const records::ModelFit first = fit_of("logp", agreeing);
    const records::ModelFit second = fit_of("logp", differing);
    for (const char* name : {"send_overhead_cycles", "receive_overhead_cycles", "latency_cycles"}) {
        EXPECT_DOUBLE_EQ(*value_of(first, name).value, *value_of(second, name).value) << name;
        EXPECT_DOUBLE_EQ(*value_of(first, name).half_width, *value_of(second, name).half_width)
            << name;
    }
}

TEST(ModelFitTest, LatencyGrowsByHops) {
    MadeRun run;
    run.add_all_pairs(10);
    const records::ModelFit fit = fit_of("logpc", run);
    expect_in_interval(fit, "latency_without_hops_cycles", MadeRun::kLatency);
    expect_in_interval(fit, "hop_cycles", 2.0);
}

TEST(ModelFitTest, AGapIsToldBySendsThatWaitForTheNetworkOnly) {
    MadeRun limited;
    constexpr int kGap = 25;
    for (int i = 0; i < 40; ++i) {
        // Each send begins as the previous one ends, and waits for the rest of the gap.
        limited.add(0, 1 + i % 3, kGap * i, {.send = i == 0 ? 0 : kGap - MadeRun::kSend});
        limited.add(1 + i % 3, 0, 10'000 + 500 * i, {});
    }
    const records::ModelFit told = fit_of("logp", limited);
    expect_in_interval(told, "gap_cycles", kGap);

    MadeRun free;
    free.add_all_pairs(3);
    const records::ModelFit untold = fit_of("logp", free);
    EXPECT_TRUE(value_of(untold, "gap_cycles").is_upper_bound);
    ASSERT_FALSE(untold.warnings.empty());
    EXPECT_EQ(untold.warnings.front().parameter, "gap_cycles");
    EXPECT_THAT(untold.warnings.front().command, HasSubstr("flood.toml"));
}

TEST(ModelFitTest, OneWayMessagesNeedClocksThatAgree) {
    MadeRun run;
    for (int i = 0; i < 10; ++i) {
        run.add(0, 3, 200 * i, {});
    }
    const records::ModelFit fit = fit_of("logp", run);
    expect_in_interval(fit, "latency_cycles", MadeRun::kLatency + 6.0);
    EXPECT_EQ(fit.warnings.back().parameter, "latency_cycles");
}

TEST(ModelFitTest, AThreadsWorkAndItsHandlersAreLopcs) {
    MadeRun run;
    constexpr int kWork = 77;
    run.add_round_trips(30, kWork);
    const records::ModelFit fit = fit_of("lopc", run);
    expect_in_interval(fit, "work_cycles", kWork + MadeRun::kSend);
    expect_in_interval(fit, "handler_cycles", MadeRun::kReceive);
    EXPECT_NEAR(*value_of(fit, "handler_squared_cv").value, 0.0, 1e-9);
}

// Handlers of requests send a reply, and so take longer than those of replies. Only the former
// interrupt sends here; the mean over both is that of their undisturbed durations.
TEST(ModelFitTest, HandlersThatInterruptASendDoNotShiftTheMean) {
    constexpr int kTrips = 300;
    constexpr int kInterrupting = 200;
    MadeRun run;
    run.add_interrupting_trips(kTrips, kInterrupting);
    const records::ModelFit fit = fit_of("lopc", run);
    const double share_of_requests = 1.0 * kTrips / (2 * kTrips + kInterrupting);
    const double mean = MadeRun::kReceive + share_of_requests * MadeRun::kSend;
    EXPECT_NEAR(*value_of(fit, "handler_cycles").value, mean, 1e-9);
    EXPECT_EQ(value_of(fit, "handler_cycles").observations, 2 * kTrips);
    EXPECT_NEAR(
        *value_of(fit, "handler_squared_cv").value,
        share_of_requests * (1.0 - share_of_requests) * std::pow(MadeRun::kSend / mean, 2.0), 1e-3);
}

TEST(ModelFitTest, BodiesOfTwoSizesTellTheGapPerByte) {
    MadeRun run;
    run.add_all_pairs(5, 1024);
    run.add_all_pairs(5, 4096);
    const records::ModelFit fit = fit_of("loggp", run);
    expect_in_interval(fit, "gap_cycles_per_byte", 0.5);
    expect_in_interval(fit, "long_send_overhead_cycles", MadeRun::kSend);
}

// Bodies move in bursts, so that each time is longer than the line by part of a burst. The interval
// includes this as soon as three sizes show it.
TEST(ModelFitTest, TheIntervalOfTheGapPerByteIncludesBursts) {
    MadeRun run;
    run.delay_bodies(1);
    run.add_all_pairs(5, 4096);
    run.delay_bodies(9);
    run.add_all_pairs(5, 6144);
    const records::ModelFit of_two = fit_of("loggp", run);
    ASSERT_FALSE(of_two.warnings.empty());
    EXPECT_THAT(of_two.warnings.front().command, HasSubstr("body_bytes"));
    run.delay_bodies(2);
    run.add_all_pairs(5, 8192);
    const records::ModelFit of_three = fit_of("loggp", run);
    expect_in_interval(of_three, "gap_cycles_per_byte", 0.5);
    EXPECT_GT(*value_of(of_three, "gap_cycles_per_byte").half_width, 5.0 / 4096);
    EXPECT_TRUE(of_three.warnings.empty());
}

TEST(ModelFitTest, EachSizeHasItsOwnParametersInPlogp) {
    MadeRun run;
    run.add_all_pairs(5);
    const records::ModelFit fit = fit_of("plogp", run);
    EXPECT_EQ(value_of(fit, "latency_cycles").message_bytes, 16);
    EXPECT_FALSE(value_of(fit, "latency_cycles").is_model_input);
}

std::string refusal_of(const std::string& model, MadeRun& run) {
    try {
        static_cast<void>(fit_of(model, run));
    } catch (const models::ModelError& fault) {
        return fault.what();
    }
    return "no fault";
}

TEST(ModelFitFaultsTest, MessagesThatDoNotTellTheModelNameTheRunThatWould) {
    MadeRun none;
    EXPECT_THAT(refusal_of("logp", none), Names("logp", "table1-ping.toml"));
    const std::vector<trace::ProgramTimes> single{{.node_count = 1}};
    EXPECT_THROW(static_cast<void>(fit_model("logp", single)), models::ModelError);
    MadeRun of_short;
    of_short.add_all_pairs(2);
    EXPECT_THAT(refusal_of("loggp", of_short), Names("loggp", "table2-body.toml"));
    MadeRun of_one_size;
    of_one_size.add_all_pairs(2, 512);
    EXPECT_THAT(refusal_of("loggp", of_one_size), Names("gap_cycles_per_byte", "table2-body.toml"));
}

}  // namespace
}  // namespace weir::experiments::analyses
