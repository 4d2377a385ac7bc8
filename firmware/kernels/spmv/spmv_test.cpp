#include "firmware/kernels/spmv/spmv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "nodes/machine.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

// y = A x on four nodes. A node's memory holds, from address 0 on, two words for replies (8 bytes),
// the node's elements of x, and its elements of y.
class SpmvTest : public ::testing::Test {
  protected:
    static constexpr std::int32_t kNodes = 4;
    static constexpr std::uint32_t kReal = 8;

    SpmvTest() : file_(std::filesystem::path(::testing::TempDir()) / (unique_name() + ".mtx")) {}
    ~SpmvTest() override { std::filesystem::remove(file_); }

    /// Writes A, x and the programs to a machine.
    void prepare(const std::string& matrix_market, const char* distribution = "cyclic") {
        ASSERT_TRUE(kernel_.parameters().find("distribution")->set(std::string(distribution)));
        std::ofstream(file_) << matrix_market;
        matrix_ = read_matrix_market(file_.string());
        ASSERT_TRUE(kernel_.parameters().find("matrix")->set(file_.string()));
        nodes::MachineConfiguration configuration;
        ASSERT_TRUE(configuration.network.find("dimensions")->set(std::vector<std::int64_t>{2, 2}));
        machine_ = std::make_unique<nodes::Machine>("machine", configuration, 1, nullptr);
        kernel_.prepare(machine_->shape(), 1, *machine_);
        machine_->load(
            [this](nodes::Processor& processor) { return kernel_.program(processor, firmware_); });
    }
    void run() { ASSERT_EQ(machine_->run({}), nodes::RunEnd::kFinished); }
    [[nodiscard]] std::optional<std::string> check() { return kernel_.check(*machine_); }

    [[nodiscard]] double x(std::int32_t column) {
        return real_at(column % kNodes, x_address(column));
    }
    [[nodiscard]] double y(std::int32_t row) { return real_at(row % kNodes, y_address(row)); }

    [[nodiscard]] static std::uint32_t x_address(std::int32_t column) {
        return kReal + static_cast<std::uint32_t>(column / kNodes) * kReal;
    }
    [[nodiscard]] std::uint32_t y_address(std::int32_t row) const {
        const std::int32_t node = row % kNodes;
        const std::int32_t local_x = (matrix_.columns - node + kNodes - 1) / kNodes;
        return kReal + static_cast<std::uint32_t>(local_x + row / kNodes) * kReal;
    }

    /// Element of the plain product, from the full matrix, in the order of the columns.
    [[nodiscard]] double product(std::int32_t row) {
        std::vector<double> full(static_cast<std::size_t>(matrix_.columns));
        const auto begin =
            static_cast<std::size_t>(matrix_.row_begin[static_cast<std::size_t>(row)]);
        const auto end =
            static_cast<std::size_t>(matrix_.row_begin[static_cast<std::size_t>(row) + 1]);
        for (std::size_t i = begin; i < end; ++i) {
            full[static_cast<std::size_t>(matrix_.column[i])] = matrix_.value[i];
        }
        double sum = 0.0;
        for (std::int32_t column = 0; column < matrix_.columns; ++column) {
            sum += full[static_cast<std::size_t>(column)] * x(column);
        }
        return sum;
    }
    void expect_product() {
        EXPECT_EQ(check(), std::nullopt);
        for (std::int32_t row = 0; row < matrix_.rows; ++row) {
            EXPECT_EQ(y(row), product(row)) << "row " << row;
        }
    }

    /// Inverts one bit of the word at `address` in a node's memory.
    void flip_bit(std::int32_t node, std::uint32_t address, int bit) {
        std::uint64_t word = 0;
        machine_->read<std::uint64_t>(hw::NodeId(node), address, {&word, 1});
        word ^= std::uint64_t{1} << bit;
        machine_->write<std::uint64_t>(hw::NodeId(node), address, {&word, 1});
    }

    static constexpr const char* kGeneral =
        "%%MatrixMarket matrix coordinate real general\n6 6 9\n"
        "1 1 0.5\n1 6 -2\n2 3 1e3\n3 1 1\n3 2 -1.25\n3 4 7\n5 5 3\n6 1 0.1\n6 6 0.2\n";

    Spmv kernel_;
    SparseMatrix matrix_;
    std::unique_ptr<nodes::Machine> machine_;

  private:
    static std::string unique_name() {
        std::string name = std::string("weir_spmv_") +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
                           std::to_string(getpid());
        std::replace(name.begin(), name.end(), '/', '_');
        return name;
    }
    double real_at(std::int32_t node, std::uint32_t address) {
        double value = 0.0;
        machine_->read<double>(hw::NodeId(node), address, {&value, 1});
        return value;
    }

    std::filesystem::path file_;
    ActiveMessages::Parameters firmware_;
};

TEST_F(SpmvTest, GeneralMatrix) {
    prepare(kGeneral);
    run();
    expect_product();
    EXPECT_EQ(y(3), 0.0) << "row 4 is empty";
}

TEST_F(SpmvTest, MoreRowsThanColumns) {
    prepare(
        "%%MatrixMarket matrix coordinate integer general\n9 2 5\n"
        "1 2 3\n2 1 -4\n5 1 1\n5 2 1\n9 2 8\n");
    run();
    expect_product();
}

