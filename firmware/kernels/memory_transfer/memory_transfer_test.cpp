#include "firmware/kernels/memory_transfer/memory_transfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::StartsWith;

constexpr std::int64_t kMiddle = std::int64_t{1} << 25;  // middle of a node's 64 MB

// Two nodes with a memory that always hits. A load takes 2 cycles, a store 3, and the loop 2;
// doubles take 1 more for each access.
class TransferBench : public firmware::testing::KernelBench {
  public:
    explicit TransferBench(const char* kernel) : KernelBench(kernel) { set_dimensions({2, 1}); }

    void set_element(const char* element) { set_workload("element", std::string(element)); }
    void set_sizes(const std::vector<std::int64_t>& sizes) { set_workload("sizes_bytes", sizes); }
    void set_strides(const std::vector<std::int64_t>& strides) {
        set_workload("strides_bytes", strides);
    }
    [[nodiscard]] const std::vector<Transfer>& transfers() {
        return dynamic_cast<MemoryTransfer&>(kernel()).transfers();
    }
    void load_and_run(std::uint64_t seed = 1) {
        load(seed);
        ASSERT_EQ(run(), nodes::RunEnd::kFinished);
    }
    [[nodiscard]] std::string wrong() { return check().value_or("right"); }
    template <class T>
    [[nodiscard]] T at(std::int64_t address) {
        T value{};
        machine().read<T>(hw::NodeId(0), static_cast<std::uint32_t>(address), {&value, 1});
        return value;
    }
    /// Text "name index cycle" of each mark.
    [[nodiscard]] std::vector<std::string> marks() const {
        std::vector<std::string> texts;
        for (const auto& mark : trace.marks) {
            std::ostringstream text;
            text << mark.name << ' ' << mark.value << ' ' << mark.cycle;
            texts.push_back(text.str());
        }
        return texts;
    }
};

TEST(MemoryTransferTest, EveryStrideHasEverySize) {
    TransferBench bench("pack");
    bench.set_element("word");
    bench.set_sizes({4, 64});
    bench.set_strides({16, 4});
    bench.set_workload("repetitions", std::int64_t{3});
    bench.load();
    std::vector<std::string> found;
    for (const Transfer& transfer : bench.transfers()) {
        EXPECT_EQ(transfer.kind, TransferKind::kPack);
        EXPECT_EQ(transfer.element_bytes, 4);
        EXPECT_EQ(transfer.repetitions, 3);
        EXPECT_EQ(transfer.source_address, 0);
        EXPECT_EQ(transfer.destination_address, kMiddle);
        found.push_back(std::to_string(transfer.bytes()) + " at " +
                        std::to_string(transfer.stride_bytes));
    }
    EXPECT_THAT(found, ElementsAre("4 at 16", "64 at 16", "4 at 4", "64 at 4"));
    EXPECT_EQ(dynamic_cast<MemoryTransfer&>(bench.kernel()).facts().transfers, 4.0);
    EXPECT_EQ(dynamic_cast<MemoryTransfer&>(bench.kernel()).facts().transfers_left_out, 0.0);
    EXPECT_EQ(dynamic_cast<MemoryTransfer&>(bench.kernel()).facts().bytes_moved, 136.0);
    EXPECT_EQ(bench.kernel().progress(), 0.0);
}

TEST(MemoryTransferTest, WhereTheArraysEnd) {
    const auto ends = [](TransferKind kind) {
        const Transfer transfer{.kind = kind,
                                .element_bytes = 8,
                                .stride_bytes = 32,
                                .elements = 10,
                                .source_address = 1000,
                                .destination_address = 2000};
        return std::pair(transfer.source_end(), transfer.destination_end());
    };
    EXPECT_THAT(ends(TransferKind::kCopy), Pair(1000 + 9 * 32 + 8, 2000 + 9 * 32 + 8));
    EXPECT_THAT(ends(TransferKind::kPack), Pair(1000 + 9 * 32 + 8, 2000 + 80));
    EXPECT_THAT(ends(TransferKind::kUnpack), Pair(1000 + 80, 2000 + 9 * 32 + 8));
}

struct KindAndElement {
    const char* kernel;
    const char* element;
};

class MemoryTransferKindTest : public ::testing::TestWithParam<KindAndElement> {};

