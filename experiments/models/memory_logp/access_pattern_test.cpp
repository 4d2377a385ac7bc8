#include "experiments/models/memory_logp/access_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

namespace weir::experiments::models {
namespace {

using ::testing::ElementsAre;

// Address, number of bytes, whether it is a store.
using Reference = std::tuple<std::uint64_t, std::uint64_t, bool>;

std::vector<Reference> references(TransferKind kind) {
    std::vector<Reference> all;
    for (const MemoryReference& reference :
         references_of_a_repetition({kind, 4, 16, 3, 2, 100, 1000})) {
        all.emplace_back(reference.address, reference.bytes, reference.is_store);
    }
    return all;
}

// Figure 3: rbuffer[k] = sbuffer[j]; k advances by the stride and j by one.
TEST(AccessPattern, UnpackLoadsContiguousAndStoresAtTheStride) {
    EXPECT_THAT(
        references(TransferKind::kUnpack),
        ElementsAre(Reference{100, 4, false}, Reference{1000, 4, true}, Reference{104, 4, false},
                    Reference{1016, 4, true}, Reference{108, 4, false}, Reference{1032, 4, true}));
}

TEST(AccessPattern, PackLoadsAtTheStrideAndStoresContiguous) {
    EXPECT_THAT(
        references(TransferKind::kPack),
        ElementsAre(Reference{100, 4, false}, Reference{1000, 4, true}, Reference{116, 4, false},
                    Reference{1004, 4, true}, Reference{132, 4, false}, Reference{1008, 4, true}));
}

TEST(AccessPattern, CopyLoadsAndStoresAtTheStride) {
    EXPECT_THAT(
        references(TransferKind::kCopy),
        ElementsAre(Reference{100, 4, false}, Reference{1000, 4, true}, Reference{116, 4, false},
                    Reference{1016, 4, true}, Reference{132, 4, false}, Reference{1032, 4, true}));
}

TEST(AccessPattern, ReadStoresNothing) {
    EXPECT_THAT(
        references(TransferKind::kRead),
        ElementsAre(Reference{100, 4, false}, Reference{116, 4, false}, Reference{132, 4, false}));
}

TEST(AccessPattern, ContiguousKeepsEverythingButTheStride) {
    const AccessPattern strided{TransferKind::kPack, 8, 64, 5, 2, 3, 7};
    const AccessPattern ideal = contiguous(strided);
    EXPECT_EQ(ideal.stride_bytes, 8);
    EXPECT_EQ(ideal.elements, 5);
    EXPECT_EQ(ideal.repetitions, 2);
    EXPECT_EQ(ideal.destination_address, 7);
    EXPECT_EQ(source_extent_bytes(strided), 4 * 64 + 8);
    EXPECT_EQ(source_extent_bytes(ideal), 5 * 8);
}

}  // namespace
}  // namespace weir::experiments::models
