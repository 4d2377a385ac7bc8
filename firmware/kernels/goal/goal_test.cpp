#include "firmware/kernels/goal/goal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <queue>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "hw/testing/test_folder.h"

namespace weir::firmware {
namespace {

using Kind = GoalOperation::Kind;
using hw::testing::result_of_separate_run;
using weir::testing::Names;

struct LogpCosts {
    std::int64_t latency = 0;
    std::int64_t overhead = 0;
    std::int64_t gap = 0;
};

// LogGOPSim's rules with G = O = 0 and S above the longest message (Hoefler, Schneider, Lumsdaine
// 2010), independent of the machine. One queue holds the events of all ranks, in the order of their
// times. LogGOPSim leaves the order of equal times open. Here the earlier created event is first,
// and within a cycle the event that the lower rank created.
class EventRules {
  public:
    EventRules(const GoalSchedule& schedule, const LogpCosts& costs)
        : schedule_(schedule), costs_(costs), ranks_(schedule.size()) {
        for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
            std::vector<std::size_t> first;
            for (std::size_t i = 0; i < schedule[rank].size(); ++i) {
                ranks_[rank].open.push_back(schedule[rank][i].conditions);
                if (schedule[rank][i].conditions == 0) {
                    first.push_back(i);
                }
            }
            create(rank, first, -1);
        }
    }

    std::vector<std::int64_t> finish_times() {
        while (!events_.empty()) {
            Event event = events_.top();
            events_.pop();
            const std::int64_t earliest = earliest_of(event);
            if (earliest > event.time) {
                event.time = earliest;
                events_.push(event);
            } else if (event.is_message) {
                receive(event);
            } else {
                begin(event);
            }
        }
        std::vector<std::int64_t> times;
        for (const Rank& rank : ranks_) {
            times.push_back(rank.core_free);
        }
        return times;
    }

  private:
    struct Event {
        std::int64_t time = 0;
        std::tuple<std::int64_t, std::size_t, std::int64_t> creation;  // cycle, rank, number
        std::size_t rank = 0;
        bool is_message = false;
        std::size_t source = 0;     // source of a message
        std::size_t operation = 0;  // an operation of this rank, or the message's send
        bool operator<(const Event& other) const {  // the least is on top
            return std::tie(time, creation) > std::tie(other.time, other.creation);
        }
    };
    struct Rank {
        std::int64_t core_free = 0;
        std::int64_t send_free = 0;
        std::int64_t receive_free = 0;
        std::vector<std::size_t> open;
        std::vector<std::size_t> posted;
        std::vector<Event> unexpected;
    };

    [[nodiscard]] std::int64_t earliest_of(const Event& event) const {
        const Rank& rank = ranks_[event.rank];
        if (event.is_message) {
            return std::max(rank.core_free, rank.receive_free);
        }
        switch (schedule_[event.rank][event.operation].kind) {
            case Kind::kSend:
                return std::max(rank.core_free, rank.send_free);
            case Kind::kCalculate:
                return rank.core_free;
            case Kind::kReceive:
                return 0;
        }
        return 0;
    }

    void create(std::size_t rank, const std::vector<std::size_t>& operations, std::int64_t now) {
        for (const Kind kind : {Kind::kSend, Kind::kReceive, Kind::kCalculate}) {
            std::vector<std::size_t> of_kind;
            for (const std::size_t operation : operations) {
                if (schedule_[rank][operation].kind == kind) {
                    of_kind.push_back(operation);
                }
            }
            std::sort(of_kind.begin(), of_kind.end());
            for (const std::size_t operation : of_kind) {
                events_.push(
                    {ranks_[rank].core_free, {now, rank, created_++}, rank, false, 0, operation});
            }
        }
    }
    void release(std::size_t rank, const std::vector<std::size_t>& waiting,
                 std::vector<std::size_t>& possible) {
        for (const std::size_t operation : waiting) {
            if (--ranks_[rank].open[operation] == 0) {
                possible.push_back(operation);
            }
        }
    }
    [[nodiscard]] bool matches(const GoalOperation& receive, const Event& message) const {
        const bool has_source = receive.peer == GoalOperation::kAny ||
                                receive.peer == static_cast<std::int64_t>(message.source);
        return has_source && (receive.tag == GoalOperation::kAny ||
                              receive.tag == schedule_[message.source][message.operation].tag);
    }