TEST_P(MemoryTransferKindTest, CopiesEveryElement) {
    TransferBench bench(GetParam().kernel);
    bench.set_element(GetParam().element);
    bench.set_sizes({8, 400, 4096, 8200});
    bench.set_strides({8, 24, 5000});
    bench.load_and_run(3);
    EXPECT_EQ(bench.wrong(), "right");
    EXPECT_EQ(bench.kernel().progress(), 1.0);
    EXPECT_EQ(bench.trace.messages.size(), 0U);
    const Transfer& last = bench.transfers().back();  // the last transfer is the largest one
    for (std::int64_t i = 0; i < last.elements; ++i) {
        const std::int64_t from = last.source_address + i * last.source_stride_bytes();
        const std::int64_t to = last.destination_address + i * last.destination_stride_bytes();
        if (last.element_bytes == 4) {
            ASSERT_EQ(bench.at<std::uint32_t>(to), bench.at<std::uint32_t>(from)) << i;
        } else {
            ASSERT_EQ(bench.at<double>(to), bench.at<double>(from)) << i;
            ASSERT_GT(bench.at<double>(to), 0.0) << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    MemoryTransfer, MemoryTransferKindTest,
    ::testing::Values(KindAndElement{"memcpy", "word"}, KindAndElement{"memcpy", "double"},
                      KindAndElement{"pack", "word"}, KindAndElement{"pack", "double"},
                      KindAndElement{"unpack", "word"}, KindAndElement{"unpack", "double"}),
    [](const auto& test) { return std::string(test.param.kernel) + "_" + test.param.element; });

TEST(MemoryTransferTest, AnElementTakesItsLoadItsStoreAndTheLoop) {
    TransferBench bench("unpack");
    bench.set_element("word");
    bench.set_sizes({400});
    bench.set_strides({4, 64});
    bench.load_and_run();
    constexpr std::int64_t kRepetition = 100 * (2 + 3 + 2);
    const auto at = [](std::int64_t repetitions) {
        return std::to_string(repetitions * kRepetition);
    };
    EXPECT_THAT(bench.marks(),
                ElementsAre("first_repetition_begin 0 0", "first_repetition_end 0 " + at(1),
                            "transfer_begin 0 " + at(3), "transfer_end 0 " + at(4),
                            "first_repetition_begin 1 " + at(4), "first_repetition_end 1 " + at(5),
                            "transfer_begin 1 " + at(7), "transfer_end 1 " + at(8)));
}

TEST(MemoryTransferTest, DoublesTakeACycleMoreAtEachEnd) {
    TransferBench bench("memcpy");
    bench.set_sizes({800});
    bench.set_strides({8});
    bench.set_workload("loop_cycles", std::int64_t{5});
    bench.set_workload("repetitions", std::int64_t{2});
    bench.load_and_run();
    EXPECT_THAT(bench.marks(),
                ElementsAre("first_repetition_begin 0 0", "first_repetition_end 0 1200",
                            "transfer_begin 0 1200", "transfer_end 0 2400"));
}

TEST(MemoryTransferTest, AnOnlyRepetitionIsTheMeasuredOne) {
    TransferBench bench("pack");
    bench.set_sizes({8});
    bench.set_strides({8});
    bench.set_workload("repetitions", std::int64_t{1});
    bench.load_and_run();
    EXPECT_THAT(bench.marks(), ElementsAre("transfer_begin 0 0", "transfer_end 0 9"));
}

// Several loads in flight leave the work of a repetition unchanged, and reduce its waiting time.
// More loads in flight than elements are harmless, although lines that are loaded early can evict
// others.
TEST(MemoryTransferTest, LoadsAheadCopyTheSameInLessTime) {
    const auto end_of = [](const char* element, std::int64_t loads_in_flight) {
        return hw::testing::result_of_separate_run([element, loads_in_flight] {
            TransferBench bench("memcpy");
            bench.set_element(element);
            bench.set_sizes({8, 400});
            bench.set_strides({8, 64});
            bench.set(bench.configuration.memory, "caches", std::int64_t{1});
            bench.set(bench.configuration.caches.levels[0], "bytes", std::int64_t{256});
            bench.set(bench.configuration.core, "loads_in_flight", loads_in_flight);
            bench.load_and_run();
            return bench.wrong() == "right" ? std::to_string(bench.machine().now().count())
                                            : bench.wrong();
        });
    };
    for (const char* element : {"word", "double"}) {
        const std::int64_t waiting = std::stoll(end_of(element, 1));
        const std::int64_t ahead = std::stoll(end_of(element, 3));
        EXPECT_LT(ahead, waiting) << element;
        EXPECT_LT(std::stoll(end_of(element, 64)), waiting) << element;
    }
}

TEST(MemoryTransferTest, AnotherSeedCopiesOtherData) {
    const auto first_word = [](std::uint64_t seed) {
        return hw::testing::result_of_separate_run([seed] {
            TransferBench bench("memcpy");
            bench.load_and_run(seed);
            return std::to_string(bench.at<std::uint64_t>(kMiddle));
        });
    };
    EXPECT_EQ(first_word(1), first_word(1));
    EXPECT_NE(first_word(1), first_word(2));
}

TEST(MemoryTransferTest, OrderOfTicksAndSleepChangeNothing) {
    const auto story = [](const char* order, bool sleeping) {
        return hw::testing::result_of_separate_run([order, sleeping] {
            TransferBench bench("unpack");
            bench.set_sizes({800});
            bench.set_ticks(order, sleeping);
            bench.load_and_run();
            std::string text = bench.wrong();
            for (const std::string& mark : bench.marks()) {
                text += ' ' + mark;
            }
            return text;
        });
    };
    const std::string reference = story("wake", true);
    EXPECT_THAT(reference, StartsWith("right "));
    EXPECT_EQ(story("reversed", true), reference);
    EXPECT_EQ(story("shuffled", false), reference);
}

TEST(MemoryTransferTest, WhatWasNotCopiedIsNoAnswer) {
    TransferBench bench("memcpy");
    bench.load();
    EXPECT_THAT(bench.wrong(), Names("byte 33554432", "node 0", "0", "copy"));
}

// Planted faults: any byte of an element, or between two elements, of either array.
TEST(MemoryTransferTest, AFlippedBitInEitherArrayIsFound) {
    TransferBench bench("memcpy");
    bench.set_element("word");
    bench.set_sizes({64});
    bench.set_strides({12});
    bench.load_and_run();
    for (std::int64_t array : {std::int64_t{0}, kMiddle}) {
        for (std::int64_t byte = array; byte < array + 16 * 12; ++byte) {
            bench.flip_bit(0, static_cast<std::uint32_t>(byte), static_cast<int>(byte % 8));
            EXPECT_THAT(bench.wrong(), Names("byte " + std::to_string(byte), "node 0", "copy"));
            bench.flip_bit(0, static_cast<std::uint32_t>(byte), static_cast<int>(byte % 8));
        }
    }
    EXPECT_EQ(bench.wrong(), "right");
}

// A wrong load is found even if a later repetition corrects its result. The bit is wrong from a
// cycle in the second repetition to a cycle in the third.
TEST(MemoryTransferTest, AnElementLoadedWrongOnceIsFound) {
    TransferBench bench("pack");
    bench.set_element("word");
    bench.set_sizes({131'072});
    bench.set_strides({4});
    bench.load();
    constexpr std::int64_t kRepetition = 32'768 * 7;
    bool is_flipped = false;
    const auto flip_when = [&](bool due) {
        if (due != is_flipped) {
            bench.flip_bit(0, 64);
            is_flipped = due;
        }
        return true;
    };
    const nodes::Machine::RunLimits limits{.proceed = [&] {
        const std::int64_t now = bench.machine().now().count();
        return flip_when(now > kRepetition / 2 && now < 2 * kRepetition - kRepetition / 2);
    }};
    ASSERT_EQ(bench.run(limits), nodes::RunEnd::kFinished);
    ASSERT_FALSE(is_flipped);
    EXPECT_THAT(bench.wrong(), Names("repetition 2", "transfer 0", "source"));
}

TEST(MemoryTransferTest, ArraysStandWhereTheyAreAskedToBe) {
    TransferBench bench("pack");
    bench.set_sizes({80});
    bench.set_strides({16});
    bench.set_workload("source_address", std::int64_t{8192});
    bench.set_workload("destination_address", std::int64_t{4104});
    bench.load_and_run();
    EXPECT_EQ(bench.wrong(), "right");
    EXPECT_EQ(bench.at<double>(4104 + 9 * 8), bench.at<double>(8192 + 9 * 16));
    EXPECT_EQ(bench.at<double>(4104 + 80), 0.0);
}

// Each array has half of 8192 bytes: 512 doubles at a stride of 8, 256 at 16.
TEST(MemoryTransferTest, ArraysThatJustFit) {
    TransferBench bench("memcpy");
    bench.set(bench.configuration.memory, "bytes", std::int64_t{8192});
    bench.set_sizes({2048});
    bench.set_strides({8, 16});
    EXPECT_EQ(bench.fault_of_data(), "no fault");
}

TEST(MemoryTransferTest, ArraysThatDoNotFitAreRefused) {
    TransferBench bench("memcpy");
    bench.set(bench.configuration.memory, "bytes", std::int64_t{8192});
    bench.set_sizes({2048, 2064});
    bench.set_strides({8, 16});
    EXPECT_THAT(bench.fault_of_data(),
                Names("workload.sizes_bytes: ", "2064", "16", "0", "4120", "4096", "8216", "8192",
                      "memory.bytes", "workload.leave_out_what_does_not_fit = true"));
}

TEST(MemoryTransferTest, ArraysThatDoNotFitAreLeftOutWhereAsked) {
    TransferBench bench("memcpy");
    bench.set(bench.configuration.memory, "bytes", std::int64_t{8192});
    bench.set_sizes({2048, 2064});
    bench.set_strides({8, 16});
    bench.set_workload("leave_out_what_does_not_fit", true);
    bench.load_and_run();
    EXPECT_EQ(bench.wrong(), "right");
    EXPECT_EQ(bench.transfers().size(), 3U);
    EXPECT_EQ(dynamic_cast<MemoryTransfer&>(bench.kernel()).facts().transfers_left_out, 1.0);
}

TEST(MemoryTransferTest, NothingThatFits) {
    TransferBench bench("unpack");
    bench.set(bench.configuration.memory, "bytes", std::int64_t{8192});
    bench.set_sizes({2048});
    bench.set_strides({4096});
    bench.set_workload("leave_out_what_does_not_fit", true);
    EXPECT_THAT(bench.fault_of_data(),
                Names("workload.sizes_bytes: ", "none", "8192", "memory.bytes"));
}

// A memory that ends within a page, and an array that ends with the memory.
TEST(MemoryTransferTest, MemoryThatIsNoWholePages) {
    TransferBench bench("memcpy");
    bench.set(bench.configuration.memory, "bytes", std::int64_t{8192 + 800});
    bench.set_sizes({800});
    bench.set_strides({8});
    bench.set_workload("source_address", std::int64_t{8192});
    bench.set_workload("destination_address", std::int64_t{7392});
    bench.load_and_run();
    EXPECT_EQ(bench.wrong(), "right");
}

TEST(MemoryTransferTest, ArraysInTheSamePlace) {
    TransferBench bench("memcpy");
    bench.set_workload("source_address", kMiddle);
    EXPECT_THAT(bench.fault_of_data(),
                Names("workload.destination_address: ", "33554432", "different"));
}

TEST(MemoryTransferTest, PartsOfElements) {
    TransferBench sizes("pack");
    sizes.set_sizes({64, 12});
    EXPECT_THAT(sizes.fault_of_data(), Names("workload.sizes_bytes: ", "12", "multiples", "8"));
}

TEST(MemoryTransferTest, StridesOfPartsOfElements) {
    TransferBench strides("pack");
    strides.set_strides({64, 4});
    EXPECT_THAT(strides.fault_of_data(), Names("workload.strides_bytes: ", "4", "multiples", "8"));
}

TEST(MemoryTransferTest, AddressesThatNoDoubleHas) {
    TransferBench address("pack");
    address.set_element("word");
    address.set_workload("destination_address", std::int64_t{4100});
    EXPECT_THAT(address.fault_of_data(),
                Names("workload.destination_address: ", "4100", "multiples", "8"));
}

}  // namespace
}  // namespace weir::firmware
