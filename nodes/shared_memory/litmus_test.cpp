#include "nodes/shared_memory/testing/litmus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "memory/coherence/sequential_consistency.h"
#include "nodes/shared_memory/testing/faulty_port.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using testing::FaultyPort;
using testing::Litmus;
using testing::LitmusOutcome;
using testing::SharedBench;

struct Shape {
    const char* name = "";
    const char* protocol = "limitless";
    std::int64_t contexts = 1;
    // Rough factor of an access's time; 10 if software serves each access.
    std::int64_t slowness = 1;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.name; }

/// Runs the litmus tests repeatedly, each round with new words. Random choices: the contexts and
/// nodes that run the programs; the words' homes (two, one, or all in one line); existing copies;
/// pauses before accesses.
class LitmusBase : public ::testing::Test {
  protected:
    static constexpr std::int64_t kNodes = 8;
    static constexpr std::int64_t kRounds = 4000;

    void set_up(const Shape& shape) {
        contexts_ = shape.contexts;
        round_cycles_ = 400 * shape.slowness;
        most_pause_ = 60 * shape.slowness;
        bench_.set(bench_.configuration.coherence, "protocol", std::string(shape.protocol));
        bench_.set(bench_.configuration.coherence, "pointers", std::int64_t{1});
        bench_.set(bench_.configuration.coherence, "shared_bytes", kSharedBytes);
        // Wrong loads must show in the outcomes, so the golden memory must not stop the run.
        bench_.set(bench_.configuration.coherence, "check_loads", false);
        bench_.set(bench_.configuration.core, "contexts", shape.contexts);
        bench_.traced.shared_accesses = true;
        for (std::int64_t context = 0; context < shape.contexts; ++context) {
            const auto script = [this, context](Processor& processor, ActiveMessages&) {
                return run_rounds(processor, context);
            };
            if (context == 0) {
                bench_.thread = script;
            } else {
                bench_.further_threads.push_back(script);
            }
        }
    }

    /// Outcomes of each test, with the number of times that each was seen.
    using Seen = std::map<std::string, std::map<std::string, int>>;