TEST_F(SpmvTest, MoreColumnsThanRows) {
    prepare(
        "%%MatrixMarket matrix coordinate real general\n2 9 5\n"
        "1 9 0.25\n1 1 3\n1 2 3\n2 5 -1\n2 8 1e-3\n");
    run();
    expect_product();
}

TEST_F(SpmvTest, SymmetricMatrix) {
    prepare(
        "%%MatrixMarket matrix coordinate real symmetric\n5 5 5\n"
        "1 1 2\n3 1 -1\n5 2 0.125\n4 4 7\n5 4 3\n");
    run();
    expect_product();
}

TEST_F(SpmvTest, NodesWithoutRowsOnlyAnswer) {
    prepare("%%MatrixMarket matrix coordinate pattern general\n1 4 4\n1 1\n1 2\n1 3\n1 4\n");
    run();
    expect_product();
    EXPECT_EQ(kernel_.facts().remote_nonzeros, 3.0);
}

TEST_F(SpmvTest, FactsCountTheMatrixAndWhatIsRemote) {
    prepare(kGeneral);
    run();
    // Element (i, j) is local if i and j are equal modulo 4: (1,1), (5,5), (6,6). Nodes 0 to 3 have
    // rows 0 and 4, 1 and 5, 2, and 3.
    EXPECT_EQ(kernel_.facts().rows, 6.0);
    EXPECT_EQ(kernel_.facts().nonzeros, 9.0);
    EXPECT_EQ(kernel_.facts().remote_nonzeros, 6.0);
    EXPECT_EQ(kernel_.facts().most_nonzeros, 3.0);
    EXPECT_EQ(kernel_.progress(), 1.0);
}

class SpmvDistributionTest : public SpmvTest, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Distributions, SpmvDistributionTest,
                         ::testing::Values("cyclic", "blocked", "nonzeros", "random"));

TEST_P(SpmvDistributionTest, GivesTheProduct) {
    prepare(kGeneral, GetParam());
    run();
    EXPECT_EQ(check(), std::nullopt);
}

TEST_P(SpmvDistributionTest, GivesTheProductOfAMatrixThatIsNotSquare) {
    prepare(
        "%%MatrixMarket matrix coordinate real general\n2 9 5\n"
        "1 9 0.25\n1 1 3\n1 2 3\n2 5 -1\n2 8 1e-3\n",
        GetParam());
    run();
    EXPECT_EQ(check(), std::nullopt);
}

// Planted fault: a node's first element of x differs when it is requested.
TEST_P(SpmvDistributionTest, AFlippedBitInTheVectorReachesTheAnswer) {
    prepare(
        "%%MatrixMarket matrix coordinate pattern general\n4 4 12\n1 2\n1 3\n1 4\n2 1\n"
        "2 3\n2 4\n3 1\n3 2\n3 4\n4 1\n4 2\n4 3\n",
        GetParam());
    flip_bit(0, kReal, 51);
    run();
    EXPECT_TRUE(check().has_value());
}

TEST_F(SpmvTest, BlocksMakeABandLocal) {
    prepare(
        "%%MatrixMarket matrix coordinate pattern symmetric\n8 8 15\n1 1\n2 2\n3 3\n4 4\n5 5\n"
        "6 6\n7 7\n8 8\n2 1\n3 2\n4 3\n5 4\n6 5\n7 6\n8 7\n",
        "blocked");
    run();
    EXPECT_EQ(check(), std::nullopt);
    // 6 of 22 non-zeros are next to a border between two of the four nodes.
    EXPECT_EQ(kernel_.facts().remote_nonzeros, 6.0);
}

TEST_F(SpmvTest, WhatWasNotComputedIsNoAnswer) {
    prepare(kGeneral);
    ASSERT_TRUE(check().has_value());
    EXPECT_THAT(*check(), Names("y[0]", "nan", "product"));
}

// Planted fault: any bit of any element of y, even the last bit of an empty row's zero.
TEST_F(SpmvTest, AFlippedBitInTheAnswerIsFound) {
    prepare(kGeneral);
    run();
    for (std::int32_t row = 0; row < matrix_.rows; ++row) {
        for (const int bit : {0, 31, 52, 62}) {
            flip_bit(row % kNodes, y_address(row), bit);
            const std::optional<std::string> found = check();
            ASSERT_TRUE(found.has_value()) << "row " << row << ", bit " << bit;
            EXPECT_EQ(found->find("y[" + std::to_string(row) + "] is "), 0U) << *found;
            flip_bit(row % kNodes, y_address(row), bit);
        }
    }
    EXPECT_EQ(check(), std::nullopt);
}

// The value travels in messages: other nodes get the current value of a node's x.
TEST_F(SpmvTest, AFlippedBitInTheVectorReachesTheAnswer) {
    prepare(kGeneral);
    flip_bit(3, x_address(3), 51);  // x[3], at node 3, is needed by row 2 only
    run();
    ASSERT_TRUE(check().has_value());
    EXPECT_EQ(check()->find("y[2] is "), 0U) << *check();
}

}  // namespace
}  // namespace weir::firmware
