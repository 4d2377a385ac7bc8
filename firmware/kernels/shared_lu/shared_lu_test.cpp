#include "firmware/kernels/shared_lu/shared_lu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
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
using ::testing::HasSubstr;
using weir::testing::Names;

constexpr std::int64_t kMatrixRows = 16;

std::shared_ptr<KernelBench> lu_bench(const char* layout, std::int64_t ahead = 0,
                                      std::int64_t nodes = 8, std::int64_t rows = kMatrixRows) {
    auto bench = std::make_shared<SharedKernelBench>("shared-lu", nodes);
    bench->set_workload("rows", rows);
    bench->set_workload("layout", std::string(layout));
    bench->set_workload("prefetch_elements", ahead);
    return bench;
}

// Exact elements of L and U after a run in a separate process; or the run's fault.
std::string elements_after(const std::function<std::shared_ptr<KernelBench>()>& make,
                           std::int64_t rows = kMatrixRows) {
    return answer_after<LuDecomposition>(make, [rows](const auto& kernel, nodes::Machine& machine) {
        std::string all;
        for (std::int64_t i = 0; i < rows * rows; ++i) {
            double element = 0.0;
            machine.read<double>(hw::NodeId(kernel.layout().owner(i / rows, i % rows)),
                                 kernel.element(i / rows, i % rows), {&element, 1});
            all += std::to_string(std::bit_cast<std::uint64_t>(element)) + " ";
        }
        return all;
    });
}

class SharedLuTest : public ::testing::TestWithParam<const char*> {
  protected:
    SharedLuTest() {
        bench.set_workload("rows", kMatrixRows);
        bench.set_workload("layout", std::string(GetParam()));
    }
    void run() { ASSERT_EQ(bench.fault_of_run(), ""); }
    SharedKernelBench bench{"shared-lu"};
};

TEST_P(SharedLuTest, TheProductOfLAndUIsTheMatrixPermuted) { run(); }

TEST_P(SharedLuTest, ElementsAreThoseOfItsTwinByMessages) {
    for (const std::int64_t nodes : {2, 8, 16}) {
        const std::int64_t rows = nodes == 2 ? 6 : kMatrixRows;
        const std::string elements =
            elements_after([nodes, rows] { return lu_bench(GetParam(), 0, nodes, rows); }, rows);
        EXPECT_EQ(std::count(elements.begin(), elements.end(), ' '), rows * rows) << elements;
        EXPECT_EQ(elements, elements_after(
                                [nodes, rows] {
                                    auto twin = std::make_shared<KernelBench>("lu");
                                    twin->set_dimensions({nodes / 2, 2});
                                    twin->set_workload("rows", rows);
                                    twin->set_workload("layout", std::string(GetParam()));
                                    return twin;
                                },
                                rows));
    }
}

TEST_P(SharedLuTest, PrefetchesSaveTimeAndChangeNoElement) {
    const auto with = [](std::int64_t ahead) {
        return [ahead] { return lu_bench(GetParam(), ahead, 8, 32); };
    };
    EXPECT_LT(cycles_of(with(4)), cycles_of(with(0)));
    EXPECT_EQ(elements_after(with(4), 32), elements_after(with(0), 32));
}

TEST_P(SharedLuTest, AWrongElementIsFound) {
    run();
    const auto& kernel = dynamic_cast<const SharedLu&>(bench.kernel());
    // A high bit of the element's mantissa.
    WrongBit memory(bench.machine(), kernel.element(11, 5) + 6);
    EXPECT_THAT(bench.kernel().check(memory).value_or(""), HasSubstr("element (11, "));
}

// A wrong element affects others, and therefore the product.
TEST_P(SharedLuTest, AnotherElementAtTheStartIsFoundInTheEnd) {
    bench.load();
    const auto& kernel = dynamic_cast<const SharedLu&>(bench.kernel());
    bench.flip_bit(0, kernel.element(11, 5) + 6, 2);
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    EXPECT_THAT(bench.check().value_or(""), Names("element", "matrix", "permuted"));
}

INSTANTIATE_TEST_SUITE_P(Layouts, SharedLuTest,
                         ::testing::Values("bad", "column", "blocked_grid", "scattered_grid"),
                         [](const auto& instance) { return std::string(instance.param); });

class SharedLuMachinesTest
    : public ::testing::TestWithParam<std::tuple<const char*, TightMachine>> {};

TEST_P(SharedLuMachinesTest, TheMatrixIsDecomposedByAccessesThatHaveAnOrder) {
    const auto& [layout, machine] = GetParam();
    for (const std::int64_t ahead : {0, 3}) {
        EXPECT_EQ(verdict_on(machine, [&, layout = layout] { return lu_bench(layout, ahead); }),
                  "sound")
            << ahead << " ahead";
    }
}

INSTANTIATE_TEST_SUITE_P(Layouts, SharedLuMachinesTest,
                         ::testing::Combine(::testing::Values("bad", "column", "scattered_grid"),
                                            ::testing::ValuesIn(tight_machines())),
                         name_on_machine);

// All homes' elements map to the same sets of a direct-mapped cache.
TEST(SharedLu, AlignedElementsTakeOneAnothersPlaces) {
    const std::int64_t aligned = cycles_of([] {
        auto other = lu_bench("scattered_grid");
        other->set_workload("placement", std::string("aligned"));
        return other;
    });
    EXPECT_GT(aligned, cycles_of([] { return lu_bench("scattered_grid"); }));
}

TEST(SharedLu, APivotThatNobodyFoundIsNone) {
    SharedKernelBench bench("shared-lu");
    bench.load();
    EXPECT_THAT(bench.check().value_or(""), Names("pivot", "step 0", "row 4294967295"));
}

TEST(SharedLu, AMatrixThatDoesNotDivideIsRefused) {
    SharedKernelBench bench("shared-lu");
    bench.set_workload("rows", std::int64_t{18});
    EXPECT_THAT(bench.fault_of_data(), Names("workload.rows: ", "18", "2 x 4", "multiple", "4"));
}

TEST(SharedLu, DataBeyondSharedMemoryAreRefused) {
    SharedKernelBench bench("shared-lu");
    bench.set_workload("rows", std::int64_t{256});
    bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{4096});
    EXPECT_THAT(bench.fault_of_data(), Names("coherence.shared_bytes: ", "4096", "accepted"));
}

}  // namespace

}  // namespace weir::firmware
