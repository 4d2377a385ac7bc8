#include "experiments/models/logp/algorithms/summation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "experiments/models/logp/algorithms/broadcast.h"
#include "experiments/models/logp/testing/abstract_machine.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// LogP (1993), Figure 4: T = 28, P = 8, L = 5, g = 4, o = 2.
constexpr SummationMachine kFigure4 = {
    .latency_cycles = 5, .overhead_cycles = 2, .gap_cycles = 4, .processors = 8};

struct Outcome {
    std::vector<std::string> faults;
    std::int64_t sum = 0;     // sum of the inputs used; the inputs are 1, 2, 3, ...
    std::int64_t values = 0;  // number of inputs used
    std::int64_t end = 0;
};

/// Executes the schedule on the abstract machine. Every processor sums inputs from cycle 0 on,
/// stops for each reception and adds the received sum at once. At its completion cycle only its
/// send may be left.
Outcome carry_out(const SummationMachine& machine, const SummationSchedule& schedule) {
    Outcome outcome;
    std::vector<TimedMessage> messages;
    std::vector<TimedWork> work;
    std::vector<std::int64_t> sums(schedule.processors.size());
    std::int64_t next_input = 1;
    // Orders processors by completion, so children before parents.
    for (std::size_t i = schedule.processors.size(); i-- > 0;) {
        const SummingProcessor& processor = schedule.processors[i];
        const int number = static_cast<int>(i);
        std::int64_t now = 0;
        std::int64_t inputs = 1;
        std::int64_t sum = next_input++;
        const auto add_inputs_until = [&](std::int64_t end) {
            for (; now < end; ++now, ++inputs) {
                work.push_back({number, static_cast<double>(now), static_cast<double>(now + 1)});
                sum += next_input++;
            }
        };
        for (std::size_t child = 0; child < processor.children.size(); ++child) {
            add_inputs_until(processor.receive_cycles[child]);
            const int from = processor.children[child];
            messages.push_back(
                {from, number,
                 static_cast<double>(
                     schedule.processors[static_cast<std::size_t>(from)].completion_cycle),
                 static_cast<double>(now)});
            now += machine.overhead_cycles;
            work.push_back({number, static_cast<double>(now), static_cast<double>(now + 1)});
            now += 1;
            sum += sums[static_cast<std::size_t>(from)];
        }
        add_inputs_until(processor.completion_cycle);
        if (now != processor.completion_cycle || inputs != processor.local_inputs) {
            outcome.faults.push_back("processor " + std::to_string(number) + " is done at " +
                                     std::to_string(now) + " with " + std::to_string(inputs));
        }
        sums[i] = sum;
        outcome.values += inputs;
        outcome.end = std::max(outcome.end, now);
    }
    outcome.sum = sums.front();
    const LogpMachine rules = {.latency_cycles = static_cast<double>(machine.latency_cycles),
                               .overhead_cycles = static_cast<double>(machine.overhead_cycles),
                               .gap_cycles = static_cast<double>(machine.gap_cycles),
                               .processors = machine.processors};
    for (std::string& rule : broken_rules(rules, messages, work)) {
        outcome.faults.push_back(std::move(rule));
    }
    return outcome;
}

/// The most values over all trees: all splits of the processors among a parent's children, and all
/// completion times of these.
class Exhaustive {
  public:
    explicit Exhaustive(const SummationMachine& machine) : machine_(machine) {}

    std::int64_t values(std::int64_t time, int processors) {
        // A processor sums t + 1 values without children; each child costs o + 1 additions.
        return time + 1 + from_children(time, processors - 1);
    }

