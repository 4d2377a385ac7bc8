// Drawn machines keep the laws, and a planted fault shows that each law can be broken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "experiments/random_machines/campaign.h"
#include "experiments/random_machines/own_process.h"
#include "experiments/random_machines/shrink.h"
#include "experiments/random_machines/value_draw.h"
#include "experiments/setup/files/temporary_folder.h"
#include "hw/testing/test_cost.h"
#include "nodes/shared_memory/testing/faulty_port.h"

namespace weir::experiments::random_machines {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Values = std::vector<std::int64_t>;

const Settings& small_machine() {
    static const Settings settings{{kProgramKey, "remap"},
                                   {kCoreKey, "behavioural"},
                                   {"machine.nodes", std::int64_t{4}},
                                   {"network.dimensions", Values{2, 2}},
                                   {"network.hop_cycles", std::int64_t{7}},
                                   {"network.buffer_flits", std::int64_t{9}},
                                   {"workload.iterations", std::int64_t{5}},
                                   {kEndKey, std::int64_t{100'000}},
                                   {kWatchdogKey, std::int64_t{50'000}}};
    return settings;
}

// Runs a campaign, and expects no violation. At least half of the runs must end by themselves.
CampaignReport expect_all_laws(std::uint64_t seed, std::uint64_t draws) {
    const Campaign campaign{
        .chosen = {.seed = seed,
                   .count = draws,
                   .workers = std::max(1U, std::thread::hardware_concurrency())}};
    CampaignReport report = run_campaign(
        campaign,
        [&campaign](const BrokenMachine& machine) {
            ADD_FAILURE() << smallest_experiment(machine, campaign);
        },
        [](const CampaignReport&) {});
    EXPECT_EQ(report.draws, draws);
    EXPECT_EQ(report.violations, 0U);
    EXPECT_GT(report.ends.at("finished"), draws / 2) << report.tally();
    return report;
}

TEST(RandomMachinesTest, FortyHoldAllLaws) { expect_all_laws(2, 40); }

// Every important choice is drawn at least once.
TEST(RandomMachinesTest, TwoHundredHoldAllLaws) {
    const CampaignReport report = expect_all_laws(1, 200);
    EXPECT_GE(report.choices.at("network.topology").size(), 6U) << report.tally();
    for (const char* choice : {"network.router", "network.switching", "network.model", "core.kind",
                               "core.receive_mode", "network.arbitration"}) {
        EXPECT_GE(report.choices.at(choice).size(), 2U) << report.tally();
    }
    EXPECT_GT(report.choices.at(kProgramKey).size(), 20U) << report.tally();
}

class RandomMachineTest : public ::testing::Test {
  protected:
    [[nodiscard]] Settings drawn(std::uint64_t number, std::uint64_t seed = 1) const {
        Refusals refusals;
        return draw_machine({seed, number, 0}, folder_.path(), refusals);
    }
    [[nodiscard]] TrialReport trial(const TrialOptions& options = {}) const {
        return try_machine(small_machine(), folder_.path(), options);
    }
    setup::TemporaryFolder folder_{"weir-machines"};
};

TEST_F(RandomMachineTest, ADrawDependsOnItsNumbersAlone) {
    const Settings seventh = drawn(7);
    EXPECT_NE(drawn(8), seventh);
    EXPECT_NE(drawn(7, 2), seventh);
    EXPECT_EQ(drawn(7), seventh);
}

// A new parameter is drawn without further code, unless no result depends on it.
TEST_F(RandomMachineTest, WhatIsDeclaredIsDrawnOrThrownAsASwitch) {
    const OpenSetup open(small_machine(), folder_.path());
    const auto* hop = open.find("network.hop_cycles");
    const auto* sleeping = open.find("clock.sleeping");
    const auto* end = open.find(kEndKey);
    ASSERT_TRUE(hop != nullptr && sleeping != nullptr && end != nullptr);
    EXPECT_TRUE(is_drawn(*hop));
    EXPECT_FALSE(is_drawn(*sleeping));
    EXPECT_FALSE(is_drawn(*end));
    hw::RandomStream stream(1, hw::NodeId(0), "values");
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(hop->parameter->set(draw_value(*hop, stream)));
    }
}

TEST_F(RandomMachineTest, ADrawnMachineIsAnExperiment) {
    const Settings settings = drawn(3);
    EXPECT_NO_THROW(static_cast<void>(
        kinds::make_setup(experiment_of(settings, folder_.path()), setup::SelectedRun(0))));
    EXPECT_EQ(OpenSetup(settings, folder_.path()).settings(), settings);
}

TEST_F(RandomMachineTest, ARightMachineHoldsAllLaws) {
    const TrialReport report = trial({.measures = true});
    EXPECT_FALSE(report.violation.has_value()) << report.violation->what;
    EXPECT_EQ(report.end, "finished");
    EXPECT_EQ(report.runs, 5);
    EXPECT_EQ(report.messages, 4 * 5 * 2);
}

// --- Machines that broke a law, made small
// --------------------------------------------------------

Setting word(const char* key, const char* value) { return {key, std::string(value)}; }
Setting number(const char* key, std::int64_t value) { return {key, value}; }

struct FoundMachine {
    const char* what;
    Settings settings;
    const char* refusal = "";  ///< part of the message that refuses the machine; empty: it runs
};
void PrintTo(const FoundMachine& found, std::ostream* out) { *out << found.what; }

class FoundMachineTest : public RandomMachineTest,
                         public ::testing::WithParamInterface<FoundMachine> {};

TEST_P(FoundMachineTest, HoldsAllLaws) {
    Settings settings = GetParam().settings;
    settings.push_back({kEndKey, std::int64_t{200'000}});
    settings.push_back({kWatchdogKey, std::int64_t{100'000}});
    const TrialReport report = try_machine(settings, folder_.path());
    EXPECT_THAT(report.refusal, HasSubstr(GetParam().refusal));
    EXPECT_EQ(report.refusal.empty(), std::string(GetParam().refusal).empty()) << report.refusal;
    EXPECT_FALSE(report.violation.has_value())
        << report.violation->law << ": " << report.violation->what << report.switches.text();
}

INSTANTIATE_TEST_SUITE_P(
    Found, FoundMachineTest,
    ::testing::Values(
        FoundMachine{"the status is asked before the engine has begun",
                     {word(kProgramKey, "boundary-exchange"), word(kCoreKey, "behavioural"),
                      word("core.receive_mode", "protocol_processor"),
                      word("firmware.body_receive", "status")}},
        FoundMachine{"a stored message has lost its tail",
                     {word(kProgramKey, "meetings"),
                      word(kCoreKey, "behavioural"),
                      word("network.switching", "store_and_forward"),
                      number("network.copies", 2),
                      number("network.flit_bytes", 5),
                      {"faults.lost_flits_per_million", 115.599},
                      {"run.seeds", Values{389}}}},
        FoundMachine{"an output is free behind a lost tail",
                     {word(kProgramKey, "all-pairs"),
                      word(kCoreKey, "behavioural"),
                      number("network.copies", 2),
                      number("network.channel_bits_per_cycle", 2),
                      number("network.tag_bytes", 2),
                      number("network.routing_cycles", 9),
                      {"faults.lost_flits_per_million", 218.559}}},
        FoundMachine{"stores fill the port before a fetch",
                     {word(kProgramKey, "multithread"),
                      word(kCoreKey, "sparcle"),
                      number("memory_port.beat_bytes", 1),
                      number("memory_port.beat_cycles", 8),
                      number("core.contexts", 4),
                      number("memory.caches", 2),
                      {"l1.write_allocate", false},
                      number("workload.threads", 4)}},
        FoundMachine{"a thread loads and stores for long",
                     {word(kProgramKey, "fft"),
                      word(kCoreKey, "behavioural"),
                      number("machine.nodes", 2),
                      {"network.dimensions", Values{2}},
                      number("workload.butterfly_cycles", 0)}},
        FoundMachine{"a victim that is not ready hides one that is clean",
                     {word(kProgramKey, "lu"),
                      word(kCoreKey, "behavioural"),
                      number("memory.caches", 4),
                      number("l1.bytes", 32),
                      number("l1.ways", 0),
                      word("l1.replacement", "random"),
                      number("l1.write_buffer_entries", 1),
                      {"l1.prefetch_next_line", true},
                      number("l2.bytes", 512),
                      number("l2.busy_cycles", 7),
                      number("l3.bytes", 512),
                      number("workload.rows", 8),
                      word("workload.layout", "blocked_grid"),
                      number("workload.update_cycles", 16),
                      number("workload.compare_cycles", 32),
                      number("workload.divide_cycles", 4),
                      {"run.seeds", Values{443}}}},
        FoundMachine{"a router asks for the credits of virtual channels that it then does without",
                     {word(kProgramKey, "message-lock"),
                      word(kCoreKey, "behavioural"),
                      number("machine.nodes", 18),
                      {"network.dimensions", Values{3, 6}},
                      number("network.virtual_channels", 7),
                      word("network.vc_reallocation", "tail_credit"),
                      number("network.switch_allocation_cycles", 36),
                      number("network.credit_cycles", 164),
                      number("controller.output_queue_bytes", 64),
                      number("controller.input_queue_bytes", 124),
                      word("workload.method", "add_at_home")}},
        FoundMachine{"an overflow trap has no room",
                     {word(kProgramKey, "diamond-dag"),
                      word(kCoreKey, "sparcle"),
                      number("machine.nodes", 2),
                      {"network.dimensions", Values{2}},
                      {"controller.overflow_trap", true},
                      number("controller.overflow_timeout_cycles", 32),
                      number("sparcle.integer_cycles", 2),
                      number("firmware.overflow_buffer_bytes", 256),
                      number("workload.tasks_per_side", 2),
                      number("workload.blocks", 1),
                      number("workload.message_bytes", 256)},
                     "node 1: an overflow trap finds no room for another message"},
        FoundMachine{"a miss asks the home in its own cycle",
                     {word(kProgramKey, "shared-lock"),
                      word(kCoreKey, "behavioural"),
                      number("machine.nodes", 2),
                      {"network.dimensions", Values{2}},
                      number("memory.caches", 1),
                      number("l1.miss_cycles", 0),
                      number("workload.acquisitions", 2)}},
        FoundMachine{"a compiled program shares an odd number of bytes",
                     {word(kProgramKey, "shared-lock"),
                      word(kCoreKey, "sparcle"),
                      number("machine.nodes", 2),
                      {"network.dimensions", Values{2}},
                      number("memory.bytes", 1'500'001),
                      number("memory.caches", 1),
                      number("workload.acquisitions", 2)}},
        FoundMachine{"a directory in software begins at a whole word",
                     {word(kProgramKey, "shared-lock"),
                      word(kCoreKey, "behavioural"),
                      number("machine.nodes", 4),
                      {"network.dimensions", Values{2, 2}},
                      number("memory.bytes", 823'059),
                      number("memory.caches", 1),
                      number("coherence.pointers", 1),
                      number("workload.acquisitions", 2)}},
        FoundMachine{"no room is kept for an overflow trap that there is not",
                     {word(kProgramKey, "shared-lock"),
                      word(kCoreKey, "behavioural"),
                      number("machine.nodes", 4),
                      {"network.dimensions", Values{2, 2}},
                      number("memory.bytes", 1 << 20),
                      number("memory.caches", 1),
                      number("coherence.pointers", 1),
                      number("workload.acquisitions", 2)}},
        FoundMachine{"a directory in software has no room",
                     {word(kProgramKey, "shared-lock"),
                      word(kCoreKey, "behavioural"),
                      number("machine.nodes", 4),
                      {"network.dimensions", Values{2, 2}},
                      number("memory.bytes", 16'384),
                      number("memory.caches", 1),
                      {"controller.overflow_trap", true},
                      number("coherence.pointers", 1),
                      number("firmware.overflow_buffer_bytes", 16'383),
                      number("workload.acquisitions", 2)},
                     "a coherence trap finds no room in memory"}),
    [](const auto& found) { return std::to_string(found.index); });

/// A fault planted into a run's results, and the law that it breaks.
struct PlantedFault {
    const char* law;
    void (*plant)(EndedRun& run);
};
void PrintTo(const PlantedFault& fault, std::ostream* out) { *out << fault.law; }

class PlantedFaultTest : public RandomMachineTest,
                         public ::testing::WithParamInterface<PlantedFault> {};

TEST_P(PlantedFaultTest, IsSeen) {
    const TrialReport report =
        trial({.plant = [](EndedRun& run, const Switches&) { GetParam().plant(run); }});
    ASSERT_TRUE(report.violation.has_value());
    EXPECT_EQ(report.violation->law, GetParam().law) << report.violation->what;
    EXPECT_TRUE(report.switches.settings.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Laws, PlantedFaultTest,
    ::testing::Values(
        PlantedFault{"conservation", [](EndedRun& run) { --run.account.flits_ejected; }},
        PlantedFault{"each once", [](EndedRun& run) { run.recorded.messages.pop_back(); }},
        PlantedFault{
            "each once",
            [](EndedRun& run) { run.recorded.messages.push_back(run.recorded.messages.front()); }},
        PlantedFault{
            "each once",
            [](EndedRun& run) { run.recorded.messages.front().times.handler_end = hw::kNever; }},
        PlantedFault{"deadlock",
                     [](EndedRun& run) {
                         run.end = nodes::RunEnd::kDeadlock;
                         run.explanation = "no cycle among the parts";
                         run.ends_hold_back = true;
                     }},
        PlantedFault{"deadlock",
                     [](EndedRun& run) {
                         run.end = nodes::RunEnd::kNoProgress;
                         run.explanation = "a cycle of parts that wait for one another";
                         run.ends_hold_back = false;
                     }},
        PlantedFault{"starvation", [](EndedRun& run) { run.end = nodes::RunEnd::kStarved; }},
        PlantedFault{"refusals",
                     [](EndedRun& run) {
                         run.allowed_refusals = 20;
                         run.most_refusals = 21;
                     }},
        PlantedFault{"right answer", [](EndedRun& run) { run.wrong_answer = "42"; }},
        PlantedFault{"stages",
                     [](EndedRun& run) {
                         hw::MessageTimes& times = run.recorded.messages.front().times;
                         times.notify = times.header_arrival - hw::Cycles(1);
                     }},
        PlantedFault{"stages",
                     [](EndedRun& run) {
                         hw::Message& message = run.recorded.messages.front();
                         message.unloaded += hw::Cycles(1000);
                     }},
        PlantedFault{
            "Little",
            [](EndedRun& run) { run.recorded.messages.front().times.dispose += hw::Cycles(1); }},
        PlantedFault{"levels",
                     [](EndedRun& run) { run.recorded.levels.front().bytes += hw::Bytes(2); }},
        PlantedFault{"states",
                     [](EndedRun& run) {
                         run.recorded.intervals.erase(run.recorded.intervals.begin() + 3);
                     }}),
    [](const auto& fault) {
        std::string name = fault.param.law + std::to_string(fault.index);
        std::erase(name, ' ');
        return name;
    });

/// Eight nodes that take a lock in shared memory in turn, with broken mechanisms of forward
/// progress.
class BrokenProgressTest : public RandomMachineTest {
  protected:
    [[nodiscard]] TrialReport lock_trial(std::int64_t most_cycles, Settings settings = {},
                                         const TrialOptions& options = {}) const {
        settings.insert(settings.begin(), {word(kProgramKey, "shared-lock"),
                                           word(kCoreKey, "behavioural"),
                                           number("memory.caches", 1),
                                           {"network.dimensions", Values{4, 2}},
                                           number("machine.nodes", 8)});
        settings.push_back({kStarvationKey, std::int64_t{1}});
        settings.push_back({kEndKey, most_cycles});
        settings.push_back({kWatchdogKey, most_cycles});
        return try_machine(settings, folder_.path(), options);
    }
    // Planted fault: the home never serves a request of node 2 that it has refused.
    static std::shared_ptr<void> refuse_for_ever(nodes::Machine& machine) {
        return std::make_shared<nodes::testing::FaultyPort>(
            machine, 0, nodes::testing::FaultyPort::Fault::kRefuses);
    }
};

TEST_F(BrokenProgressTest, TheMachineAsItIsHoldsAllLaws) {
    const TrialReport report = lock_trial(200'000, {number("workload.acquisitions", 4)});
    EXPECT_FALSE(report.violation.has_value()) << report.violation->what;
    EXPECT_EQ(report.end, "finished");
}

TEST_F(BrokenProgressTest, ANodeThatItsHomeAlwaysRefusesStarves) {
    const TrialReport report = lock_trial(200'000, {number("workload.acquisitions", 10'000)},
                                          {.break_machine = refuse_for_ever});
    ASSERT_TRUE(report.violation.has_value());
    EXPECT_EQ(report.violation->law, "starvation");
    EXPECT_THAT(report.violation->what, HasSubstr("node 2"));
}

TEST_F(BrokenProgressTest, TheRefusalsAreSeenBeforeTheNodeStarves) {
    const TrialReport report = lock_trial(
        30'000, {number("workload.acquisitions", 10'000), word("coherence.protocol", "full_map")},
        {.break_machine = refuse_for_ever});
    ASSERT_TRUE(report.violation.has_value());
    EXPECT_EQ(report.violation->law, "refusals") << report.violation->what;
}

// Planted fault: one message differs by one cycle with one of the switches.
TEST_F(RandomMachineTest, AResultThatDependsOnASwitchIsSeenAndTheSwitchNamed) {
    const TrialReport report = trial({.plant = [](EndedRun& run, const Switches& switches) {
        if (find(switches.settings, "network.flit_by_flit") != nullptr) {
            run.recorded.messages.front().times.compose -= hw::Cycles(1);
        }
    }});
    ASSERT_TRUE(report.violation.has_value());
    EXPECT_EQ(report.violation->law, kSameResults);
    EXPECT_EQ(report.switches.text(), "--set network.flit_by_flit=true");
}

TEST_F(RandomMachineTest, ACrashIsAViolation) {
    const TrialReport report = trial({.plant = [](EndedRun&, const Switches&) { raise(SIGKILL); }});
    ASSERT_TRUE(report.violation.has_value());
    EXPECT_EQ(report.violation->law, kEnds);
}

TEST_F(RandomMachineTest, AnExceptionIsAViolation) {
    const TrialReport report = trial(
        {.plant = [](EndedRun&, const Switches&) { throw std::logic_error("a fault of Weir's"); }});
    ASSERT_TRUE(report.violation.has_value());
    EXPECT_EQ(report.violation->what, "a fault of Weir's");
}

// The fault is planted if hops take three cycles or more and messages have three words; all other
// settings must go.
TEST_F(RandomMachineTest, AMachineThatBreaksALawIsMadeSmallAndPrinted) {
    Settings settings = small_machine();
    settings.push_back({"controller.store_cycles", std::int64_t{9}});
    settings.push_back({"workload.argument_words", std::int64_t{12}});
    const auto is_like = [](const Settings& changed) {
        const Setting* hop = find(changed, "network.hop_cycles");
        const Setting* words = find(changed, "workload.argument_words");
        return hop != nullptr && std::get<std::int64_t>(hop->value) >= 3 && words != nullptr &&
               std::get<std::int64_t>(words->value) >= 3;
    };
    EXPECT_EQ(experiment_text(shrunk(settings, folder_.path(), is_like)),
              R"(workload.kernel = "remap"
core.kind = "behavioural"
network.hop_cycles = 3
workload.argument_words = 3
run.most_cycles = 100000
run.watchdog_cycles = 50000
)");
}

TEST_F(RandomMachineTest, TheSmallestExperimentSaysWhatItBreaksAndHowToTryItAgain) {
    const Campaign campaign{.chosen = {.seed = 5}, .plant = [](EndedRun& run, const Switches&) {
                                for (hw::Message& message : run.recorded.messages) {
                                    message.hops = 0;
                                }
                                run.wrong_answer = "planted";
                            }};
    const std::string text = smallest_experiment(
        {.number = 17, .violation = {"right answer", "planted"}, .settings = small_machine()},
        campaign);
    EXPECT_THAT(text, HasSubstr("# Machine 17 of seed 5 breaks a law: right answer\n#   planted\n"
                                "# To repeat it: random_machines --seed 5 --first 17 --draws 1\n"
                                "workload.kernel = \"remap\"\n"));
    EXPECT_THAT(text, Not(HasSubstr("hop_cycles")));
}

TEST(OwnProcessTest, SaysHowItEnded) {
    EXPECT_EQ(in_own_process([] { return std::string(100'000, 'x'); }, 10).output.size(), 100'000U);
    EXPECT_THAT(in_own_process(
                    []() -> std::string {
                        raise(SIGKILL);
                        return "";
                    },
                    10)
                    .failure,
                HasSubstr("signal 9"));
    EXPECT_EQ(in_own_process([]() -> std::string { throw std::logic_error("no"); }, 10).failure,
              "no");
    EXPECT_EQ(in_own_process(
                  []() -> std::string {
                      for (volatile int i = 0;;) {
                          i = i + 1;
                      }
                  },
                  1)
                  .failure,
              "the process took more than 1 s of processor time");
}

WEIR_TESTS_COST("TwoHundredHoldAllLaws", 69);

}  // namespace
}  // namespace weir::experiments::random_machines