    // Runs the tests with these names, or all. With a planted fault, no two words share a line,
    // since the protocol's tables would detect the fault first.
    Seen outcomes(const std::set<std::string>& names = {},
                  std::optional<FaultyPort::Fault> fault = std::nullopt) {
        plan(names, !fault);
        bench_.build().load([this](Processor& processor) {
            return std::make_unique<firmware::testing::ScriptedProgram>(
                processor, bench_.firmware_parameters, bench_.thread, bench_.handlers,
                bench_.further_threads);
        });
        std::vector<std::unique_ptr<FaultyPort>> ports;
        for (std::int32_t node = 0; fault && node < kNodes; ++node) {
            ports.push_back(std::make_unique<FaultyPort>(bench_.machine(), node, *fault));
        }
        EXPECT_EQ(bench_.machine().run({.watchdog_cycles = Cycles(50'000)}), RunEnd::kFinished);
        Seen seen;
        for (Round& round : rounds_) {
            for (std::size_t place = 0; place < round.addresses.size(); ++place) {
                std::array<std::uint8_t, 4> bytes{};
                bench_.machine().read_memory(hw::NodeId(0), round.addresses[place], bytes);
                std::memcpy(&round.outcome.left[place], bytes.data(), bytes.size());
            }
            seen[round.litmus->name][round.outcome.text()] += 1;
        }
        return seen;
    }
    /// Names of the tests with outcomes that sequential consistency forbids.
    static std::set<std::string> with_forbidden(const Seen& seen) {
        std::set<std::string> names;
        for (const Litmus& litmus : testing::litmus_tests()) {
            const testing::SequentialOutcomes allowed(litmus);
            const auto found = seen.find(litmus.name);
            for (const auto& [outcome, times] :
                 found == seen.end() ? std::map<std::string, int>{} : found->second) {
                if (!allowed.all().contains(outcome)) {
                    names.insert(litmus.name);
                }
            }
        }
        return names;
    }
    std::string fault_of_order() { return memory::check_order(bench_.trace.shared_accesses).fault; }

  private:
    static constexpr std::int64_t kSharedBytes = 1 << 17;
    // A context of a node that runs one of a test's programs.
    struct Player {
        std::int64_t node = 0;
        std::int64_t context = 0;
        std::array<bool, 2> has_copy{};
        std::array<std::int64_t, 3> pauses{};  // pauses before each access, in cycles
    };
    struct Round {
        const Litmus* litmus;
        LitmusOutcome outcome;
        std::vector<Player> players;
        std::vector<std::uint32_t> addresses;
    };

    void plan(const std::set<std::string>& names, bool shares_lines) {
        std::vector<const Litmus*> tests;
        for (const Litmus& litmus : testing::litmus_tests()) {
            if (names.empty() || names.contains(litmus.name)) {
                tests.push_back(&litmus);
            }
        }
        hw::RandomStream random(1, hw::NodeId(0), "litmus tests");
        const auto below = [&random](std::int64_t bound) {
            return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
        };
        for (std::int64_t number = 0; number < kRounds; ++number) {
            const Litmus& litmus = *tests[static_cast<std::size_t>(number) % tests.size()];
            Round round{&litmus, LitmusOutcome(litmus), {}, {}};
            const std::int64_t distance = shares_lines ? below(3) : 1 + below(2);
            const std::int64_t home = below(kNodes);
            for (std::int64_t place = 0; place < static_cast<std::int64_t>(litmus.places());
                 ++place) {
                const std::int64_t other_home = (home + place * (1 + below(kNodes - 1))) % kNodes;
                const std::int64_t line = 2 * number + (distance == 0 ? 0 : place);
                round.addresses.push_back(static_cast<std::uint32_t>(
                    memory::kSharedBase + (distance == 2 ? other_home : home) * kSharedBytes +
                    line * 16 + place * 4));
            }
            std::set<std::int64_t> taken;
            while (round.players.size() < litmus.programs.size()) {
                Player player{.node = below(kNodes), .context = below(contexts_)};
                if (!taken.insert(player.node * contexts_ + player.context).second) {
                    continue;
                }
                for (bool& has_copy : player.has_copy) {
                    has_copy = below(2) == 0;
                }
                for (std::int64_t& pause : player.pauses) {
                    pause = below(most_pause_);
                }
                round.players.push_back(player);
            }
            rounds_.push_back(std::move(round));
        }
    }

    Task run_rounds(Processor& processor, std::int64_t context) {
        for (std::size_t number = 0; number < rounds_.size(); ++number) {
            for (std::size_t i = 0; i < rounds_[number].players.size(); ++i) {
                const Player& player = rounds_[number].players[i];
                if (player.node == processor.node().index() && player.context == context) {
                    const auto begin = static_cast<std::int64_t>(number) * round_cycles_;
                    co_await processor.wait_until(Cycles(begin));
                    co_await play(processor, rounds_[number], i, Cycles(begin + round_cycles_ / 2));
                }
            }
        }
    }

    static Task play(Processor& processor, Round& round, std::size_t number, Cycles begin) {
        const Player& player = round.players[number];
        for (std::size_t place = 0; place < round.addresses.size(); ++place) {
            if (player.has_copy.at(place)) {
                co_await processor.load(round.addresses[place]);
            }
        }
        co_await processor.wait_until(begin);
        const Litmus::Program& program = round.litmus->programs[number];
        for (std::size_t i = 0; i < program.size(); ++i) {
            const Litmus::Access& access = program[i];
            co_await processor.compute(Cycles(player.pauses.at(i)));
            const std::uint32_t address = round.addresses[access.place];
            if (access.is_store) {
                co_await processor.store(address, access.value);
            } else {
                round.outcome.loaded[number].push_back(co_await processor.load(address));
            }
        }
    }

    std::int64_t contexts_ = 1;
    std::int64_t round_cycles_ = 0;
    std::int64_t most_pause_ = 0;  // longest pause before an access
    std::vector<Round> rounds_;
    SharedBench bench_;
};

class LitmusTest : public LitmusBase, public ::testing::WithParamInterface<Shape> {};

TEST_P(LitmusTest, OnlyOutcomesOfOneMemoryAreSeen) {
    set_up(GetParam());
    const Seen seen = outcomes();
    for (const Litmus& litmus : testing::litmus_tests()) {
        const std::set<std::string> allowed = testing::SequentialOutcomes(litmus).all();
        std::set<std::string> outcomes;
        for (const auto& [outcome, times] : seen.at(litmus.name)) {
            EXPECT_TRUE(allowed.contains(outcome)) << litmus.name << ": " << outcome;
            outcomes.insert(outcome);
        }
        if (litmus.programs.size() == 2) {
            EXPECT_EQ(outcomes, allowed) << litmus.name;
        }
        EXPECT_GE(2 * outcomes.size(), allowed.size()) << litmus.name;
    }
    EXPECT_EQ(fault_of_order(), "");
}

INSTANTIATE_TEST_SUITE_P(Machines, LitmusTest,
                         ::testing::Values(Shape{"limitless", "limitless", 1},
                                           Shape{"full_map", "full_map", 1},
                                           Shape{"limited", "limited", 1},
                                           Shape{"software", "software", 1, 10},
                                           Shape{"software_four_contexts", "software", 4, 10},
                                           Shape{"limitless_four_contexts", "limitless", 4},
                                           Shape{"full_map_four_contexts", "full_map", 4},
                                           Shape{"limited_four_contexts", "limited", 4},
                                           Shape{"forwarding", "forwarding", 1},
                                           Shape{"forwarding_four_contexts", "forwarding", 4}),
                         [](const auto& instance) { return std::string(instance.param.name); });

class LitmusFaultTest : public LitmusBase, public ::testing::WithParamInterface<const char*> {};

TEST_P(LitmusFaultTest, ACopyThatStaysIsSeen) {
    set_up({GetParam(), GetParam(), 1});
    const Seen seen = outcomes({"MP", "CoRR"}, FaultyPort::Fault::kKeepsCopy);
    EXPECT_THAT(with_forbidden(seen), ::testing::Contains("MP"));
    EXPECT_NE(fault_of_order(), "");
}

TEST_P(LitmusFaultTest, AStoreThatDoesNotWaitForAcknowledgementsIsSeen) {
    set_up({GetParam(), GetParam(), 1});
    const Seen seen = outcomes({"SB"}, FaultyPort::Fault::kDoesNotWait);
    EXPECT_THAT(with_forbidden(seen), ::testing::Contains("SB"));
    EXPECT_NE(fault_of_order(), "");
}

INSTANTIATE_TEST_SUITE_P(Protocols, LitmusFaultTest, ::testing::Values("full_map", "forwarding"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace

}  // namespace weir::nodes