  private:
    /// Values that children add if their sums are added at `latest` or sooner.
    std::int64_t from_children(std::int64_t latest, int processors) {
        if (processors == 0) {
            return 0;
        }
        const auto key = std::make_tuple(latest, processors);
        if (const auto known = known_.find(key); known != known_.end()) {
            return known->second;
        }
        std::int64_t most = 0;
        const std::int64_t interval = std::max(machine_.gap_cycles, machine_.overhead_cycles + 1);
        for (std::int64_t end = latest; end >= 0; --end) {  // end of this child's addition
            const std::int64_t done =
                end - 1 - 2 * machine_.overhead_cycles - machine_.latency_cycles;
            if (done < 0) {
                break;
            }
            for (int used = 1; used <= processors; ++used) {
                most = std::max(most, values(done, used) - machine_.overhead_cycles - 1 +
                                          from_children(end - interval, processors - used));
            }
        }
        known_[key] = most;
        return most;
    }

    SummationMachine machine_;
    std::map<std::tuple<std::int64_t, int>, std::int64_t> known_;
};

TEST(LogpSummation, ReproducesFigure4) {
    const SummationSchedule schedule = logp_optimal_summation(kFigure4, 28);
    EXPECT_EQ(schedule.values, 79);
    std::vector<std::int64_t> completions;
    std::vector<std::int64_t> inputs;
    for (const SummingProcessor& processor : schedule.processors) {
        completions.push_back(processor.completion_cycle);
        inputs.push_back(processor.local_inputs);
    }
    // The root's children complete at T - (2o + L + 1), and each earlier one g sooner.
    EXPECT_THAT(completions, ElementsAre(28, 18, 14, 10, 8, 6, 4, 4));
    EXPECT_THAT(inputs, ElementsAre(17, 13, 12, 11, 9, 7, 5, 5));
    EXPECT_THAT(schedule.processors[0].children, ElementsAre(5, 3, 2, 1));
    EXPECT_EQ(logp_least_summation_cycles(kFigure4, 79), 28);
    EXPECT_EQ(logp_least_summation_cycles(kFigure4, 80), 29);
}

// LogP (1993), section 3.3: the tree has the shape of an optimal broadcast tree. With the addition
// counted into the latency (L + 1), each processor completes as long before T as the broadcast
// takes to reach it.
TEST(LogpSummation, HasTheShapeOfAnOptimalBroadcastTree) {
    const BroadcastSchedule broadcast = logp_optimal_broadcast(
        {.latency_cycles = 6.0, .overhead_cycles = 2.0, .gap_cycles = 4.0, .processors = 8});
    const SummationSchedule summation = logp_optimal_summation(kFigure4, 28);
    ASSERT_EQ(summation.processors.size(), broadcast.informed_cycles.size());
    for (std::size_t i = 0; i < broadcast.informed_cycles.size(); ++i) {
        EXPECT_EQ(static_cast<double>(28 - summation.processors[i].completion_cycle),
                  broadcast.informed_cycles[i]);
    }
}

// Section 3.3: one processor sums T + 1 values if T <= L + 2o. One processor stays alone until a
// partial sum can contain more than o additions.
TEST(LogpSummation, StaysOnOneProcessorWhileNoMessagePays) {
    for (std::int64_t time = 0; time <= 5 + 2 * 2 + 1 + 2; ++time) {
        const SummationSchedule schedule = logp_optimal_summation(kFigure4, time);
        EXPECT_EQ(schedule.values, time + 1);
        EXPECT_EQ(schedule.processors.size(), 1U);
    }
    const SummationSchedule two = logp_optimal_summation(kFigure4, 5 + 2 * 2 + 1 + 3);
    EXPECT_EQ(two.values, 13 + 1 + 1);
    EXPECT_EQ(two.processors.size(), 2U);
}

