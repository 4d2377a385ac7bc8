#include "firmware/kernels/shared_radix_sort/shared_radix_sort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>

#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {

namespace {

using firmware::testing::answer_after;
using firmware::testing::cycles_of;
using firmware::testing::KernelBench;
using firmware::testing::name_on_machine;
using firmware::testing::SharedKernelBench;
using firmware::testing::tight_machines;
using firmware::testing::TightMachine;
using firmware::testing::verdict_on;
using firmware::testing::WrongBit;
using weir::testing::Names;

void set_keys(KernelBench& bench, std::int64_t keys, std::int64_t key_bits = 12,
              std::int64_t radix_bits = 4) {
    bench.set_workload("keys", keys);
    bench.set_workload("key_bits", key_bits);
    bench.set_workload("radix_bits", radix_bits);
}

std::shared_ptr<KernelBench> sort_bench(const char* prefix, std::int64_t ahead = 0,
                                        std::int64_t nodes = 8, std::int64_t keys = 320) {
    auto bench = std::make_shared<SharedKernelBench>("shared-radix-sort", nodes);
    set_keys(*bench, keys);
    bench->set_workload("prefix", std::string(prefix));
    bench->set_workload("prefetch_keys", ahead);
    return bench;
}

// All keys after a run in a separate process; or the run's fault.
std::string keys_after(const std::function<std::shared_ptr<KernelBench>()>& make) {
    return answer_after<DigitSort>(make, [](const auto& kernel, nodes::Machine& machine) {
        const auto each = static_cast<std::int64_t>(kernel.message_pattern().operations_per_node);
        std::string all;
        for (std::int64_t i = 0; i < machine.node_count() * each; ++i) {
            const auto node = static_cast<std::int32_t>(i / each);
            std::uint32_t key = 0;
            machine.read<std::uint32_t>(
                hw::NodeId(node), kernel.key_address(kernel.passes(), node, i % each), {&key, 1});
            all += std::to_string(key) + " ";
        }
        return all;
    });
}

class SharedRadixSortTest : public ::testing::TestWithParam<const char*> {
  protected:
    SharedRadixSortTest() {
        set_keys(bench, 320);
        bench.set_workload("prefix", std::string(GetParam()));
    }
    void run() { ASSERT_EQ(bench.fault_of_run(), ""); }
    SharedKernelBench bench{"shared-radix-sort"};
};

TEST_P(SharedRadixSortTest, AnOddNumberOfPasses) { run(); }

TEST_P(SharedRadixSortTest, AnEvenNumberOfPasses) {
    bench.set_workload("radix_bits", std::int64_t{6});
    run();
}

TEST_P(SharedRadixSortTest, KeysThatAreAllAlike) {
    set_keys(bench, 320, 1, 1);
    run();
}

// Numbers of nodes that are not powers of two, and of keys that leave lines half full, with
// digit_cycles of 0 and 50.
TEST_P(SharedRadixSortTest, OnAnyNumberOfNodesKeysAreThoseOfItsTwinByMessages) {
    for (const std::int64_t nodes : {2, 6, 10, 16}) {
        for (const std::int64_t digit_cycles : {0, 50}) {
            const auto set = [=](const std::shared_ptr<KernelBench>& made) {
                set_keys(*made, nodes * 5, 6, 3);
                made->set_workload("digit_cycles", digit_cycles);
                return made;
            };
            const std::string keys =
                keys_after([&] { return set(sort_bench(GetParam(), 0, nodes)); });
            EXPECT_EQ(std::count(keys.begin(), keys.end(), ' '), nodes * 5) << keys;
            EXPECT_EQ(keys, keys_after([&] {
                          auto twin = std::make_shared<KernelBench>("radix-sort");
                          twin->set_dimensions({nodes / 2, 2});
                          return set(twin);
                      }));
        }
    }
}

TEST_P(SharedRadixSortTest, PrefetchesSaveTime) {
    const std::int64_t prefetching = cycles_of([] { return sort_bench(GetParam(), 4); });
    EXPECT_LT(prefetching, cycles_of([] { return sort_bench(GetParam()); }));
}

TEST_P(SharedRadixSortTest, AWrongKeyIsFound) {
    run();
    const auto& kernel = dynamic_cast<const SharedRadixSort&>(bench.kernel());
    WrongBit memory(bench.machine(), kernel.key_address(3, 5, 2));
    EXPECT_THAT(bench.kernel().check(memory).value_or(""), Names("key 202", "node 5"));
}

// The last pass stores the answer, so a key that was wrong before the first pass is in it.
TEST_P(SharedRadixSortTest, AnotherKeyAtTheStartIsFoundInTheEnd) {
    bench.load();
    const auto& kernel = dynamic_cast<const SharedRadixSort&>(bench.kernel());
    bench.flip_bit(0, kernel.key_address(0, 5, 2) + 1, 2);
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    EXPECT_THAT(bench.check().value_or(""), Names("key", "node", "sorted"));
}

INSTANTIATE_TEST_SUITE_P(Ways, SharedRadixSortTest, ::testing::Values("counts", "tree"),
                         [](const auto& instance) { return std::string(instance.param); });

class SharedRadixSortMachinesTest
    : public ::testing::TestWithParam<std::tuple<const char*, TightMachine>> {};

TEST_P(SharedRadixSortMachinesTest, KeysAreSortedByAccessesThatHaveAnOrder) {
    const auto& [prefix, machine] = GetParam();
    for (const std::int64_t ahead : {0, 3}) {
        EXPECT_EQ(
            verdict_on(machine, [&, prefix = prefix] { return sort_bench(prefix, ahead, 8, 80); }),
            "sound")
            << ahead << " ahead";
    }
}

INSTANTIATE_TEST_SUITE_P(Ways, SharedRadixSortMachinesTest,
                         ::testing::Combine(::testing::Values("counts", "tree"),
                                            ::testing::ValuesIn(tight_machines())),
                         name_on_machine);

// All homes' counts and keys map to the same sets of a direct-mapped cache.
TEST(SharedRadixSort, AlignedDataTakeOneAnothersPlaces) {
    const std::int64_t aligned = cycles_of([] {
        auto other = sort_bench("counts");
        other->set_workload("placement", std::string("aligned"));
        return other;
    });
    EXPECT_GT(aligned, cycles_of([] { return sort_bench("counts"); }));
}

TEST(SharedRadixSort, DataBeyondSharedMemoryAreRefused) {
    SharedKernelBench bench("shared-radix-sort");
    bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{4096});
    EXPECT_THAT(bench.fault_of_data(), Names("coherence.shared_bytes: ", "4096", "accepted"));
}

TEST(SharedRadixSort, SizesThatDoNotDivideAreRefused) {
    SharedKernelBench bench("shared-radix-sort");
    bench.set_workload("keys", std::int64_t{121});
    EXPECT_THAT(bench.fault_of_data(), Names("121", "8", "nodes"));
    bench.set_workload("key_bits", std::int64_t{13});
    const auto fault = bench.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(fault->found, Names("13", "digits", "4"));
}

}  // namespace

}  // namespace weir::firmware
