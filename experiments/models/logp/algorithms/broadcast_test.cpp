#include "experiments/models/logp/algorithms/broadcast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "experiments/models/logp/testing/abstract_machine.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr LogpMachine machine_of(double latency, double overhead, double gap, int processors) {
    return {.latency_cycles = latency,
            .overhead_cycles = overhead,
            .gap_cycles = gap,
            .processors = processors};
}

/// Faults of a schedule: broken rules of the machine, sends of a datum not yet received, and
/// processors informed twice.
std::vector<std::string> faults(const LogpMachine& machine, const BroadcastSchedule& schedule) {
    std::vector<TimedMessage> messages;
    std::vector<int> receptions(static_cast<std::size_t>(machine.processors), 0);
    std::vector<std::string> found;
    for (const BroadcastSend& send : schedule.sends) {
        messages.push_back({send.from, send.to, send.send_cycle, send.receive_cycle});
        ++receptions[static_cast<std::size_t>(send.to)];
        if (send.send_cycle < schedule.informed_cycles[static_cast<std::size_t>(send.from)]) {
            found.push_back(std::to_string(send.from) + " sends what it has not got");
        }
        if (schedule.informed_cycles[static_cast<std::size_t>(send.to)] !=
            send.receive_cycle + machine.overhead_cycles) {
            found.push_back(std::to_string(send.to) + " has the datum at another time");
        }
    }
    for (std::size_t processor = 0; processor < receptions.size(); ++processor) {
        if (receptions[processor] != (processor == 0 ? 0 : 1)) {
            found.push_back(std::to_string(processor) + " is not sent to once");
        }
    }
    for (std::string& rule : broken_rules(machine, messages)) {
        found.push_back(std::move(rule));
    }
    return found;
}

/// The earliest finish over all orders in which informed processors can inform others.
double exhaustive_finish(const LogpMachine& machine) {
    const double interval = std::max(machine.gap_cycles, machine.overhead_cycles);
    const double delivery = machine.latency_cycles + 2.0 * machine.overhead_cycles;
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> next_sends{0.0};
    const std::function<void(double)> inform_next = [&](double finish) {
        if (static_cast<int>(next_sends.size()) == machine.processors) {
            least = std::min(least, finish);
            return;
        }
        const std::size_t informed = next_sends.size();
        for (std::size_t sender = 0; sender < informed; ++sender) {
            const double start = next_sends[sender];
            next_sends[sender] = start + interval;
            next_sends.push_back(start + delivery);
            inform_next(std::max(finish, start + delivery));
            next_sends.pop_back();
            next_sends[sender] = start;
        }
    };
    inform_next(0.0);
    return least;
}

// LogP (1993), Figure 3: P = 8, L = 6, g = 4, o = 2.
TEST(LogpBroadcast, ReproducesFigure3) {
    const BroadcastSchedule schedule = logp_optimal_broadcast(machine_of(6.0, 2.0, 4.0, 8));
    EXPECT_EQ(schedule.finish_cycles, 24.0);
    EXPECT_THAT(schedule.informed_cycles,
                ElementsAre(0.0, 10.0, 14.0, 18.0, 20.0, 22.0, 24.0, 24.0));
    // The source sends four of the messages, at 0, g, 2g and 3g.
    std::vector<double> by_the_source;
    for (const BroadcastSend& send : schedule.sends) {
        if (send.from == 0) {
            by_the_source.push_back(send.send_cycle);
        }
    }
    EXPECT_THAT(by_the_source, ElementsAre(0.0, 4.0, 8.0, 12.0));
}

TEST(LogpBroadcast, OptimalEndsWithTheBestOfAllTrees) {
    for (const double latency : {0.0, 1.0, 5.0, 12.0}) {
        for (const double overhead : {0.0, 1.0, 3.0}) {
            for (const double gap : {0.0, 1.0, 4.0, 20.0}) {
                for (int processors = 1; processors <= 7; ++processors) {
                    const LogpMachine machine = machine_of(latency, overhead, gap, processors);
                    EXPECT_EQ(logp_optimal_broadcast(machine).finish_cycles,
                              exhaustive_finish(machine))
                        << "L " << latency << " o " << overhead << " g " << gap << " P "
                        << processors;
                }
            }
        }
    }
}