TEST(LogpSummation, TheScheduleRunsOnTheAbstractMachineAndSumsEveryInputOnce) {
    for (const std::int64_t latency : {0, 1, 5, 11}) {
        for (const std::int64_t overhead : {0, 1, 2, 6}) {
            for (const std::int64_t gap : {0, 1, 2, 3, 4, 9}) {
                for (const std::int64_t time : {0, 1, 10, 28, 60}) {
                    const SummationMachine machine = {latency, overhead, gap, 12};
                    const SummationSchedule schedule = logp_optimal_summation(machine, time);
                    const Outcome outcome = carry_out(machine, schedule);
                    EXPECT_THAT(outcome.faults, IsEmpty())
                        << "L " << latency << " o " << overhead << " g " << gap << " T " << time;
                    EXPECT_EQ(outcome.values, schedule.values);
                    EXPECT_EQ(outcome.sum, schedule.values * (schedule.values + 1) / 2);
                    EXPECT_EQ(outcome.end, time);
                }
            }
        }
    }
}

TEST(LogpSummation, NoOtherTreeSumsMore) {
    for (const std::int64_t latency : {0, 2, 5}) {
        for (const std::int64_t overhead : {0, 1, 2}) {
            for (const std::int64_t gap : {0, 2, 4, 7}) {
                for (const int processors : {1, 2, 3, 5}) {
                    const SummationMachine machine = {latency, overhead, gap, processors};
                    Exhaustive all_trees(machine);
                    for (std::int64_t time = 0; time <= 30; ++time) {
                        ASSERT_EQ(logp_optimal_summation(machine, time).values,
                                  all_trees.values(time, processors))
                            << "L " << latency << " o " << overhead << " g " << gap << " P "
                            << processors << " T " << time;
                    }
                }
            }
        }
    }
}

TEST(LogpSummation, TheLeastTimeIsTheInverseOfTheMostValues) {
    for (std::int64_t values = 1; values <= 200; ++values) {
        const std::int64_t time = logp_least_summation_cycles(kFigure4, values);
        EXPECT_GE(logp_optimal_summation(kFigure4, time).values, values);
        if (time > 0) {
            EXPECT_LT(logp_optimal_summation(kFigure4, time - 1).values, values);
        }
    }
}

// A PRAM with enough processors sums 2^T values in T steps.
TEST(LogpSummation, WithoutCommunicationCostItIsTheBinaryTreeOfAPram) {
    const SummationMachine free = {0, 0, 0, kLogpMostProcessors};
    for (std::int64_t time = 0; time <= 16; ++time) {
        EXPECT_EQ(logp_optimal_summation(free, time).values, std::int64_t{1} << time);
    }
}

TEST(LogpSummation, IsNeverSlowerThanEvenInputsAndABinomialTree) {
    // 80 values on 8 processors: 9 additions, then three times L + 2o + 1.
    EXPECT_EQ(logp_binomial_summation_cycles(kFigure4, 80), 9 + 3 * 10);
    EXPECT_EQ(logp_binomial_summation_cycles({5, 2, 4, 1}, 80), 79);
    for (const std::int64_t values : {1, 2, 7, 80, 1000, 100000}) {
        for (const std::int64_t gap : {0, 4, 30}) {
            const SummationMachine machine = {5, 2, gap, 8};
            EXPECT_LE(logp_least_summation_cycles(machine, values),
                      logp_binomial_summation_cycles(machine, values));
        }
    }
}

TEST(LogpSummation, RefusesWhatIsOutOfRangeByName) {
    const auto refusal = [](const SummationMachine& machine, std::int64_t time) -> std::string {
        try {
            logp_optimal_summation(machine, time);
        } catch (const ModelError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refusal({}, 28), "latency_cycles (L) is -1; accepted: 0 to 1000000000000");
    EXPECT_EQ(refusal({5, 2, 4, 0}, 28), "processors (P) is 0; accepted: 1 to 65536");
    EXPECT_EQ(refusal(kFigure4, -1), "time_cycles (T) is -1; accepted: 0 to 1000000000000");
    EXPECT_THROW(logp_least_summation_cycles(kFigure4, 0), ModelError);
    EXPECT_THROW(logp_binomial_summation_cycles(kFigure4, 0), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
