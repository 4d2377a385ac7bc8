#include "firmware/kernels/diamond_dag/alignment.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::firmware {

std::vector<std::vector<double>> alignment_rows(const AlignmentScores& scores,
                                                std::string_view first, std::string_view second,
                                                std::size_t row_step) {
    std::vector<double> row(second.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = static_cast<double>(j) * scores.gap;
    }
    std::vector<std::vector<double>> kept;
    for (std::size_t i = 1; i <= first.size(); ++i) {
        double diagonal = row[0];
        row[0] = static_cast<double>(i) * scores.gap;
        for (std::size_t j = 1; j < row.size(); ++j) {
            const double below = row[j];
            row[j] = std::max({diagonal + scores.of(first[i - 1], second[j - 1]),
                               below + scores.gap, row[j - 1] + scores.gap});
            diagonal = below;
        }
        if (i % row_step == 0) {
            kept.emplace_back(row.begin() + 1, row.end());
        }
    }
    return kept;
}

std::vector<double> alignment_border(const AlignmentScores& scores, std::size_t first_column,
                                     std::size_t columns) {
    std::vector<double> border;
    for (std::size_t j = first_column; j < first_column + columns; ++j) {
        border.push_back(static_cast<double>(j) * scores.gap);
    }
    return border;
}

AlignmentStripe::AlignmentStripe(const AlignmentScores& scores, std::string_view letters,
                                 std::size_t rows_below)
    : scores_(scores), letters_(letters) {
    for (std::size_t i = rows_below; i <= rows_below + letters.size(); ++i) {
        left_.push_back(static_cast<double>(i) * scores.gap);
    }
}

std::vector<double> AlignmentStripe::next_block(std::string_view letters,
                                                const std::vector<double>& lower_edge) {
    if (letters.size() != lower_edge.size()) {
        throw std::logic_error("an edge of " + std::to_string(lower_edge.size()) +
                               " values below a block of " + std::to_string(letters.size()) +
                               " columns");
    }
    std::vector<double> upper_edge;
    upper_edge.reserve(letters.size());
    // Computes the block column by column, each column from bottom to top.
    for (std::size_t j = 0; j < letters.size(); ++j) {
        double below = lower_edge[j];
        double diagonal = std::exchange(left_[0], below);
        for (std::size_t i = 1; i < left_.size(); ++i) {
            const double left = left_[i];
            below = std::max({diagonal + scores_.of(letters_[i - 1], letters[j]),
                              below + scores_.gap, left + scores_.gap});
            diagonal = std::exchange(left_[i], below);
        }
        upper_edge.push_back(below);
    }
    return upper_edge;
}

}  // namespace weir::firmware
