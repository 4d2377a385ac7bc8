#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "firmware/testing/compiled_bench.h"
#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "hw/testing/test_cost.h"
#include "nodes/shared_memory/testing/faulty_port.h"

namespace weir::firmware {
namespace {

using firmware::testing::CompiledBench;
using firmware::testing::most_refusals;
using firmware::testing::ProgramTestBench;
using firmware::testing::sum_over_homes;
using hw::testing::result_of_separate_run;
using memory::CoherenceController;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using weir::testing::Names;
using weir::testing::NamesMatcher;

constexpr std::int64_t kNodes = 8;

template <class Bench>
void share_memory(Bench& bench) {
    bench.set_dimensions({kNodes / 2, 2});
    bench.set(bench.configuration.machine, "nodes", kNodes);
    bench.set(bench.configuration.memory, "caches", std::int64_t{1});
    bench.set(bench.configuration.memory, "bytes", std::int64_t{1} << 22);
    bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{8192});
    bench.set(bench.configuration.coherence, "check_loads", true);
}

/// A machine whose nodes run sharing.c.
struct Shape {
    const char* name = "";
    const char* protocol = "limitless";
    std::int64_t pointers = 1;
    std::int64_t contexts = 1;
    std::int64_t cache_bytes = 1 << 16;
    std::int64_t queue_bytes = 256;
    const char* home = "segment";
    const char* receive = "interrupt";
    bool thrashlock = true;
    bool fetches = false;
    bool in_step = false;  // true if refused requests are repeated after a constant pause
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.name; }

class SharingBench : public ProgramTestBench {
  public:
    explicit SharingBench(const Shape& shape)
        : ProgramTestBench(shape.contexts > 1 ? "sharing-contexts" : "sharing") {
        share_memory(*this);
        set_workload("shares_memory", true);
        set_workload("threads", shape.contexts);
        set_workload("arguments", std::vector<std::int64_t>{shape.contexts > 1 ? 30 : 200, 1, 0,
                                                            shape.fetches ? 1 : 0});
        set(configuration.coherence, "fetch_and_op", shape.fetches);
        set(configuration.core, "contexts", shape.contexts);
        set(configuration.core, "receive_mode", std::string(shape.receive));
        set(configuration.coherence, "protocol", std::string(shape.protocol));
        if (std::string(shape.protocol) != "software") {
            set(configuration.coherence, "pointers", shape.pointers);
        }
        set(configuration.coherence, "home", std::string(shape.home));
        set(configuration.coherence, "thrashlock", shape.thrashlock);
        if (shape.in_step) {
            set(configuration.coherence, "busy_spread_cycles", std::int64_t{0});
        }
        set(configuration.caches.levels.front(), "bytes", shape.cache_bytes);
        set(configuration.controller, "input_queue_bytes", shape.queue_bytes);
        set(configuration.controller, "output_queue_bytes", shape.queue_bytes);
        if (shape.contexts == 1) {
            set(configuration.controller, "overflow_trap", true);
            set(configuration.controller, "overflow_timeout_cycles", std::int64_t{64});
        }
    }