TEST(LogpBroadcast, EveryScheduleKeepsTheRulesOfTheMachine) {
    for (const auto broadcast : {logp_optimal_broadcast, logp_binary_tree_broadcast,
                                 logp_flat_broadcast, logp_binomial_broadcast}) {
        for (const double gap : {1.0, 4.0, 20.0}) {
            for (const int processors : {1, 2, 8, 13, 100}) {
                const LogpMachine machine = machine_of(6.0, 2.0, gap, processors);
                EXPECT_THAT(faults(machine, broadcast(machine)), IsEmpty())
                    << "g " << gap << " P " << processors;
            }
        }
    }
}

TEST(LogpBroadcast, OtherTreesTakeTheirClosedForms) {
    const LogpMachine machine = machine_of(6.0, 2.0, 4.0, 8);
    EXPECT_EQ(logp_flat_broadcast(machine).finish_cycles, 6 * 4.0 + 10.0);
    // Processor 7 is the first child of 3, 3 of 1 and 1 of 0. With 15 processors, the path to the
    // last one takes the second child three times.
    EXPECT_EQ(logp_binary_tree_broadcast(machine).finish_cycles, 3 * 10.0);
    EXPECT_EQ(logp_binary_tree_broadcast(machine_of(6.0, 2.0, 4.0, 15)).finish_cycles,
              3 * (10.0 + 4.0));
    EXPECT_EQ(logp_binomial_broadcast(machine).finish_cycles, 3 * 10.0);
    // With a gap longer than a delivery, the source's third send ends last.
    EXPECT_EQ(logp_binomial_broadcast(machine_of(6.0, 2.0, 20.0, 8)).finish_cycles,
              2 * 20.0 + 10.0);
}

TEST(LogpBroadcast, NoTreeEndsBeforeTheOptimalOne) {
    for (const int processors : {2, 3, 8, 64, 1000}) {
        for (const double gap : {1.0, 4.0, 40.0}) {
            const LogpMachine machine = machine_of(6.0, 2.0, gap, processors);
            const double optimal = logp_optimal_broadcast(machine).finish_cycles;
            EXPECT_LE(optimal, logp_binary_tree_broadcast(machine).finish_cycles);
            EXPECT_LE(optimal, logp_flat_broadcast(machine).finish_cycles);
            EXPECT_LE(optimal, logp_binomial_broadcast(machine).finish_cycles);
        }
    }
}

// LogP (1993), footnote 2: with o = 0 and g = 1 the broadcast is that of the postal model (Bar-Noy
// and Kipnis). In that model N(t) = N(t - 1) + N(t - L) processors are informed at time t.
TEST(LogpBroadcast, WithoutOverheadAndUnitGapItIsThePostalModels) {
    const int latency = 3;
    std::vector<int> informed{1, 1, 1};
    for (int t = 3; t <= 20; ++t) {
        const auto at = static_cast<std::size_t>(t);
        informed.push_back(informed[at - 1] + informed[at - static_cast<std::size_t>(latency)]);
        EXPECT_EQ(logp_optimal_broadcast(machine_of(latency, 0.0, 1.0, informed[at])).finish_cycles,
                  t);
        EXPECT_GT(
            logp_optimal_broadcast(machine_of(latency, 0.0, 1.0, informed[at] + 1)).finish_cycles,
            t);
    }
}

// LogP Figure 3: L = 6, o = 2, g = 4 and P = 8.
TEST(LogpBroadcast, AGivenTreeHasTheFinishOfTheSchedule) {
    const BroadcastSchedule optimal = logp_optimal_broadcast(machine_of(6.0, 2.0, 4.0, 8));
    std::vector<std::vector<std::int32_t>> children(8);
    for (const BroadcastSend& send : optimal.sends) {
        children[static_cast<std::size_t>(send.from)].push_back(send.to);
    }
    EXPECT_EQ(logp_tree_broadcast_cycles(children, 4.0, 10.0), 24.0);
    EXPECT_EQ(logp_tree_broadcast_cycles({{1, 2, 3}, {}, {}, {}}, 12.0, 150.0), 174.0);
    EXPECT_EQ(logp_tree_broadcast_cycles({{1}, {2}, {}}, 12.0, 150.0), 300.0);
}

TEST(LogpBroadcast, RefusesMachinesThatDoNotExist) {
    EXPECT_THROW(logp_optimal_broadcast({}), ModelError);
    EXPECT_THROW(logp_flat_broadcast(machine_of(6.0, 2.0, 4.0, 0)), ModelError);
    EXPECT_THROW(logp_binary_tree_broadcast(machine_of(6.0, -2.0, 4.0, 8)), ModelError);
    EXPECT_THROW(logp_binomial_broadcast(machine_of(6.0, 2.0, 4.0, kLogpMostProcessors + 1)),
                 ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
