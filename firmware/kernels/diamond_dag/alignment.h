#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::firmware {

/// What an alignment of two DNA sequences is worth: a sum over its columns.
struct AlignmentScores {
    double match = 0.0;
    double mismatch = 0.0;
    double gap = 0.0;  ///< a letter beside nothing; a run of gaps costs each of its letters

    /// N is a base that is not known: it matches nothing, not even another N.
    [[nodiscard]] double of(char first, char second) const {
        return first == second && first != 'N' ? match : mismatch;
    }
};

/// Global alignment by dynamic programming (Needleman and Wunsch, 1970, with a linear gap): task
/// (i, j) is the best score of the first i letters of one sequence beside the first j of the other,
///     H(i, j) = max(H(i-1, j-1) + score of the letters, H(i-1, j) + gap, H(i, j-1) + gap),
///     H(i, 0) = i gap, H(0, j) = j gap.
///
/// This is the plain sequential program: H in the rows `row_step`, 2 row_step, ..., each for
/// j = 1 ... n. The last of the last row is the score of the alignment when row_step divides the
/// first sequence's length.
std::vector<std::vector<double>> alignment_rows(const AlignmentScores& scores,
                                                std::string_view first, std::string_view second,
                                                std::size_t row_step);

/// H(0, j) for the columns first_column ... first_column + columns - 1, counted from 1: the edge
/// below the lowest stripe.
std::vector<double> alignment_border(const AlignmentScores& scores, std::size_t first_column,
                                     std::size_t columns);

/// Some consecutive rows of H, computed block of columns by block, from the left. A block needs H
/// in the row below its first, for its own columns; what it needs from its left, the corner
/// included, was there with the block before it.
class AlignmentStripe {
  public:
    /// `letters` of the first sequence, after `rows_below` others.
    AlignmentStripe(const AlignmentScores& scores, std::string_view letters,
                    std::size_t rows_below);

    /// Takes the next letters of the second sequence and H below them; returns H in the stripe's
    /// last row above them.
    std::vector<double> next_block(std::string_view letters, const std::vector<double>& lower_edge);

  private:
    AlignmentScores scores_;
    std::string letters_;
    std::vector<double> left_;  // H left of the next block, from the row below the stripe upwards
};

}  // namespace weir::firmware