    void begin(const Event& event) {
        const GoalOperation& operation = schedule_[event.rank][event.operation];
        Rank& rank = ranks_[event.rank];
        bool ends = true;
        if (operation.kind == Kind::kCalculate) {
            rank.core_free = event.time + operation.amount;
        } else if (operation.kind == Kind::kSend) {
            rank.core_free = event.time + costs_.overhead;
            rank.send_free = event.time + costs_.gap;
            events_.push({rank.core_free + costs_.latency,
                          {event.time, event.rank, created_++},
                          static_cast<std::size_t>(operation.peer),
                          true,
                          event.rank,
                          event.operation});
        } else {
            const auto found =
                std::find_if(rank.unexpected.begin(), rank.unexpected.end(),
                             [&](const Event& message) { return matches(operation, message); });
            ends = found != rank.unexpected.end();
            if (ends) {
                rank.unexpected.erase(found);
            } else {
                rank.posted.push_back(event.operation);
            }
        }
        std::vector<std::size_t> possible;
        release(event.rank, operation.after_start, possible);
        if (ends) {
            release(event.rank, operation.after_end, possible);
        }
        create(event.rank, possible, event.time);
    }

    void receive(const Event& event) {
        Rank& rank = ranks_[event.rank];
        rank.core_free = event.time + costs_.overhead;
        rank.receive_free = event.time + costs_.gap;
        const auto found = std::find_if(
            rank.posted.begin(), rank.posted.end(),
            [&](std::size_t receive) { return matches(schedule_[event.rank][receive], event); });
        if (found == rank.posted.end()) {
            rank.unexpected.push_back(event);
            return;
        }
        const GoalOperation& operation = schedule_[event.rank][*found];
        rank.posted.erase(found);
        std::vector<std::size_t> possible;
        release(event.rank, operation.after_end, possible);
        create(event.rank, possible, event.time);
    }

    const GoalSchedule& schedule_;
    LogpCosts costs_;
    std::vector<Rank> ranks_;
    std::priority_queue<Event> events_;
    std::int64_t created_ = 0;
};

// A random schedule that ends. Operations require earlier ones only. A message has a tag of its
// own, or is ordered behind the earlier message of its tag.
std::string random_schedule(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t count) { return random() % count; };
    const std::size_t ranks = 2 + below(4);
    std::vector<std::string> text(ranks);
    std::vector<std::size_t> counts(ranks);
    const auto add = [&](std::size_t rank, const std::string& operation) {
        const std::size_t number = counts[rank]++;
        text[rank] += fmt::format("o{}: {}\n", number, operation);
        for (std::uint32_t i = below(3); i > 0 && number > 0; --i) {
            text[rank] +=
                fmt::format("o{} {} o{}\n", number, below(4) == 0 ? "irequires" : "requires",
                            below(static_cast<std::uint32_t>(number)));
        }
        return number;
    };
    for (std::uint32_t step = 8 + below(17); step > 0; --step) {
        const std::size_t rank = below(static_cast<std::uint32_t>(ranks));
        if (below(2) == 0) {
            add(rank, fmt::format("calc {}", below(5) == 0 ? 0 : 1 + below(997)));
            continue;
        }
        const std::size_t other = (rank + 1 + below(static_cast<std::uint32_t>(ranks) - 1)) % ranks;
        const std::string from = below(4) == 0 ? "-1" : std::to_string(rank);
        std::size_t send =
            add(rank, fmt::format("send {}b to {} tag {}", 1 + below(99), other, step));
        std::size_t receive = add(other, fmt::format("recv 8b from {} tag {}", from, step));
        if (below(3) == 0) {  // a second message that the same receives could match
            const std::size_t next = add(rank, fmt::format("send 8b to {} tag {}", other, step));
            text[rank] += fmt::format("o{} requires o{}\n", next, send);
            const std::size_t later = add(other, fmt::format("recv 8b from {} tag {}", from, step));
            text[other] += fmt::format("o{} irequires o{}\n", later, receive);
        }
    }
    std::string schedule = fmt::format("num_ranks {}\n", ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        schedule += fmt::format("rank {} {{\n{}}}\n", rank, text[rank]);
    }
    return schedule;
}

class GoalTest : public ::testing::Test {
  protected:
    static void write(const std::string& schedule) { std::ofstream("a.goal") << schedule; }

    static void prepare(testing::KernelBench& bench, const LogpCosts& costs, std::int64_t nodes) {
        bench.make_abstract_machine(nodes, costs.latency, costs.overhead, costs.gap);
        bench.set(bench.firmware_parameters, "entry_cycles", std::int64_t{0});
        bench.set_workload("schedule", std::string("a.goal"));
        bench.set_workload("bodies", false);
        bench.set_workload("receive_cycles", costs.overhead);
        bench.set_workload("gap_cycles", costs.gap);
    }

