#include "firmware/kernels/spmv/sparse_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "firmware/kernel.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"
#include "hw/testing/test_folder.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;
using weir::testing::NamesMatcher;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kReal = "%%MatrixMarket matrix coordinate real general\n";

class MatrixMarketTest : public ::testing::Test {
  protected:
    static SparseMatrix matrix_of(const std::string& text) {
        hw::testing::note_seed("matrix-market", text);
        std::ofstream("a.mtx", std::ios::binary) << text;
        return read_matrix_market("a.mtx");
    }
    static std::string fault_of(const std::string& text) {
        try {
            static_cast<void>(matrix_of(text));
        } catch (const InputFault& fault) {
            return fault.what();
        }
        return "no fault";
    }

  private:
    hw::testing::CurrentTestFolder folder_;
};

TEST_F(MatrixMarketTest, EntriesAreSortedByRowAndColumn) {
    const SparseMatrix matrix = matrix_of(kReal +
                                          "3 4 4\n"
                                          "3 4 -2.5e-3\n"
                                          "1 2 0.5\n"
                                          "3 1 1e300\n"
                                          "1 1 7\n");
    EXPECT_EQ(matrix.rows, 3);
    EXPECT_EQ(matrix.columns, 4);
    EXPECT_EQ(matrix.nonzeros(), 4);
    EXPECT_THAT(matrix.row_begin, ElementsAre(0, 2, 2, 4));
    EXPECT_THAT(matrix.column, ElementsAre(0, 1, 0, 3));
    EXPECT_THAT(matrix.value, ElementsAre(7.0, 0.5, 1e300, -2.5e-3));
}

TEST_F(MatrixMarketTest, IntegerField) {
    const SparseMatrix matrix =
        matrix_of("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 -3\n2 2 +4\n");
    EXPECT_THAT(matrix.value, ElementsAre(-3.0, 4.0));
}

TEST_F(MatrixMarketTest, PatternFieldMeansOnes) {
    const SparseMatrix matrix =
        matrix_of("%%MatrixMarket matrix coordinate pattern general\n2 3 2\n2 3\n1 1\n");
    EXPECT_THAT(matrix.column, ElementsAre(0, 2));
    EXPECT_THAT(matrix.value, ElementsAre(1.0, 1.0));
}

TEST_F(MatrixMarketTest, SymmetricEntriesStandOnBothSidesOfTheDiagonal) {
    const SparseMatrix matrix =
        matrix_of("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 5\n3 1 2\n3 2 4\n");
    EXPECT_THAT(matrix.row_begin, ElementsAre(0, 2, 3, 5));
    EXPECT_THAT(matrix.column, ElementsAre(0, 2, 2, 0, 1));
    EXPECT_THAT(matrix.value, ElementsAre(5.0, 2.0, 4.0, 2.0, 4.0));
}

TEST_F(MatrixMarketTest, SymmetricPattern) {
    const SparseMatrix matrix =
        matrix_of("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n");
    EXPECT_THAT(matrix.column, ElementsAre(1, 0));
}

TEST_F(MatrixMarketTest, SkewSymmetricEntriesHaveTheOppositeValueAboveTheDiagonal) {
    const SparseMatrix matrix = matrix_of(
        "%%MatrixMarket matrix coordinate real skew-symmetric\n4 4 3\n2 1 1.5\n3 1 -2\n4 2 1\n");
    EXPECT_THAT(matrix.row_begin, ElementsAre(0, 2, 4, 5, 6));
    EXPECT_THAT(matrix.column, ElementsAre(1, 2, 0, 3, 0, 1));
    EXPECT_THAT(matrix.value, ElementsAre(-1.5, 2.0, 1.5, -1.0, -2.0, 1.0));
}

TEST_F(MatrixMarketTest, DiagonalOfASkewSymmetricMatrixIsZero) {
    EXPECT_THAT(fault_of("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n"),
                Names("a.mtx:3: ", "\"2 2 1\"", "diagonal", "accepted", "below"));
    EXPECT_THAT(fault_of("%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n"),
                Names("a.mtx:1: ", "pattern", "accepted", "general", "symmetric"));
}

TEST_F(MatrixMarketTest, AnArrayHasAllElementsColumnByColumn) {
    const SparseMatrix matrix =
        matrix_of("%%MatrixMarket matrix array real general\n% c\n3 2\n1\n0\n3\n-4D0\n5\n0.0\n");
    EXPECT_THAT(matrix.row_begin, ElementsAre(0, 2, 3, 4));
    EXPECT_THAT(matrix.column, ElementsAre(0, 1, 1, 0));
    EXPECT_THAT(matrix.value, ElementsAre(1.0, -4.0, 5.0, 3.0));
}

