#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/spmv/row_distribution.h"
#include "firmware/kernels/spmv/sparse_matrix.h"

namespace weir::firmware {

/// y = A x with rows of A and elements of x and y dealt out to the nodes, in turn unless asked
/// otherwise (LoPC Sections 3.1.1, 4.5). For each non-zero the owner of the row needs one element
/// of x; if another node has it, a `get` request is sent there and its handler replies with the
/// value.
///
/// Everything lies in the nodes' memories: for each node its rows of A (row ends, columns, values),
/// its elements of x and of y, and the word pair where replies are put. A column is the word from
/// which its element's owner and its index there follow by a division by P, index P + owner: dealt
/// out in turn, the column's own number.
class Spmv final : public Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "spmv: y = A x by get requests") {}

        hw::Parameter<hw::FilePath> matrix{
            *this,
            "matrix",
            "",
            {},
            "Matrix Market file (coordinate; real, integer or pattern; general or symmetric); "
            "empty: one made from the seed"};
        hw::Parameter<std::int64_t> rows{*this,
                                         "rows",
                                         13'000,
                                         {1, 100'000'000},
                                         "Rows and columns of the matrix made by seed",
                                         "LoPC Section 4.5: 13000 x 13000"};
        hw::Parameter<std::int64_t> nonzeros{*this,           "nonzeros",
                                             654'800,         {1, 1'000'000'000},
                                             "Its non-zeros", "LoPC Section 4.5: 654800"};
        hw::Choice<MatrixPattern> pattern{
            *this,
            "pattern",
            MatrixPattern::kUniform,
            {{MatrixPattern::kUniform, "uniform"},
             {MatrixPattern::kBand, "band"},
             {MatrixPattern::kTriangle, "triangle"}},
            "Where it has them: anywhere, at most half_band beside the diagonal, or on and below "
            "the diagonal",
            "not published; uniform is assumed"};
        hw::Parameter<std::int64_t> half_band{*this,
                                              "half_band",
                                              500,
                                              {0, 100'000'000},
                                              "Of pattern = \"band\"",
                                              hw::when("workload.pattern").is("band")};
        hw::Choice<RowDistribution> distribution{
            *this,
            "distribution",
            RowDistribution::kCyclic,
            {{RowDistribution::kCyclic, "cyclic"},
             {RowDistribution::kBlocked, "blocked"},
             {RowDistribution::kNonzeros, "nonzeros"},
             {RowDistribution::kRandom, "random"}},
            "Which node has which rows, and the elements of x and y with them: in turn; as many in "
            "a row to each; in a row by as many non-zeros; as many to each at random",
            "LoPC Section 3.1.1: cyclic"};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            51,
            {0, 1'000'000},
            "Cycles of a multiply-add beyond the loads of column, value and element of x",
            "LoPC Section 4.5: 59 in all = 2 + 3 + 3 + 51",
            hw::when("core.kind").is("behavioural")};
        hw::Parameter<hw::Cycles> request_handler_work_cycles{
            *this,
            "request_handler_work_cycles",
            5,
            {0, 1'000'000},
            "Cycles the request handler works beyond message, load and reply",
            "LoPC Section 4.5: 145 in all = 122 + 3 + 15 + 5",
            hw::when("core.kind").is("behavioural")};
        hw::Parameter<hw::Cycles> reply_handler_work_cycles{
            *this,
            "reply_handler_work_cycles",
            19,
            {0, 1'000'000},
            "Cycles the reply handler works beyond message and store",
            "LoPC Section 4.5: 145 in all = 122 + 4 + 19",
            hw::when("core.kind").is("behavioural")};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::vector<std::string> sending_handlers() const override { return {"get"}; }
    struct Facts {
        double rows = 0.0;
        double nonzeros = 0.0;
        double remote_nonzeros = 0.0;  ///< whose x another node has
        double most_nonzeros = 0.0;    ///< of a node
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double progress() const override;

    /// After prepare(): the matrix, x, who has which rows and elements of x, and what y must be, to
    /// the bit.
    [[nodiscard]] const SparseMatrix& matrix() const { return matrix_; }
    [[nodiscard]] const std::vector<double>& x() const { return x_; }
    [[nodiscard]] const ElementPlaces& row_places() const { return row_places_; }
    [[nodiscard]] const ElementPlaces& column_places() const { return column_places_; }
    [[nodiscard]] std::optional<std::string> fault_of(std::size_t row, double y) const;

  private:
    class Program;
    /// Where a node's part of the data lies in its memory.
    struct Layout {
        std::uint32_t local_rows = 0;
        std::uint32_t row_end = 0;  // words: index after the row's last element
        std::uint32_t columns = 0;  // words
        std::uint32_t values = 0;   // doubles
        std::uint32_t x = 0;        // doubles
        std::uint32_t y = 0;        // doubles
        std::uint32_t reply = 0;    // a double
    };

    void place(std::int32_t node, nodes::MemoryAccess& memory);
    [[nodiscard]] std::uint32_t place_word(std::size_t column) const;

    Parameters parameters_;
    std::int32_t node_count_ = 0;
    SparseMatrix matrix_;
    ElementPlaces row_places_;
    ElementPlaces column_places_;
    std::vector<double> x_;
    std::vector<double> product_;  // the plain product the answer is checked against
    std::vector<Layout> layout_;   // by node
    std::int64_t done_ = 0;
    std::int64_t remote_ = 0;         // non-zeros whose element of x is elsewhere
    std::int64_t most_nonzeros_ = 0;  // of a node
};

}  // namespace weir::firmware
