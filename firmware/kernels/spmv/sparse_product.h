#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/spmv/sparse_matrix.h"

namespace weir::firmware {

/// How rows of a matrix, and elements of a vector, are dealt out to the nodes.
enum class RowDistribution : std::uint8_t {
    kCyclic,    ///< in turn (LoPC Section 3.1.1)
    kBlocked,   ///< as many in a row to each
    kNonzeros,  ///< in a row, so that each has about as many non-zeros
    kRandom,    ///< as many to each, at random
};

/// Which node has which of `count` elements, and where among its own, which ascend.
class ElementPlaces {
  public:
    ElementPlaces() = default;
    /// `owners` by element; of a machine of `nodes`.
    ElementPlaces(std::vector<std::int32_t> owners, std::int32_t nodes);

    [[nodiscard]] std::int32_t owner(std::size_t element) const { return owners_[element]; }
    [[nodiscard]] std::int64_t index(std::size_t element) const { return indices_[element]; }
    /// The node's own, in their order there.
    [[nodiscard]] const std::vector<std::int32_t>& elements_of(std::int32_t node) const {
        return elements_[node];
    }

  private:
    std::vector<std::int32_t> owners_;
    std::vector<std::int64_t> indices_;
    std::vector<std::vector<std::int32_t>> elements_;  // by node
};

/// The rows of `matrix`, and with them the elements of y.
[[nodiscard]] ElementPlaces place_rows(RowDistribution distribution, const SparseMatrix& matrix,
                                       std::int32_t nodes, std::uint64_t seed);

/// The elements of x: with the rows of the same number where the matrix is square, otherwise dealt
/// out by themselves, in a row where rows are so by their non-zeros.
[[nodiscard]] ElementPlaces place_columns(RowDistribution distribution, const SparseMatrix& matrix,
                                          const ElementPlaces& rows, std::int32_t nodes,
                                          std::uint64_t seed);

/// y = A x with rows of A and elements of x and y dealt out to the nodes, in turn unless asked
/// otherwise (LoPC Sections 3.1.1, 4.5). For each non-zero the owner of the row needs one element
/// of x. It is what spmv and shared-spmv have in common; they say how an element gets there.
///
/// The check: y is the plain product, to the bit.
class SparseProduct : public Kernel {
  public:
    /// A node's marks around its part of the product.
    static constexpr const char* kProductBegins = "product begins";
    static constexpr const char* kProductEnds = "product ends";

    struct Parameters : hw::ParameterGroup {
        explicit Parameters(const char* sentence) : ParameterGroup("workload", sentence) {}

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

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) final;
    std::optional<std::string> check(nodes::MemoryAccess& memory) final;
    [[nodiscard]] double progress() const final;

    struct Facts {
        double rows = 0.0;
        double nonzeros = 0.0;
        double remote_nonzeros = 0.0;  ///< whose x another node has
        double most_nonzeros = 0.0;    ///< of a node
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const;

    /// A node's rows of A, one after the other, and its elements of x.
    struct Part {
        std::vector<std::uint32_t> row_end;  ///< by row: index after its last element
        std::vector<std::size_t> columns;    ///< of each element
        std::vector<double> values;          ///< of each element
        std::vector<double> x;
    };
    /// After prepare().
    [[nodiscard]] Part part_of(std::int32_t node) const;
    /// After prepare(): who has which element of x.
    [[nodiscard]] const ElementPlaces& column_places() const { return column_places_; }
    [[nodiscard]] std::size_t rows_of(std::int32_t node) const {
        return row_places_.elements_of(node).size();
    }
    /// A node's elements of y before the run: what it does not compute must not look like an
    /// answer.
    [[nodiscard]] std::vector<double> unset(std::int32_t node) const;
    /// After prepare(): what is wrong with a node's elements of y, or nothing.
    [[nodiscard]] std::optional<std::string> fault_of(std::int32_t node,
                                                      const std::vector<double>& y) const;
    /// After prepare(): a node's elements of y, as they are in memory.
    [[nodiscard]] virtual std::vector<double> y_of(std::int32_t node,
                                                   nodes::MemoryAccess& memory) const = 0;

  protected:
    [[nodiscard]] virtual const Parameters& common() const = 0;
    /// Puts all nodes' parts into memory. Throws InputFault.
    virtual void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) = 0;

    [[nodiscard]] std::int32_t node_count() const { return node_count_; }
    void count_nonzero() { ++done_; }

  private:
    std::int32_t node_count_ = 0;
    SparseMatrix matrix_;
    ElementPlaces row_places_;
    ElementPlaces column_places_;
    std::vector<double> x_;
    std::vector<double> product_;  // the plain product the answer is checked against
    SharedCount done_ = 0;
};

}  // namespace weir::firmware
