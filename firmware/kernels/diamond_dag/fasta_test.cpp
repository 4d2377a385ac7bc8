#include "firmware/kernels/diamond_dag/fasta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "firmware/kernel.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"
#include "hw/testing/test_folder.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

class FastaTest : public ::testing::Test {
  protected:
    static std::string sequence_of(const std::string& text) {
        std::ofstream("a.fa", std::ios::binary) << text;
        return read_fasta("a.fa");
    }
    static std::string fault_of(const std::string& text) {
        hw::testing::note_seed("fasta", text);
        std::ofstream("a.fa", std::ios::binary) << text;
        return fault_of_file("a.fa");
    }
    static std::string fault_of_file(const std::string& path) {
        try {
            static_cast<void>(read_fasta(path));
        } catch (const InputFault& fault) {
            return fault.what();
        }
        return "no fault";
    }

  private:
    hw::testing::CurrentTestFolder folder_;
};

TEST_F(FastaTest, LinesOfOneRecordAreOneSequence) {
    EXPECT_EQ(sequence_of(">chain 1, any text > here\nACGT\nTTN\nA\n"), "ACGTTTNA");
}

TEST_F(FastaTest, SmallLettersBecomeCapitals) {
    EXPECT_EQ(sequence_of(">\nacgtnACGTN\n"), "ACGTNACGTN");
}

TEST_F(FastaTest, EmptyLinesAndBlanksAtTheEndOfALineAreSkipped) {
    EXPECT_EQ(sequence_of("\n \n>a\n\nAC \t\n\nGT\n\n"), "ACGT");
}

TEST_F(FastaTest, LinesMayEndAsOnWindows) { EXPECT_EQ(sequence_of(">a\r\nAC\r\nGT\r\n"), "ACGT"); }

TEST_F(FastaTest, AByteOrderMarkIsSkipped) { EXPECT_EQ(sequence_of("\xEF\xBB\xBF>a\nAC\n"), "AC"); }

TEST_F(FastaTest, LastLineNeedsNoEnd) { EXPECT_EQ(sequence_of(">a\nAC\nG"), "ACG"); }

TEST_F(FastaTest, MissingFile) {
    EXPECT_THAT(fault_of_file("none.fa"), Names("none.fa: ", "read", "FASTA"));
}

TEST_F(FastaTest, FolderInPlaceOfAFile) {
    EXPECT_THAT(fault_of_file("."), Names(".: ", "read", "FASTA"));
}

TEST_F(FastaTest, NoHeader) {
    EXPECT_THAT(fault_of("ACGT\n"), Names("a.fa:1: ", "\"ACGT\"", "header", "'>'"));
    EXPECT_THAT(fault_of("\n;comment\n>a\nACGT\n"),
                Names("a.fa:2: ", "\";comment\"", "header", "'>'"));
    EXPECT_THAT(fault_of(std::string(1000, 'A')),
                Names("a.fa:1: ", "\"" + std::string(40, 'A') + "...\"", "header", "'>'"));
}

TEST_F(FastaTest, EmptyFile) {
    EXPECT_THAT(fault_of(""), Names("a.fa:1: ", "end", "header", "'>'"));
    EXPECT_THAT(fault_of("\n\n"), Names("a.fa:3: ", "end", "header", "'>'"));
}

TEST_F(FastaTest, NoLetters) {
    EXPECT_THAT(fault_of(">a\n\n"), Names("a.fa:3: ", "end", "A, C, G, T, N", "header"));
}

TEST_F(FastaTest, OtherLetters) {
    const std::string accepted = "A, C, G, T, N";
    EXPECT_THAT(fault_of(">a\nACGT\nACUT\n"), Names("a.fa:3: ", "'U'", "column 3", accepted));
    EXPECT_THAT(fault_of(">a\nAC GT\n"), Names("a.fa:2: ", "byte 32", "column 3", accepted));
    EXPECT_THAT(fault_of(">a\n AC\n"), Names("a.fa:2: ", "byte 32", "column 1", accepted));
    EXPECT_THAT(fault_of(">a\nACG-T\n"), Names("a.fa:2: ", "'-'", "column 4", accepted));
    EXPECT_THAT(fault_of(">a\nAC>T\n"), Names("a.fa:2: ", "'>'", "column 3", accepted));
    EXPECT_THAT(fault_of(">a\n\xc3\xa4\n"), Names("a.fa:2: ", "byte 195", "column 1", accepted));
    EXPECT_THAT(fault_of(std::string(">a\nA\0C\n", 7)),
                Names("a.fa:2: ", "byte 0", "column 2", accepted));
}

TEST_F(FastaTest, SecondRecord) {
    EXPECT_THAT(fault_of(">a\nACGT\n>b\nACGT\n"), Names("a.fa:3: ", "second", "\">b\"", "one"));
}

TEST(RandomSequenceTest, DependsOnSeedAndName) {
    const std::string sequence = random_sequence(200, 7, "first sequence");
    EXPECT_EQ(sequence.size(), 200U);
    EXPECT_EQ(random_sequence(200, 7, "first sequence"), sequence);
    EXPECT_NE(random_sequence(200, 8, "first sequence"), sequence);
    EXPECT_NE(random_sequence(200, 7, "second sequence"), sequence);
}

TEST(RandomSequenceTest, BasesAreEquallyLikely) {
    const std::string sequence = random_sequence(40'000, 1, "first sequence");
    for (const char base : {'A', 'C', 'G', 'T'}) {
        // The mean is 10,000; tolerance: five standard deviations of the binomial distribution.
        EXPECT_NEAR(static_cast<double>(std::count(sequence.begin(), sequence.end(), base)), 1e4,
                    5.0 * std::sqrt(4e4 * 0.25 * 0.75));
    }
}

}  // namespace
}  // namespace weir::firmware