    std::int64_t sum(hw::Counter CoherenceController::Statistics::*counter) {
        return sum_over_homes(machine(), counter);
    }
    std::int64_t sum_of_cores(hw::Counter nodes::Core::Statistics::*counter) {
        std::int64_t all = 0;
        for (std::int32_t node = 0; node < machine().node_count(); ++node) {
            all += (machine().node(hw::NodeId(node)).core.statistics().*counter).value();
        }
        return all;
    }
    // Summary of all effects of the run, in one text.
    std::string digest() {
        std::string text = outcome(hw::Cycles(8'000'000));
        text += " at " + std::to_string(machine().now().count());
        if (const auto fault = machine().account().fault(true)) {
            return text + ": " + *fault;
        }
        // At most two requests of each of the 7 other nodes are served before a refused one.
        // Serving a request takes as long as a few pauses with hardware directories, and many with
        // software.
        constexpr std::int64_t kMostRefusals = 14 * 200;
        if (const std::int64_t most = most_refusals(machine()); most > kMostRefusals) {
            return text + ": a request was refused " + std::to_string(most) + " times";
        }
        for (const auto counter :
             {&CoherenceController::Statistics::loads, &CoherenceController::Statistics::stores,
              &CoherenceController::Statistics::remote_misses,
              &CoherenceController::Statistics::busy_replies,
              &CoherenceController::Statistics::copies_lost,
              &CoherenceController::Statistics::traps}) {
            text += ", " + std::to_string(sum(counter));
        }
        for (std::int32_t node = 0; node < machine().node_count(); ++node) {
            text += ", " + std::to_string(bytes(node, "sharing_loaded", 4)[3]);
            text += " " + std::to_string(machine()
                                             .node(hw::NodeId(node))
                                             .sparcle_core()
                                             .execution()
                                             .instructions.value());
        }
        return text;
    }
};

class CompiledSharing : public ::testing::TestWithParam<Shape> {
  protected:
    SharingBench bench{GetParam()};
};

// Every load is compared with the last store, and the program checks its counters.
TEST_P(CompiledSharing, IsRightInAnyOrderOfTicksAndWithoutRunningAhead) {
    const std::string plain = result_of_separate_run([this] { return bench.digest(); });
    EXPECT_THAT(plain, StartsWith("right "));
    EXPECT_EQ(result_of_separate_run([this] {
                  bench.set_ticks("shuffled", false);
                  return bench.digest();
              }),
              plain);
    EXPECT_EQ(result_of_separate_run([this] {
                  bench.set(bench.configuration.sparcle, "run_ahead", false);
                  bench.set_ticks("reversed");
                  return bench.digest();
              }),
              plain);
    for (const bool runs_ahead : {false, true}) {
        EXPECT_EQ(result_of_separate_run([&] {
                      bench.set(bench.configuration.coherence, "check_loads", false);
                      bench.set(bench.configuration.sparcle, "run_ahead", runs_ahead);
                      return bench.digest();
                  }),
                  plain)
            << "hits are plain where no load is compared; " << runs_ahead;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, CompiledSharing,
    ::testing::Values(
        Shape{.name = "one_pointer"}, Shape{.name = "five_pointers", .pointers = 5},
        Shape{.name = "full_map", .protocol = "full_map"},
        Shape{.name = "limited", .protocol = "limited"},
        Shape{.name = "software", .protocol = "software"},
        Shape{.name = "software_small_queues", .protocol = "software", .queue_bytes = 64},
        Shape{.name = "contexts_software", .protocol = "software", .contexts = 4},
        Shape{.name = "forwarding", .protocol = "forwarding"},
        Shape{.name = "forwarding_small_queues", .protocol = "forwarding", .queue_bytes = 64},
        Shape{.name = "contexts_forwarding", .protocol = "forwarding", .contexts = 4},
        Shape{.name = "small_cache", .cache_bytes = 512},
        Shape{.name = "small_queues", .queue_bytes = 64}, Shape{.name = "fetches", .fetches = true},
        Shape{.name = "fetches_small_queues",
              .protocol = "software",
              .queue_bytes = 64,
              .fetches = true},
        Shape{.name = "contexts_fetches", .contexts = 4, .cache_bytes = 512, .fetches = true},
        Shape{.name = "polling", .receive = "polling"},
        Shape{.name = "lines_in_turn", .home = "line"},
        Shape{.name = "pages_in_turn", .home = "page"}, Shape{.name = "hashed", .home = "hash"},
        Shape{.name = "in_step", .in_step = true},
        Shape{.name = "in_step_limited", .protocol = "limited", .fetches = true, .in_step = true},
        Shape{.name = "in_step_forwarding", .protocol = "forwarding", .in_step = true},
        Shape{.name = "contexts_in_step", .pointers = 2, .contexts = 4, .in_step = true},
        Shape{.name = "contexts", .contexts = 4},
        Shape{.name = "contexts_small_cache", .contexts = 4, .cache_bytes = 512},
        Shape{.name = "contexts_full_map", .protocol = "full_map", .contexts = 4}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(CompiledLimitless, SoftwareRunsWhereAReaderTooManyComes) {
    SharingBench bench({});
    EXPECT_THAT(bench.digest(), StartsWith("right "));
    EXPECT_GT(bench.sum(&CoherenceController::Statistics::traps), 100);
    EXPECT_GT(bench.sum_of_cores(&nodes::Core::Statistics::coherence_traps), 50);
}

/// Homes whose lines four contexts of each node request again and again. `number` is the seed of
/// the random accesses.
class CompiledStarvedHomes : public ::testing::Test {
  protected:
    static std::string outcome(std::int64_t number, bool trap_turns) {
        return result_of_separate_run([&] {
            SharingBench bench({.protocol = "software", .contexts = 4});
            bench.set_workload("arguments", std::vector<std::int64_t>{30, number});
            bench.set(bench.configuration.coherence, "trap_turns", trap_turns);
            return bench.outcome(hw::Cycles(1'000'000));
        });
    }
};

TEST_F(CompiledStarvedHomes, GetTurnsBetweenTraps) {
    for (std::int64_t number = 1; number <= 8; ++number) {
        EXPECT_EQ(outcome(number, true), "right") << number;
    }
}

// Without trap turns, contexts get enough turns by chance in most cases, so eight seeds are tried.
TEST_F(CompiledStarvedHomes, MayGetNoneWithoutThem) {
    std::set<std::string> ends;
    for (std::int64_t number = 1; number <= 8; ++number) {
        ends.insert(outcome(number, false).substr(0, 12));
    }
    EXPECT_TRUE(ends.contains("not finished"));
}

/// Machines on which mixed_sharing.c once starved a node.
class MixedSharing : public ProgramTestBench {
  public:
    MixedSharing(std::vector<std::int64_t> mesh, std::int64_t contexts,
                 std::vector<std::int64_t> arguments)
        : ProgramTestBench(contexts > 1 ? "mixed_sharing-contexts" : "mixed_sharing") {
        std::int64_t nodes = 1;
        for (const std::int64_t side : mesh) {
            nodes *= side;
        }
        set_dimensions(mesh);
        set(configuration.network, "topology", std::string("torus"));
        set(configuration.machine, "nodes", nodes);
        set(configuration.memory, "caches", std::int64_t{1});
        set(configuration.memory, "bytes", std::int64_t{1} << 23);
        set(configuration.memory, "instruction_cache", true);
        set(configuration.caches.levels.front(), "ways", std::int64_t{0});
        set(configuration.caches.levels.front(), "miss_registers", std::int64_t{1});
        set(configuration.core, "contexts", contexts);
        set_workload("shares_memory", true);
        set_workload("threads", contexts);
        set_workload("arguments", arguments);
    }
};

// Regression: the home's processor was in the coherence trap for 99 of 100 cycles, and its contexts
// lost their lines before use.
TEST(ForwardProgress, FourContextsOfAHomeWithFewPointersGoOn) {
    for (const std::int64_t pointers : {1, 2, 5}) {
        EXPECT_EQ(
            result_of_separate_run([pointers] {
                MixedSharing bench({3, 2}, 4, {687825146, 200, 2148466807, 4, 0, 5});
                bench.set(bench.configuration.network, "flit_bytes", std::int64_t{1});
                bench.set(bench.configuration.coherence, "pointers", pointers);
                bench.set(bench.configuration.coherence, "home", std::string("page"));
                bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{1} << 18);
                bench.set(bench.configuration.coherence, "cache_cycles", std::int64_t{0});
                bench.set(bench.configuration.coherence, "busy_cycles", std::int64_t{1});
                bench.set(bench.configuration.controller, "input_queue_bytes",
                          std::int64_t{1} << 16);
                bench.set(bench.configuration.controller, "output_queue_bytes",
                          std::int64_t{1} << 16);
                bench.set(bench.configuration.caches.levels.front(), "bytes", std::int64_t{1024});
                bench.set(bench.configuration.caches.levels.front(), "replacement",
                          std::string("pseudo_lru"));
                return bench.outcome(hw::Cycles(1'500'000));
            }),
            "right")
            << pointers;
    }
}

// Regression: a store that releases a lock was refused 10,946 times, in step with two nodes that
// exchanged the line.
TEST(ForwardProgress, AStoreIsNotRefusedForEver) {
    for (const std::int64_t spread : {20, 0}) {
        EXPECT_EQ(
            result_of_separate_run([spread] {
                MixedSharing bench({4, 4}, 1, {370578390, 40, 4244635647, 1, 0, 40});
                bench.set(bench.configuration.network, "buffer_flits", std::int64_t{1});
                bench.set(bench.configuration.network, "arbitration", std::string("oldest"));
                bench.set(bench.configuration.coherence, "pointers", std::int64_t{3});
                bench.set(bench.configuration.coherence, "transaction_buffers", std::int64_t{2});
                bench.set(bench.configuration.coherence, "busy_spread_cycles", spread);
                bench.set(bench.configuration.controller, "input_queue_bytes", std::int64_t{4096});
                bench.set(bench.configuration.controller, "output_queue_bytes", std::int64_t{64});
                bench.set(bench.configuration.caches.levels.front(), "bytes", std::int64_t{64});
                bench.set(bench.configuration.caches.levels.front(), "replacement",
                          std::string("random"));
                std::string text = bench.outcome(hw::Cycles(3'000'000));
                const std::int64_t most = most_refusals(bench.machine());
                return text + (most <= 500 ? "" : ", refused " + std::to_string(most));
            }),
            "right")
            << spread;
    }
}

/// A home that always refuses node 2.
class CompiledStarvation : public ::testing::TestWithParam<std::int64_t> {
  protected:
    static constexpr hw::Cycles kLeastLimit{100'000};
    static constexpr hw::Cycles kBetweenLooks{8192};

    static std::string outcome(const std::string& order, bool runs_ahead) {
        return result_of_separate_run([&] {
            SharingBench bench({.contexts = GetParam()});
            bench.set_workload("arguments", std::vector<std::int64_t>{100'000, 1, 0, 0});
            bench.set(bench.configuration.coherence, "starved_after_accesses", std::int64_t{1});
            bench.set(bench.configuration.sparcle, "run_ahead", runs_ahead);
            bench.set_ticks(order, order == "wake");
            using nodes::testing::FaultyPort;
            nodes::Machine& machine = bench.load();
            const FaultyPort port(machine, 0, FaultyPort::Fault::kRefuses);
            const nodes::RunEnd end = machine.run({.most_cycles = hw::Cycles(400'000)});
            std::string text(nodes::run_end_name(end));
            if (end == nodes::RunEnd::kStarved) {
                const std::string report = machine.explain_starvation();
                const hw::Cycles since(std::stoll(report.substr(report.find("since cycle ") + 12)));
                const hw::Cycles waited = machine.now() - since;
                text += waited > kLeastLimit && waited <= kLeastLimit + kBetweenLooks
                            ? ", timely"
                            : ", after " + std::to_string(waited.count());
                text += ": " + report + "; " + std::to_string(machine.now().count());
            }
            return text;
        });
    }
};

TEST_P(CompiledStarvation, IsSeenInTimeAndInTheSameCycleInAnyOrderOfTicks) {
    const std::string plain = outcome("wake", true);
    EXPECT_THAT(plain, StartsWith("starved, timely: "));
    EXPECT_THAT(plain, Names("node 2, context 0: ", "node 0", "cycle"));
    EXPECT_EQ(outcome("wake", false), plain);
    EXPECT_EQ(outcome("shuffled", true), plain);
}

INSTANTIATE_TEST_SUITE_P(Contexts, CompiledStarvation, ::testing::Values(1, 4));

TEST(CompiledLimitless, OverflowTrapsTakePacketsToMemoryAndGiveThemBack) {
    SharingBench bench({.queue_bytes = 64});
    bench.set_workload("arguments", std::vector<std::int64_t>{200, 1, 16});
    EXPECT_THAT(bench.digest(), StartsWith("right "));
    EXPECT_GT(bench.sum_of_cores(&nodes::Core::Statistics::overflow_traps), 10);
}

TEST(CompiledLimitless, ADirectoryWithoutMemoryEndsTheNode) {
    SharingBench bench({});
    bench.set(bench.firmware_parameters.limitless, "directory_bytes", std::int64_t{64});
    bench.load();
    EXPECT_EQ(bench.machine().run({.most_cycles = hw::Cycles(100'000)}),
              nodes::RunEnd::kCycleLimit);
    EXPECT_THAT(bench.kernel().check(bench.machine()).value_or("right"),
                Names("directory", "limitless.directory_bytes"));
}

TEST(CompiledSharingContexts, SwitchForLinesOfOtherNodes) {
    SharingBench bench({.contexts = 4});
    EXPECT_THAT(bench.digest(), StartsWith("right "));
    EXPECT_GT(bench.sum_of_cores(&nodes::Core::Statistics::context_switches), 1000);
}

TEST(SharedAllocation, GivesTheAddressesThatTheHostDoes) {
    for (const char* home : {"segment", "line", "page", "hash"}) {
        EXPECT_EQ(result_of_separate_run([home] {
                      SharingBench bench({.home = home});
                      std::string text = bench.outcome(hw::Cycles(8'000'000));
                      for (std::uint32_t i = 0; i < 3; ++i) {
                          const auto found = bench.bytes(0, "sharing_addresses", 12);
                          const std::uint32_t address = (std::uint32_t{found[4 * i]} << 24) +
                                                        (found[4 * i + 1] << 16U) +
                                                        (found[4 * i + 2] << 8U) + found[4 * i + 3];
                          const auto right = bench.machine().shape().shared_address(
                              hw::NodeId(static_cast<std::int32_t>(i)), 0);
                          text += address == right ? "" : "; " + std::to_string(address);
                      }
                      return text;
                  }),
                  "right")
            << home;
    }
}

struct SharedFaultCase {
    std::int64_t number;             // case number in sharing_faults.c
    std::vector<std::string> fault;  // words that the fault's message must contain
};
void PrintTo(const SharedFaultCase& fault,
             std::ostream* out) {  // NOLINT(readability-identifier-naming)
    *out << "fault_" << fault.number;
}

class FaultOfSharing : public ::testing::TestWithParam<SharedFaultCase> {};

TEST_P(FaultOfSharing, IsReported) {
    const auto fault = result_of_separate_run([] {
        ProgramTestBench bench("sharing_faults");
        const std::int64_t number = GetParam().number;
        if (number != 0) {
            share_memory(bench);
            bench.set_workload("shares_memory", true);
        }
        bench.set_workload("arguments", std::vector<std::int64_t>{number});
        try {
            return bench.outcome();
        } catch (const nodes::ProgramFault& thrown) {
            return std::string(thrown.what());
        }
    });
    EXPECT_THAT(fault, NamesMatcher(GetParam().fault));
}

INSTANTIATE_TEST_SUITE_P(
    OnSparcle, FaultOfSharing,
    ::testing::Values(SharedFaultCase{0, {"trap", "0x9"}}, SharedFaultCase{1, {"right"}},
                      SharedFaultCase{2, {"jump", "0x80002000", "shared", "instructions"}},
                      SharedFaultCase{3, {"shared", "registers"}},
                      SharedFaultCase{4, {"shared", "coherence", "trap"}},
                      SharedFaultCase{5, {"trap", "0x9"}}, SharedFaultCase{6, {"trap", "0x9"}},
                      SharedFaultCase{7, {"trap", "0x7"}},
                      SharedFaultCase{8, {"allocated", "shared"}},
                      SharedFaultCase{9, {"shared", "line", "message"}},
                      SharedFaultCase{10, {"trap", "0x9"}}, SharedFaultCase{11, {"trap", "0x9"}}));

TEST(FaultOfSharing, IsAProgramThatIsNotCompiledForIt) {
    ProgramTestBench bench("programs");
    share_memory(bench);
    bench.set_workload("shares_memory", true);
    EXPECT_THAT(bench.fault_of_data(),
                Names("workload.shares_memory: ", "true", "--shared-memory", "false"));
}

// Cycles of the last access of each kind, by its name. `bench` has run shared-latencies.
template <class Bench>
std::map<std::string, std::int64_t> latencies_of(Bench& bench) {
    std::map<std::string, std::int64_t> taken;
    std::map<std::string, hw::Cycles> begun;
    for (const auto& mark : bench.trace.marks) {
        const std::size_t end = mark.name.rfind(' ');
        const std::string name = mark.name.substr(0, end);
        if (mark.name.ends_with(" begins")) {
            begun[name] = mark.cycle;
        } else if (begun.contains(name)) {
            taken[name] = (mark.cycle - begun[name]).count();
        }
    }
    taken.erase("program");
    return taken;
}

// Compares times in cycles. Two stores of the compiled program do not belong to the access: the
// store of the mark's name and the store that makes the mark.
TEST(CompiledSharedLatencies, AreTheBehaviouralCoresButForSoftware) {
    constexpr std::int64_t kTwoStores = 6;
    const auto text_of = [](const std::map<std::string, std::int64_t>& taken, std::int64_t less) {
        std::string text;
        for (const auto& [name, cycles] : taken) {
            const bool is_of_software = name == "load_sixth_reader" || name == "store_six_copies";
            text += name + (is_of_software ? "" : " " + std::to_string(cycles - less)) + "\n";
        }
        return text;
    };
    const std::string behavioural = result_of_separate_run([&] {
        firmware::testing::SharedKernelBench bench("shared-latencies");
        bench.set_workload("rounds", std::int64_t{2});
        bench.load();
        static_cast<void>(bench.run());
        return text_of(latencies_of(bench), 0);
    });
    CompiledBench bench("shared-latencies");
    share_memory(bench);
    bench.set_workload("rounds", std::int64_t{2});
    EXPECT_EQ(bench.outcome(hw::Cycles(4'000'000)), "right");
    const auto compiled = latencies_of(bench);
    EXPECT_THAT(behavioural, HasSubstr("load_remote 41\n"));
    EXPECT_EQ(text_of(compiled, kTwoStores), behavioural);
    EXPECT_GT(compiled.at("load_sixth_reader"), compiled.at("load_remote") + 50);
    EXPECT_GT(compiled.at("store_six_copies"), compiled.at("store_five_copies") + 50);
}

// A remote load takes 41 cycles, of which 2 are those of a hit, as on a behavioural core.
TEST(CompiledSharedLatencies, ACoreThatWaitsForALineSaysSo) {
    CompiledBench bench("shared-latencies");
    share_memory(bench);
    bench.set_workload("rounds", std::int64_t{1});
    ASSERT_EQ(bench.outcome(hw::Cycles(4'000'000)), "right");
    const auto mark = [&bench](const char* name) {
        return std::find_if(bench.trace.marks.begin(), bench.trace.marks.end(),
                            [name](const auto& each) { return each.name == name; });
    };
    const auto begin = mark("load_remote begins");
    const auto end = mark("load_remote ends");
    ASSERT_NE(begin, bench.trace.marks.end());
    ASSERT_NE(end, bench.trace.marks.end());
    std::vector<std::int64_t> waits;
    for (const hw::TraceRecord::Interval& interval : bench.trace.intervals) {
        if (interval.state == hw::CoreState::kMemoryWait && interval.node == begin->node &&
            interval.begin >= begin->cycle && interval.end <= end->cycle) {
            waits.push_back((interval.end - interval.begin).count());
        }
    }
    EXPECT_THAT(waits, ::testing::ElementsAre(39));
}

TEST(CompiledSharedKernels, GiveTheRightAnswer) {
    for (const char* lock : {"test_and_set", "test_and_test_and_set", "queue"}) {
        for (const std::int64_t threads : {1, 4}) {
            EXPECT_EQ(result_of_separate_run([&] {
                          CompiledBench bench("shared-lock");
                          share_memory(bench);
                          bench.set_workload("lock", std::string(lock));
                          bench.set_workload("acquisitions", std::int64_t{5});
                          bench.set_workload("threads", threads);
                          bench.set(bench.configuration.core, "contexts", threads);
                          return bench.outcome(hw::Cycles(8'000'000));
                      }),
                      "right")
                << lock << ", " << threads;
        }
    }
}

TEST(CompiledSharedKernels, HaveTheHomeAddWithoutALock) {
    for (const std::int64_t threads : {1, 4}) {
        EXPECT_EQ(result_of_separate_run([&] {
                      CompiledBench bench("shared-lock");
                      share_memory(bench);
                      bench.set(bench.configuration.coherence, "fetch_and_op", true);
                      bench.set_workload("method", std::string("fetch_and_add"));
                      bench.set_workload("acquisitions", std::int64_t{5});
                      bench.set_workload("threads", threads);
                      bench.set(bench.configuration.core, "contexts", threads);
                      const std::string outcome = bench.outcome(hw::Cycles(8'000'000));
                      const auto done = sum_over_homes(
                          bench.machine(), &CoherenceController::Statistics::fetches_done);
                      return outcome + ", " + std::to_string(done);
                  }),
                  "right, " + std::to_string(5 * threads * kNodes));
    }
}

TEST(CompiledSharedKernels, RelaxAGridToTheBit) {
    for (const char* placement : {"owner", "spread"}) {
        for (const std::int64_t prefetch_lines : {0, 2}) {
            EXPECT_EQ(result_of_separate_run([&] {
                          CompiledBench bench("shared-jacobi");
                          share_memory(bench);
                          bench.set_workload("grid", std::int64_t{16});
                          bench.set_workload("iterations", std::int64_t{3});
                          bench.set_workload("placement", std::string(placement));
                          bench.set_workload("prefetch_lines", prefetch_lines);
                          return bench.outcome(hw::Cycles(8'000'000));
                      }),
                      "right")
                << placement << ", " << prefetch_lines;
        }
    }
}

TEST(CompiledSharedKernels, CrossAGridToTheBit) {
    for (const char* how : {"barrier", "flags", "j_structures"}) {
        EXPECT_EQ(result_of_separate_run([&] {
                      CompiledBench bench("shared-wavefront");
                      share_memory(bench);
                      bench.set_workload("grid", std::int64_t{16});
                      bench.set_workload("block", std::int64_t{5});
                      bench.set_workload("synchronization", std::string(how));
                      return bench.outcome(hw::Cycles(8'000'000));
                  }),
                  "right")
            << how;
    }
}

TEST(CompiledSharedKernels, RefuseRowsInPieces) {
    CompiledBench bench("shared-jacobi");
    share_memory(bench);
    bench.set_workload("grid", std::int64_t{16});
    bench.set(bench.configuration.coherence, "home", std::string("line"));
    EXPECT_THAT(bench.fault_of_data(), StartsWith("workload.placement: found \"owner\""));
}

WEIR_TESTS_COST(
    "CompiledSharing.*/"
    "(small_cache|software|fetches_small_queues|contexts_(fetches|small_cache|software))$",
    3, 12);
WEIR_TESTS_COST("CompiledStarvedHomes.MayGetNoneWithoutThem", 2, 9);

}  // namespace
}  // namespace weir::firmware
