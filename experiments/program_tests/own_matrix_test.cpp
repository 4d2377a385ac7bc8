#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

// `weir run FILE --set workload.matrix=...` multiplies the user's own matrix. Success means that y
// equals the plain product, bit by bit.
class OwnMatrixTest : public ProgramTest {
  protected:
    OwnMatrixTest() { write("spmv.toml", kSmallSpmv); }

    /// Cycles for each non-zero of A x, with the matrix in this text.
    [[nodiscard]] double cycles_per_nonzero(const std::string& matrix) const {
        write("a.mtx", matrix);
        return result_of("spmv.toml", {"--set", "workload.matrix=a.mtx"})
            .at("measured")
            .at("cycles_per_nonzero");
    }
};

TEST_F(OwnMatrixTest, General) {
    EXPECT_GT(cycles_per_nonzero("%%MatrixMarket matrix coordinate real general\n4 4 5\n"
                                 "1 1 0.5\n2 3 -1e3\n3 4 2.25\n4 1 1\n4 2 1e-9\n"),
              0.0);
}

TEST_F(OwnMatrixTest, Rectangular) {
    EXPECT_GT(cycles_per_nonzero("%%MatrixMarket matrix coordinate integer general\n7 3 4\n"
                                 "7 1 5\n1 3 -2\n6 2 1\n6 3 9\n"),
              0.0);
    EXPECT_GT(cycles_per_nonzero("%%MatrixMarket matrix coordinate pattern general\n2 9 3\n"
                                 "1 9\n2 8\n2 1\n"),
              0.0);
}

TEST_F(OwnMatrixTest, Symmetric) {
    EXPECT_GT(cycles_per_nonzero("%%MatrixMarket matrix coordinate real symmetric\n5 5 4\n"
                                 "1 1 2\n3 1 -1\n5 2 0.125\n4 4 7\n"),
              0.0);
}

// All non-zeros are on the diagonal and therefore local: no messages. A non-zero costs its loads,
// the arithmetic and an equal share of the cost of rows.
TEST_F(OwnMatrixTest, DiagonalSendsNothing) {
    write("a.mtx",
          "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 1 1\n2 2 2\n3 3 3\n4 4 4\n");
    const nlohmann::json result = result_of("spmv.toml", {"--set", "workload.matrix=a.mtx"});
    EXPECT_FALSE(result.at("measured").contains("messages_measured"));
    // Row end 2, column 2, value 3, x 3, arithmetic 51, y 4 (SPARC V7's loads and stores).
    EXPECT_EQ(result.at("measured").at("cycles_per_nonzero"), 2 + 2 + 3 + 3 + 51 + 4);
}

// A matrix in another folder; the configuration that a run leaves can repeat the run.
TEST_F(OwnMatrixTest, RelativeToTheExperimentThatNamesIt) {
    std::filesystem::create_directory(file("study"));
    write("study/a.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 1\n1 1 1\n");
    write("study/spmv.toml", std::string(kSmallSpmv) + "matrix = \"a.mtx\"\n");
    static_cast<void>(output_of({"run", "study/spmv.toml", "--out", "first"}));
    const std::string resolved = "first/point-01-seed-1/configuration.toml";
    EXPECT_THAT(read(resolved), ::testing::HasSubstr("matrix = \"../../study/a.mtx\"\n"));
    static_cast<void>(output_of({"run", resolved, "--out", "second"}));
    EXPECT_EQ(digests_of("second"), digests_of("first"));
    EXPECT_THAT(weir({"run", "study/spmv.toml", "--set", "workload.matrix=a.mtx"}).error,
                ::testing::StartsWith("weir: a.mtx: "));
}

}  // namespace
}  // namespace weir::experiments
