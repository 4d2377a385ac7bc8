#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "firmware/testing/compiled_bench.h"
#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/separate_run.h"
#include "hw/testing/test_cost.h"

namespace weir::firmware {
namespace {

using firmware::testing::ProgramTestBench;
using hw::testing::result_of_separate_run;
using ::testing::StartsWith;

/// A machine whose nodes run atomics.c.
struct AtomicsShape {
    const char* name = "";
    const char* protocol = "limitless";
    std::int64_t pointers = 5;
    std::int64_t contexts = 1;
    std::int64_t cache_bytes = 1 << 16;
    const char* home = "segment";
    std::int64_t width = 4;
    std::int64_t turns = 12;
};
std::ostream& operator<<(std::ostream& out, const AtomicsShape& shape) { return out << shape.name; }

class AtomicsBench : public ProgramTestBench {
  public:
    AtomicsBench(const std::string& program, const AtomicsShape& shape)
        : ProgramTestBench(program + (shape.contexts > 1 ? "-contexts" : "")) {
        set_dimensions({shape.width, 2});
        set(configuration.machine, "nodes", 2 * shape.width);
        set(configuration.memory, "caches", std::int64_t{1});
        set(configuration.memory, "bytes", std::int64_t{1} << 22);
        set(configuration.caches.levels.front(), "bytes", shape.cache_bytes);
        set(configuration.coherence, "shared_bytes", std::int64_t{8192});
        set(configuration.coherence, "check_loads", true);
        set(configuration.coherence, "protocol", std::string(shape.protocol));
        if (std::string(shape.protocol) != "software") {
            set(configuration.coherence, "pointers", shape.pointers);
        }
        set(configuration.coherence, "home", std::string(shape.home));
        set(configuration.core, "contexts", shape.contexts);
        set_workload("shares_memory", true);
        set_workload("threads", shape.contexts);
        set_workload("arguments", std::vector<std::int64_t>{shape.turns});
        if (shape.contexts == 1) {
            set(configuration.controller, "overflow_trap", true);
        }
    }

