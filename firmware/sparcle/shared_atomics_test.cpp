#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/testing/compiled_bench.h"
#include "experiments/testing/shared_kernel_bench.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {
namespace {

using experiments::testing::ProgramTestBench;
using hw::testing::result_of_separate_run;
using ::testing::StartsWith;

/// A machine whose nodes run atomics.c.
struct Shape {
    const char* name = "";
    const char* protocol = "limitless";
    std::int64_t pointers = 5;
    std::int64_t contexts = 1;
    std::int64_t cache_bytes = 1 << 16;
    const char* home = "segment";
    std::int64_t width = 4;
    std::int64_t turns = 12;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.name; }

class AtomicsBench : public ProgramTestBench {
  public:
    AtomicsBench(const std::string& program, const Shape& shape)
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

    // Whether the program has found all right, and the cycle of its end.
    std::string end_of_run() {
        std::string text = outcome(hw::Cycles(40'000'000));
        text += " at " + std::to_string(machine().now().count());
        if (const auto fault = machine().account().fault(true)) {
            text += ": " + *fault;
        }
        return text;
    }
};

class SharedAtomics : public ::testing::TestWithParam<Shape> {
  protected:
    AtomicsBench bench{"atomics", GetParam()};
};

TEST_P(SharedAtomics, LoseAndTearNothingInAnyOrderOfTicks) {
    const std::string plain = result_of_separate_run([this] { return bench.end_of_run(); });
    EXPECT_THAT(plain, StartsWith("right at "));
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
        Shape{.name = "limitless"}, Shape{.name = "one_pointer", .pointers = 1},
        Shape{.name = "full_map", .protocol = "full_map"},
        Shape{.name = "limited", .protocol = "limited"},
        Shape{.name = "software", .protocol = "software"},
        Shape{.name = "forwarding", .protocol = "forwarding"},
        Shape{.name = "small_cache", .cache_bytes = 512}, Shape{.name = "hashed", .home = "hash"},
        Shape{.name = "pages_in_turn", .home = "page"}, Shape{.name = "six_nodes", .width = 3},
        Shape{.name = "contexts", .contexts = 4, .turns = 6},
        Shape{.name = "contexts_full_map", .protocol = "full_map", .contexts = 4, .turns = 6},
        Shape{.name = "contexts_forwarding", .protocol = "forwarding", .contexts = 4, .turns = 6},
        Shape{.name = "contexts_small_cache",
              .protocol = "full_map",
              .contexts = 4,
              .cache_bytes = 512,
              .turns = 6}),
    [](const auto& instance) { return std::string(instance.param.name); });

// What atomic_costs.c measures.
enum Operation : std::size_t { kLoad = 9, kStore = 10, kTestAndSet = 11, kOperations = 13 };
enum Place : std::size_t { kVariable, kByPointer, kShared, kPlaces };

// Cycles of each operation.
std::vector<std::uint32_t> costs_of(const std::string& program, bool shares_memory, Place place) {
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
    : public ::testing::TestWithParam<const char*> {  // with or without contexts
  protected:
    static std::vector<std::uint32_t> with_shared_memory(Place place) {
        return costs_of("atomic_costs-shared" + std::string(GetParam()), true, place);
    }
    static std::vector<std::uint32_t> without_shared_memory(Place place) {
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

// The place that a pointer gives is known by its address.
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

}  // namespace
}  // namespace weir::firmware