    // Finish times of all ranks, or a description of the fault.
    static std::string times_on_machine(const LogpCosts& costs, std::int64_t nodes) {
        return result_of_separate_run([=] {
            testing::KernelBench bench("goal");
            prepare(bench, costs, nodes);
            std::string times = bench.fault_of_run();
            for (const hw::Cycles finish : dynamic_cast<Goal&>(bench.kernel()).finish_cycles()) {
                times += fmt::format("{} ", finish.count());
            }
            return times;
        });
    }
    static std::string times_by_rules(const std::string& schedule, const LogpCosts& costs) {
        std::string times;
        for (const std::int64_t finish :
             EventRules(parse_goal(schedule, "a.goal"), costs).finish_times()) {
            times += fmt::format("{} ", finish);
        }
        return times;
    }

  private:
    hw::testing::CurrentTestFolder folder_;
};

TEST_F(GoalTest, AMessageTakesOverheadLatencyAndOverhead) {
    write(
        "num_ranks 2\nrank 0 {\na: calc 100\nb: send 8b to 1\nb requires a\n}\n"
        "rank 1 {\na: recv 8b from 0\nb: calc 5\nb requires a\n}\n");
    EXPECT_EQ(times_on_machine({40, 7, 3}, 2), fmt::format("{} {} ", 107, 100 + 7 + 40 + 7 + 5));
}

// The thread calculates in the gap between two sends.
TEST_F(GoalTest, AGapDoesNotStopOtherOperations) {
    write(
        "num_ranks 2\nrank 0 {\nsend 8b to 1\nsend 8b to 1\ncalc 20\n}\n"
        "rank 1 {\nrecv 8b from 0\nrecv 8b from 0\n}\n");
    EXPECT_EQ(times_on_machine({400, 7, 50}, 2), fmt::format("{} {} ", 57, 50 + 7 + 400 + 7));
}

// Messages that arrive during a calculation wait for its end.
TEST_F(GoalTest, ACalculationIsNotInterrupted) {
    write(
        "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\n"
        "rank 1 {\ncalc 1000\nrecv 8b from 0\n}\n");
    EXPECT_EQ(times_on_machine({40, 7, 3}, 2), fmt::format("{} {} ", 7, 1007));
}

TEST_F(GoalTest, RandomSchedulesFinishAsByLogGopsimsRules) {
    std::string differences;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        std::mt19937 random(seed);
        const auto gap = static_cast<std::int64_t>(1 + random() % 60);
        // The capacity ceil(L/g) exceeds the number of messages.
        const LogpCosts costs{gap * 60 + static_cast<std::int64_t>(random() % 1000),
                              static_cast<std::int64_t>(1 + random() % 40), gap};
        const std::string schedule = random_schedule(seed);
        write(schedule);
        const std::string measured = times_on_machine(costs, 6);
        const std::string expected = times_by_rules(schedule, costs);
        if (measured != expected) {
            differences +=
                fmt::format("seed {}, L {}, o {}, g {}: {}instead of {}\n", seed, costs.latency,
                            costs.overhead, costs.gap, measured, expected);
        }
    }
    EXPECT_EQ(differences, "");
}

// With bodies on a machine with routers: every receive is matched, and the bytes take time.
TEST_F(GoalTest, LongMessagesAreBodies) {
    const auto run_cycles = [](std::int64_t bytes) {
        write(
            fmt::format("num_ranks 2\nrank 0 {{\nsend {0}b to 1 tag 3\n}}\n"
                        "rank 1 {{\nrecv {0}b from 0 tag 3\n}}\n",
                        bytes));
        return std::stoll(result_of_separate_run([] {
            testing::KernelBench bench("goal");
            bench.set_dimensions({2});
            bench.set_workload("schedule", std::string("a.goal"));
            EXPECT_EQ(bench.fault_of_run(), "");
            return std::to_string(
                dynamic_cast<Goal&>(bench.kernel()).finish_cycles().at(1).count());
        }));
    };
    // 2 bytes a cycle; the interrupt of about 120 cycles and the end of a body overlap.
    EXPECT_GE(run_cycles(2048) - run_cycles(8), 2040 / 2 - 150);
}

TEST_F(GoalTest, RefusesMoreRanksThanNodes) {
    write("num_ranks 5\n");
    testing::KernelBench bench("goal");
    bench.set_dimensions({4});
    bench.set_workload("schedule", std::string("a.goal"));
    EXPECT_THAT(bench.fault_of_data(), Names("a.goal", "5 ranks", "4 nodes"));
}

}  // namespace
}  // namespace weir::firmware