    // Verdict of the program, and the cycle of its end.
    std::string end_of_run() {
        std::string text = outcome(hw::Cycles(40'000'000));
        text += " at " + std::to_string(machine().now().count());
        if (const auto fault = machine().account().fault(true)) {
            text += ": " + *fault;
        }
        return text;
    }
};

class SharedAtomics : public ::testing::TestWithParam<AtomicsShape> {
  protected:
    AtomicsBench bench{"atomics", GetParam()};
};

TEST_P(SharedAtomics, LoseAndTearNothingInAnyOrderOfTicks) {
    const std::string plain = result_of_separate_run([this] { return bench.end_of_run(); });
    EXPECT_THAT(plain, StartsWith("right "));
    EXPECT_EQ(result_of_separate_run([this] {
                  bench.set_ticks("shuffled", false);
                  return bench.end_of_run();
              }),
              plain);
    EXPECT_EQ(result_of_separate_run([this] {
                  bench.set(bench.configuration.sparcle, "run_ahead", false);
                  bench.set_ticks("reversed");
                  return bench.end_of_run();
              }),
              plain);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, SharedAtomics,
    ::testing::Values(
        AtomicsShape{.name = "limitless"}, AtomicsShape{.name = "one_pointer", .pointers = 1},
        AtomicsShape{.name = "full_map", .protocol = "full_map"},
        AtomicsShape{.name = "limited", .protocol = "limited"},
        AtomicsShape{.name = "software", .protocol = "software"},
        AtomicsShape{.name = "forwarding", .protocol = "forwarding"},
        AtomicsShape{.name = "small_cache", .cache_bytes = 512},
        AtomicsShape{.name = "hashed", .home = "hash"},
        AtomicsShape{.name = "pages_in_turn", .home = "page"},
        AtomicsShape{.name = "six_nodes", .width = 3},
        AtomicsShape{.name = "contexts", .contexts = 4, .turns = 4},
        AtomicsShape{
            .name = "contexts_full_map", .protocol = "full_map", .contexts = 4, .turns = 4},
        AtomicsShape{
            .name = "contexts_forwarding", .protocol = "forwarding", .contexts = 4, .turns = 4},
        AtomicsShape{.name = "contexts_small_cache",
                     .protocol = "full_map",
                     .contexts = 4,
                     .cache_bytes = 512,
                     .turns = 4}),
    [](const auto& instance) { return std::string(instance.param.name); });

// Indices of the operations that atomic_costs.c measures.
constexpr std::size_t kLoad = 9;
constexpr std::size_t kStore = 10;
constexpr std::size_t kTestAndSet = 11;
constexpr std::size_t kOperations = 13;
// Places of the word that an operation changes: a private variable, a private word by a pointer,
// shared memory.
constexpr std::size_t kVariable = 0;
constexpr std::size_t kByPointer = 1;
constexpr std::size_t kShared = 2;
constexpr std::size_t kPlaces = 3;

// Returns the cycles of each operation of atomic_costs.c, at one place.
std::vector<std::uint32_t> costs_of(const std::string& program, bool shares_memory,
                                    std::size_t place) {
    const std::string text = result_of_separate_run([&] {
        ProgramTestBench bench(program);
        bench.set(bench.configuration.memory, "caches", std::int64_t{1});
        if (shares_memory) {
            bench.set(bench.configuration.memory, "bytes", std::int64_t{1} << 22);
            bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{8192});
            bench.set_workload("shares_memory", true);
        }
        std::string words = bench.outcome();
        for (const std::uint8_t byte :
             bench.bytes(0, "atomic_costs", sizeof(std::uint32_t) * kPlaces * kOperations)) {
            words += " " + std::to_string(byte);
        }
        return words;
    });
    EXPECT_THAT(text, StartsWith("right "));
    std::istringstream words(text.substr(text.find(' ')));
    std::vector<std::uint32_t> costs(kPlaces * kOperations);
    for (std::uint32_t& cost : costs) {
        for (std::size_t i = 0; i < sizeof cost; ++i) {
            std::uint32_t byte = 0;
            words >> byte;
            cost = cost << 8U | byte;
        }
    }
    const auto first = costs.begin() + static_cast<std::ptrdiff_t>(place * kOperations);
    return {first, first + kOperations};
}

class SharedAtomicCosts
    // Suffix of the program's name: with or without contexts.
    : public ::testing::TestWithParam<const char*> {
  protected:
    static std::vector<std::uint32_t> with_shared_memory(std::size_t place) {
        return costs_of("atomic_costs-shared" + std::string(GetParam()), true, place);
    }
    static std::vector<std::uint32_t> without_shared_memory(std::size_t place) {
        return costs_of("atomic_costs" + std::string(GetParam()), false, place);
    }
};

TEST_P(SharedAtomicCosts, OfVariablesAreNoMoreThanWithoutSharedMemory) {
    const auto with = with_shared_memory(kVariable);
    const auto without = without_shared_memory(kVariable);
    for (std::size_t i = 0; i < kOperations; ++i) {
        EXPECT_LE(with[i], without[i]) << i;
    }
    EXPECT_EQ(without[kLoad], 8U) << "the load, and that of the clock";
}

// For a place given by a pointer, the code tests the address.
TEST_P(SharedAtomicCosts, OfPrivateWordsByPointersHaveABranchMoreWhereTheyAreOneInstruction) {
    const auto with = with_shared_memory(kByPointer);
    const auto without = without_shared_memory(kByPointer);
    for (std::size_t i = 0; i < kStore; ++i) {
        EXPECT_LE(with[i], without[i]) << i;
    }
    for (std::size_t i = kStore; i < kOperations; ++i) {
        EXPECT_LE(with[i], without[i] + (i == kTestAndSet ? 6 : 3)) << i;
    }
}

TEST_P(SharedAtomicCosts, OfSharedWordsHaveALockButForLoads) {
    const auto shared = with_shared_memory(kShared);
    for (std::size_t i = 0; i < kOperations; ++i) {
        if (i == kLoad) {
            EXPECT_EQ(shared[i], 8U);
        } else {
            EXPECT_GT(shared[i], 100U) << i;
            EXPECT_LT(shared[i], 300U) << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, SharedAtomicCosts, ::testing::Values("", "-contexts"),
                         [](const auto& instance) {
                             return std::string(*instance.param == 0 ? "plain" : "contexts");
                         });

WEIR_TESTS_COST("SharedAtomics.*/contexts_small_cache$", 11);

}  // namespace
}  // namespace weir::firmware