TEST_F(MatrixMarketTest, AnArrayOfASymmetricMatrixIsItsLowerTriangle) {
    const SparseMatrix symmetric =
        matrix_of("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n");
    EXPECT_THAT(symmetric.value, ElementsAre(1.0, 2.0, 2.0, 3.0));
    const SparseMatrix skew =
        matrix_of("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
    EXPECT_THAT(skew.row_begin, ElementsAre(0, 2, 4, 6));
    EXPECT_THAT(skew.value, ElementsAre(-1.0, -2.0, 1.0, -3.0, 2.0, 3.0));
}

TEST_F(MatrixMarketTest, FaultsInAnArray) {
    const std::string begin = "%%MatrixMarket matrix array real general\n";
    EXPECT_THAT(fault_of("%%MatrixMarket matrix array pattern general\n"),
                Names("a.mtx:1: ", "\"pattern\"", "array", "real", "integer"));
    EXPECT_THAT(fault_of(begin + "2 2 4\n"), Names("a.mtx:2: ", "\"2 2 4\"", "rows", "columns"));
    EXPECT_THAT(fault_of(begin + "1 2\n1\n"), Names("a.mtx:4: ", "1", "2", "entries"));
    EXPECT_THAT(fault_of(begin + "1 2\n1 2\n"), Names("a.mtx:3: ", "\"1 2\"", "line", "value"));
    EXPECT_THAT(fault_of(begin + "1 1\n1\n2\n"), Names("a.mtx:4: ", "more", "1", "entries"));
    EXPECT_THAT(fault_of(begin + "1 1\n0\n"), Names("a.mtx:3: ", "0"));
}

TEST_F(MatrixMarketTest, EntriesForOnePlaceAreAdded) {
    const SparseMatrix matrix = matrix_of(kReal + "2 2 4\n1 1 1\n2 2 8\n1 1 2\n1 1 4\n");
    EXPECT_EQ(matrix.nonzeros(), 2);
    EXPECT_THAT(matrix.row_begin, ElementsAre(0, 1, 2));
    EXPECT_THAT(matrix.value, ElementsAre(7.0, 8.0));
}

TEST_F(MatrixMarketTest, CommentsAndEmptyLinesAreSkipped) {
    const SparseMatrix matrix = matrix_of(kReal +
                                          "% a comment\n%\n\n 2 2 2 \n"
                                          "% another\n1 1 1\n \t\n\t2\t2\t3\t\n% the last\n\n");
    EXPECT_THAT(matrix.value, ElementsAre(1.0, 3.0));
}

TEST_F(MatrixMarketTest, LinesMayEndAsOnWindows) {
    const SparseMatrix matrix =
        matrix_of("%%MatrixMarket matrix coordinate real general\r\n% c\r\n2 2 1\r\n2 1 4.5\r\n");
    EXPECT_THAT(matrix.row_begin, ElementsAre(0, 0, 1));
    EXPECT_THAT(matrix.value, ElementsAre(4.5));
}

TEST_F(MatrixMarketTest, LastLineNeedsNoEnd) {
    EXPECT_THAT(matrix_of(kReal + "1 1 1\n1 1 2").value, ElementsAre(2.0));
}

TEST_F(MatrixMarketTest, WordsOfTheBannerMayBeCapitals) {
    EXPECT_EQ(matrix_of("%%MatrixMarket MATRIX Coordinate REAL General\n1 1 1\n1 1 2\n").nonzeros(),
              1);
}

TEST_F(MatrixMarketTest, MissingFile) {
    try {
        static_cast<void>(read_matrix_market("none.mtx"));
        FAIL() << "no fault";
    } catch (const InputFault& fault) {
        EXPECT_THAT(fault.what(), Names("none.mtx: ", "read", "Matrix Market"));
    }
}

TEST_F(MatrixMarketTest, FolderInPlaceOfAFile) {
    try {
        static_cast<void>(read_matrix_market("."));
        FAIL() << "no fault";
    } catch (const InputFault& fault) {
        EXPECT_THAT(fault.what(), Names(".: ", "read", "Matrix Market"));
    }
}

TEST_F(MatrixMarketTest, NoBanner) {
    for (const char* file :
         {"2 2 1\n1 1 1\n", "% MatrixMarket matrix coordinate real general\n", ""}) {
        EXPECT_THAT(fault_of(file), Names("a.mtx:1: ", "banner", "%%MatrixMarket"));
    }
}

TEST_F(MatrixMarketTest, BannerOfSomethingElse) {
    EXPECT_THAT(fault_of("%%MatrixMarket matrix elements real general\n"),
                Names("a.mtx:1: ", "elements\"", "accepted", "coordinate\"", "array\""));
    EXPECT_THAT(fault_of("%%MatrixMarket vector coordinate real general\n"),
                Names("a.mtx:1: ", "\"vector", "accepted", "\"matrix"));
    EXPECT_THAT(fault_of("%%MatrixMarket matrix coordinate complex general\n"),
                Names("a.mtx:1: ", "field", "\"complex\"", "real", "integer", "pattern"));
    EXPECT_THAT(fault_of("%%MatrixMarket matrix coordinate real hermitian\n"),
                Names("a.mtx:1: ", "symmetry", "\"hermitian\"", "general", "symmetric"));
    EXPECT_THAT(fault_of("%%MatrixMarket matrix coordinate real\n"),
                Names("a.mtx:1: ", "symmetry", "\"\"", "general", "symmetric"));
}

TEST_F(MatrixMarketTest, SizeLine) {
    EXPECT_THAT(fault_of(kReal), Names("a.mtx:2: ", "size", "rows", "columns", "entries"));
    EXPECT_THAT(fault_of(kReal + "% c\n2 2 1 1\n"),
                Names("a.mtx:3: ", "\"2 2 1 1\"", "size", "rows", "columns", "entries", "1"));
    for (const std::string line :
         {"2 2", "0 2 1", "2 -2 1", "2 2 0", "two 2 1", "99999999999999999999 2 1", "1e1 2 1"}) {
        EXPECT_THAT(fault_of(kReal + line + "\n"), Names("a.mtx:2: ", "\"" + line + "\"", "size",
                                                         "rows", "columns", "entries", "1"));
    }
    EXPECT_THAT(fault_of(kReal + "99999999999 2 1\r\n"), Names("a.mtx:2: ", "10000000"));
}

TEST_F(MatrixMarketTest, NeitherSizeNorLinesAreEndless) {
    EXPECT_THAT(fault_of(kReal + "10000001 1 1\n1 1 1\n"),
                Names("a.mtx:2: ", "10000001", "rows", "1", "columns", "10000000"));
    EXPECT_THAT(fault_of(kReal + "% " + std::string(10'000, 'x') + "\n"),
                Names("a.mtx:2: ", "line", "10000", "10000"));
}

TEST_F(MatrixMarketTest, SymmetricMatrixIsSquare) {
    EXPECT_THAT(fault_of("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n"),
                Names("a.mtx:2: ", "symmetric", "square"));
}

// Matches the fault that the third line has a row or column outside 1 to `most`.
NamesMatcher is_no_place(const std::string& line, const std::string& which,
                         const std::string& most) {
    return Names("a.mtx:3: ", "\"" + line + "\"", which, "1", most);
}

TEST_F(MatrixMarketTest, PlaceOutsideTheMatrix) {
    EXPECT_THAT(fault_of(kReal + "2 3 1\n3 1 1\n"), is_no_place("3 1 1", "row", "2"));
    EXPECT_THAT(fault_of(kReal + "2 3 1\n0 1 1\n"), is_no_place("0 1 1", "row", "2"));
    EXPECT_THAT(fault_of(kReal + "2 3 1\n1 4 1\n"), is_no_place("1 4 1", "column", "3"));
    EXPECT_THAT(fault_of(kReal + "2 3 1\n1 -1 1\n"), is_no_place("1 -1 1", "column", "3"));
    EXPECT_THAT(fault_of(kReal + "2 3 1\nx 1 1\n"), is_no_place("x 1 1", "row", "2"));
    EXPECT_THAT(fault_of(kReal + "2 3 1\n1\n"), is_no_place("1", "column", "3"));
}

// The index must end with the number; else "1 1.5" would be read as column 1 and value 0.5.
TEST_F(MatrixMarketTest, PlaceThatIsNoWholeNumber) {
    EXPECT_THAT(fault_of(kReal + "2 3 1\n1 1.5\n"), is_no_place("1 1.5", "column", "3"));
    EXPECT_THAT(fault_of(kReal + "2 3 1\n1.0 1 1\n"), is_no_place("1.0 1 1", "row", "2"));
    EXPECT_THAT(fault_of(kReal + "2 3 1\n1 1-2\n"), is_no_place("1 1-2", "column", "3"));
}

TEST_F(MatrixMarketTest, Value) {
    EXPECT_THAT(fault_of(kReal + "2 2 1\n1 1\n"),
                Names("a.mtx:3: ", "\"1 1\"", "no", "value", "row", "column", "value"));
    EXPECT_THAT(fault_of(kReal + "2 2 1\n1 1 one\n"),
                Names("a.mtx:3: ", "\"1 1 one\"", "no", "number", "row", "column", "value"));
    EXPECT_THAT(fault_of(kReal + "2 2 1\n1 1 1.0 2.0\n"),
                Names("a.mtx:3: ", "\"1 1 1.0 2.0\"", "more", "row", "column", "value"));
    EXPECT_THAT(fault_of("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n"),
                Names("a.mtx:3: ", "\"1 1 1\"", "more", "accepted", "row", "column"));
}

TEST_F(MatrixMarketTest, ValueIsOneNumber) {
    for (const char* value :
         {"nan", "-inf", "0x10", "12abc", "+-1", "1.5+02", "1_000", "１", "d2"}) {
        EXPECT_THAT(fault_of(kReal + "2 2 1\n1 1 " + value + "\n"),
                    Names("a.mtx:3: ", "no", "number"))
            << value;
    }
    for (const char* value : {"1e400", "-1e400", "1e-400"}) {
        EXPECT_THAT(fault_of(kReal + "2 2 1\n1 1 " + value + "\n"), HasSubstr("64 bits")) << value;
    }
    EXPECT_THAT(fault_of(kReal + std::string("2 2 1\n1 1 2\0\n", 13)), HasSubstr("\\x00"));
}

TEST_F(MatrixMarketTest, ExponentsOfFortran) {
    EXPECT_THAT(matrix_of(kReal + "2 2 4\n1 1 1.5D+02\n1 2 -2.5d-1\n2 1 3D0\n2 2 +4E0\n").value,
                ElementsAre(150.0, -0.25, 3.0, 4.0));
}

TEST_F(MatrixMarketTest, IntegersAreNotRounded) {
    const std::string begin = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 ";
    EXPECT_THAT(matrix_of(begin + "9007199254740992\n").value, ElementsAre(9007199254740992.0));
    EXPECT_THAT(fault_of(begin + "9007199254740994\n"), HasSubstr("2^53"));
}

TEST_F(MatrixMarketTest, AByteOrderMarkIsSkippedAndWordsBehindTheBannerAreNot) {
    EXPECT_THAT(matrix_of("\xEF\xBB\xBF" + kReal + "1 1 1\n1 1 2\n").value, ElementsAre(2.0));
    EXPECT_THAT(fault_of("%%MatrixMarket matrix coordinate real general x\n1 1 1\n1 1 1\n"),
                HasSubstr("\"x\""));
}

TEST_F(MatrixMarketTest, NumberOfEntries) {
    EXPECT_THAT(fault_of(kReal + "2 2 3\n1 1 1\n2 2 1\n"),
                Names("a.mtx:5: ", "ends", "2", "3", "entries"));
    EXPECT_THAT(fault_of(kReal + "2 2 1\n1 1 1\n% c\n2 2 1\n"),
                Names("a.mtx:5: ", "more", "1", "entries"));
}

TEST(RandomMatrixTest, HasAsManyDifferentPlacesAsAskedFor) {
    const SparseMatrix matrix = random_matrix(40, 30, 600, 1);
    EXPECT_EQ(matrix.rows, 40);
    EXPECT_EQ(matrix.columns, 30);
    ASSERT_EQ(matrix.nonzeros(), 600);
    ASSERT_EQ(matrix.row_begin.size(), 41U);
    EXPECT_EQ(matrix.row_begin.front(), 0);
    EXPECT_EQ(matrix.row_begin.back(), 600);
    std::set<std::pair<std::size_t, std::int32_t>> places;
    for (std::size_t row = 0; row < 40; ++row) {
        for (std::int64_t i = matrix.row_begin[row]; i < matrix.row_begin[row + 1]; ++i) {
            const std::int32_t column = matrix.column[static_cast<std::size_t>(i)];
            EXPECT_TRUE(column >= 0 && column < 30);
            EXPECT_TRUE(places.emplace(row, column).second);
        }
    }
    EXPECT_EQ(places.size(), 600U);
}

TEST(RandomMatrixTest, CanBeFull) {
    const SparseMatrix matrix = random_matrix(6, 7, 42, 1);
    EXPECT_EQ(matrix.nonzeros(), 42);
    EXPECT_THAT(matrix.row_begin, ElementsAre(0, 7, 14, 21, 28, 35, 42));
}

TEST(RandomMatrixTest, DependsOnTheSeedAlone) {
    const SparseMatrix matrix = random_matrix(50, 50, 300, 7);
    EXPECT_EQ(random_matrix(50, 50, 300, 7).column, matrix.column);
    EXPECT_EQ(random_matrix(50, 50, 300, 7).value, matrix.value);
    EXPECT_NE(random_matrix(50, 50, 300, 8).column, matrix.column);
    EXPECT_NE(random_matrix(50, 50, 300, 8).value, matrix.value);
}

TEST(RandomMatrixTest, ValuesAreUniformFromMinusOneToOne) {
    const SparseMatrix matrix = random_matrix(1000, 1000, 100'000, 1);
    double sum = 0.0;
    double squares = 0.0;
    for (const double value : matrix.value) {
        EXPECT_TRUE(value > -1.0 && value <= 1.0);
        sum += value;
        squares += value * value;
    }
    // Mean 0 and variance 1/3; tolerance: five standard errors of 100,000 values.
    EXPECT_NEAR(sum / 1e5, 0.0, 5.0 * std::sqrt(1.0 / 3.0 / 1e5));
    EXPECT_NEAR(squares / 1e5, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / 1e5));
}

TEST(RandomMatrixTest, PlacesAreUniform) {
    const SparseMatrix matrix = random_matrix(100, 100, 5'000, 1);
    // The matrix has non-zeros in half of its positions. The number in each row and column is
    // hypergeometric, with mean 50 and a variance of at most 100 / 2 / 2. Tolerance: six standard
    // deviations for 200 numbers.
    std::vector<int> in_column(100);
    for (const std::int32_t column : matrix.column) {
        ++in_column[static_cast<std::size_t>(column)];
    }
    for (std::size_t i = 0; i < 100; ++i) {
        EXPECT_NEAR(static_cast<double>(matrix.row_begin[i + 1] - matrix.row_begin[i]), 50.0, 30.0);
        EXPECT_NEAR(in_column[i], 50.0, 30.0);
    }
}

// Expects non-zeros at exactly all positions of the pattern, in a matrix that fills it.
void expect_all_places(MatrixPattern pattern, std::int64_t half_band,
                       const std::vector<std::int64_t>& in_rows) {
    const auto rows = static_cast<std::int32_t>(in_rows.size());
    std::int64_t all = 0;
    for (const std::int64_t in_row : in_rows) {
        all += in_row;
    }
    ASSERT_EQ(places_in(pattern, rows, half_band), all);
    const SparseMatrix matrix = random_matrix(rows, rows, all, 1, pattern, half_band);
    for (std::size_t row = 0; row < in_rows.size(); ++row) {
        EXPECT_EQ(matrix.row_begin[row + 1] - matrix.row_begin[row], in_rows[row]) << row;
    }
}

TEST(RandomMatrixTest, PatternsHaveTheirPlaces) {
    expect_all_places(MatrixPattern::kUniform, 0, {3, 3, 3});
    expect_all_places(MatrixPattern::kTriangle, 0, {1, 2, 3, 4, 5});
    expect_all_places(MatrixPattern::kBand, 0, {1, 1, 1, 1});
    expect_all_places(MatrixPattern::kBand, 1, {2, 3, 3, 3, 2});
    expect_all_places(MatrixPattern::kBand, 2, {3, 4, 5, 5, 4, 3});
    expect_all_places(MatrixPattern::kBand, 9, {4, 4, 4, 4});  // a band wider than the matrix
}

TEST(RandomMatrixTest, PatternsHoldWhereTheyAreNotFull) {
    const SparseMatrix band = random_matrix(200, 200, 900, 3, MatrixPattern::kBand, 7);
    const SparseMatrix triangle = random_matrix(200, 200, 900, 3, MatrixPattern::kTriangle);
    EXPECT_EQ(band.nonzeros(), 900);
    EXPECT_EQ(triangle.nonzeros(), 900);
    std::int64_t upper_half = 0;
    for (std::size_t row = 0; row < 200; ++row) {
        for (std::int64_t i = band.row_begin[row]; i < band.row_begin[row + 1]; ++i) {
            const auto column = band.column[static_cast<std::size_t>(i)];
            EXPECT_LE(std::abs(column - static_cast<std::int32_t>(row)), 7);
        }
        for (std::int64_t i = triangle.row_begin[row]; i < triangle.row_begin[row + 1]; ++i) {
            EXPECT_LE(triangle.column[static_cast<std::size_t>(i)], static_cast<std::int32_t>(row));
        }
        upper_half += row < 100 ? triangle.row_begin[row + 1] - triangle.row_begin[row] : 0;
    }
    // A quarter of the triangle's positions are in the upper half of the rows; tolerance: five
    // standard deviations.
    EXPECT_NEAR(static_cast<double>(upper_half), 225.0, 5.0 * 13.0);
}

}  // namespace
}  // namespace weir::firmware
