#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::firmware {

/// Scores of an alignment of two DNA sequences: the sum of its columns' scores.
struct AlignmentScores {
    double match = 0.0;
    double mismatch = 0.0;
    double gap = 0.0;  ///< a letter opposite no letter; a run of gaps counts once for each letter

    /// Score of two letters. N is an unknown base: it matches nothing, not even another N.
    [[nodiscard]] double of(char first, char second) const {
        return first == second && first != 'N' ? match : mismatch;
    }
};

/// Global alignment by dynamic programming (Needleman and Wunsch, 1970, with a linear gap). Task
/// (i, j) is the best score of the first i letters of one sequence with the first j of the other:
///     H(i, j) = max(H(i-1, j-1) + score of the letters, H(i-1, j) + gap, H(i, j-1) + gap),
///     H(i, 0) = i gap, H(0, j) = j gap.
///
/// Plain sequential program: returns H in the rows `row_step`, 2 row_step, ..., each for j = 1 ...
/// n. If row_step divides the first sequence's length, the last value of the last row is the score
/// of the alignment.
std::vector<std::vector<double>> alignment_rows(const AlignmentScores& scores,
                                                std::string_view first, std::string_view second,
                                                std::size_t row_step);

/// H(0, j) for the columns first_column ... first_column + columns - 1, counted from 1: the lower
/// edge of the lowest stripe.
std::vector<double> alignment_border(const AlignmentScores& scores, std::size_t first_column,
                                     std::size_t columns);

/// Some consecutive rows of H, computed from left to right in blocks of columns. A block needs H in
/// the row below its first row, for its own columns. The values to its left, the corner included,
/// come from the block before it.
class AlignmentStripe {
  public:
    /// Stripe of the rows of `letters`, with `rows_below` rows of the first sequence below it.
    AlignmentStripe(const AlignmentScores& scores, std::string_view letters,
                    std::size_t rows_below);

    /// Computes the block of the next letters of the second sequence. `lower_edge`: H in the row
    /// below the stripe. Returns H in the stripe's last row, for the block's columns.
    std::vector<double> next_block(std::string_view letters, const std::vector<double>& lower_edge);

  private:
    AlignmentScores scores_;
    std::string letters_;
    std::vector<double> left_;  // H to the left of the next block, beginning with the row below the
                                // stripe
};

}  // namespace weir::firmware
