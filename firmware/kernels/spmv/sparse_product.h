#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/kernels/spmv/sparse_matrix.h"

namespace weir::firmware {

/// Distribution of a matrix's rows and a vector's elements over the nodes.
enum class RowDistribution : std::uint8_t {
    kCyclic,    ///< element i on node i mod P (LoPC Section 3.1.1)
    kBlocked,   ///< contiguous, with equal numbers for all nodes
    kNonzeros,  ///< contiguous, with about equal numbers of non-zeros
    kRandom,    ///< random, with equal numbers for all nodes
};

/// Owner of each of `count` elements, and its index among the owner's elements, which ascend.
class ElementPlaces {
  public:
    ElementPlaces() = default;
    /// `owners`: node of each element; `nodes`: number of nodes.
    ElementPlaces(std::vector<std::int32_t> owners, std::int32_t nodes);

    [[nodiscard]] std::int32_t owner(std::size_t element) const { return owners_[element]; }
    [[nodiscard]] std::int64_t index(std::size_t element) const { return indices_[element]; }
    /// Elements of a node, in their order there.
    [[nodiscard]] const std::vector<std::int32_t>& elements_of(std::int32_t node) const {
        return elements_[node];
    }

  private:
    std::vector<std::int32_t> owners_;
    std::vector<std::int64_t> indices_;
    // Elements of each node, in their order there.
    std::vector<std::vector<std::int32_t>> elements_;
};

/// Owners of the rows of `matrix`, and of the elements of y.
[[nodiscard]] ElementPlaces place_rows(RowDistribution distribution, const SparseMatrix& matrix,
                                       std::int32_t nodes, std::uint64_t seed);

/// Owners of the elements of x. In a square matrix, element i has the owner of row i. Otherwise the
/// elements are distributed by themselves, contiguously if rows are distributed by non-zeros.
[[nodiscard]] ElementPlaces place_columns(RowDistribution distribution, const SparseMatrix& matrix,
                                          const ElementPlaces& rows, std::int32_t nodes,
                                          std::uint64_t seed);

/// y = A x, with rows of A and elements of x and y distributed over the nodes (LoPC Sections 3.1.1,
/// 4.5: cyclic). For each non-zero, the owner of the row needs one element of x. Common part of
/// spmv and shared-spmv, which move these elements.
///
/// The check: y equals the plain product, bit by bit.
class SparseProduct : public BuiltInKernel {
  public:
    /// Marks of a node around its part of the product.
    static constexpr const char* kProductBegins = "product begins";
    static constexpr const char* kProductEnds = "product ends";

    struct Parameters : hw::ParameterGroup {
        explicit Parameters(const char* sentence) : ParameterGroup("workload", sentence) {}

        hw::Parameter<hw::FilePath> matrix{
            *this,
            "matrix",
            "",
            {},
            "Matrix Market file (real, integer or pattern; general, symmetric or skew-symmetric). "
            "Empty: a matrix made from the seed"};
        hw::Parameter<std::int64_t> rows{
            *this,
            "rows",
            13'000,
            {1, 100'000'000},
            "Number of rows, and of columns, of the matrix made from the seed",
            "LoPC Section 4.5: 13000 x 13000"};
        hw::Parameter<std::int64_t> nonzeros{*this,
                                             "nonzeros",
                                             654'800,
                                             {1, 1'000'000'000},
                                             "Number of non-zeros of the matrix made from the seed",
                                             "LoPC Section 4.5: 654800"};
        hw::Choice<MatrixPattern> pattern{
            *this,
            "pattern",
            MatrixPattern::kUniform,
            {{MatrixPattern::kUniform, "uniform"},
             {MatrixPattern::kBand, "band"},
             {MatrixPattern::kTriangle, "triangle"}},
            "Positions of the non-zeros in the matrix made from the seed. uniform: anywhere. band: "
            "at most half_band columns from the diagonal. triangle: on and below the diagonal",
            "not published; uniform is assumed"};
        hw::Parameter<std::int64_t> half_band{
            *this,
            "half_band",
            500,
            {0, 100'000'000},
            "Largest distance of a non-zero from the diagonal, in columns",
            hw::when("workload.pattern").is("band")};
        hw::Choice<RowDistribution> distribution{
            *this,
            "distribution",
            RowDistribution::kCyclic,
            {{RowDistribution::kCyclic, "cyclic"},
             {RowDistribution::kBlocked, "blocked"},
             {RowDistribution::kNonzeros, "nonzeros"},
             {RowDistribution::kRandom, "random"}},
            "Distribution of rows, and of elements of x and y, over the nodes. cyclic: in turn. "
            "blocked: contiguous, in equal numbers. nonzeros: contiguous, with about equal numbers "
            "of non-zeros. random: at random, in equal numbers",
            "LoPC Section 3.1.1: cyclic"};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            51,
            {0, 1'000'000},
            "Time of a multiply-add, in addition to the loads of column, value and element of x",
            "LoPC Section 4.5: 59 in total = loads of 2 + 3 + 3, and 51",
            hw::when("core.kind").is("behavioural")};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) final;
    std::optional<std::string> check(nodes::MemoryAccess& memory) final;
    /// Rows and non-zeros; none for a matrix from a file.
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override;
    [[nodiscard]] double work() const final { return static_cast<double>(matrix_.nonzeros()); }

    struct Facts {
        double rows = 0.0;
        double nonzeros = 0.0;
        double remote_nonzeros = 0.0;  ///< non-zeros whose element of x is on another node
        double most_nonzeros = 0.0;    ///< largest number of non-zeros on one node
    };
    /// Facts for models; call after prepare().
    [[nodiscard]] Facts facts() const;

    /// Rows of A and elements of x on one node.
    struct Part {
        std::vector<std::uint32_t> row_end;  ///< by row: index after its last element
        std::vector<std::size_t> columns;    ///< column of each element
        std::vector<double> values;          ///< value of each element
        std::vector<double> x;
    };
    /// Call after prepare().
    [[nodiscard]] Part part_of(std::int32_t node) const;
    /// Owners of the elements of x; call after prepare().
    [[nodiscard]] const ElementPlaces& column_places() const { return column_places_; }
    [[nodiscard]] std::size_t rows_of(std::int32_t node) const {
        return row_places_.elements_of(node).size();
    }
    /// Elements of y on a node before the run: NaN, so that a value that was not computed is
    /// recognised.
    [[nodiscard]] std::vector<double> unset(std::int32_t node) const;
    /// Fault in a node's elements of y, or nothing; call after prepare().
    [[nodiscard]] std::optional<std::string> fault_of(std::int32_t node,
                                                      const std::vector<double>& y) const;
    /// A node's elements of y, as they are in memory; call after prepare().
    [[nodiscard]] virtual std::vector<double> y_of(std::int32_t node,
                                                   nodes::MemoryAccess& memory) const = 0;

  protected:
    [[nodiscard]] virtual const Parameters& common() const = 0;
    /// Writes all nodes' parts to memory. Throws InputFault.
    virtual void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) = 0;
    /// Loads of nodes that request each element of x from its owner. Operations: non-zeros. Throws
    /// InputFault for a matrix file that cannot be read.
    [[nodiscard]] NodeLoads loads_of_requests(std::int32_t nodes, std::uint64_t seed) const;

  private:
    [[nodiscard]] SparseMatrix make_matrix(std::uint64_t seed) const;

    SparseMatrix matrix_;
    ElementPlaces row_places_;
    ElementPlaces column_places_;
    std::vector<double> x_;
    std::vector<double> product_;  // plain product with which the answer is compared
};

}  // namespace weir::firmware
