#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kernels/spmv/sparse_product.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// Sparse product by messages. If a non-zero's element of x is on another node, a `get` request is
/// sent there, and its handler replies with the value.
///
/// Each node's memory holds its rows of A (row ends, columns, values), its elements of x and y, and
/// two words for replies. A column is stored as the word index * P + owner, from which a division
/// by P gives the element's owner and its index there. In a cyclic distribution this is the
/// column's number.
class Spmv final : public SparseProduct {
  public:
    struct Parameters : SparseProduct::Parameters {
        Parameters()
            : SparseProduct::Parameters(
                  "spmv: sparse matrix-vector product y = A x, by requests for elements of x") {}

        hw::Parameter<hw::Cycles> request_handler_work_cycles{
            *this,
            "request_handler_work_cycles",
            5,
            {0, 1'000'000},
            "Work of a request's handler, in addition to message, load and reply",
            "LoPC Section 4.5: 145 in total = message 122 + load 3 + reply 15 + 5",
            hw::when("core.kind").is("behavioural")};
        hw::Parameter<hw::Cycles> reply_handler_work_cycles{
            *this,
            "reply_handler_work_cycles",
            19,
            {0, 1'000'000},
            "Work of a reply's handler, in addition to message and store",
            "LoPC Section 4.5: 145 in total = message 122 + store 4 + 19",
            hw::when("core.kind").is("behavioural")};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] Communication communication() const override {
        return Communication::kRequestReply;
    }
    [[nodiscard]] std::vector<std::string> sending_handlers() const override { return {"get"}; }
    [[nodiscard]] std::optional<NodeLoads> node_loads(const nodes::MachineShape& machine,
                                                      std::uint64_t seed) const override {
        return loads_of_requests(machine.node_count(), seed);
    }
    [[nodiscard]] std::vector<double> y_of(std::int32_t node,
                                           nodes::MemoryAccess& memory) const override;

  protected:
    [[nodiscard]] const SparseProduct::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) override;

  private:
    class Program;
    /// Addresses of a node's data.
    struct Layout {
        std::uint32_t local_rows = 0;
        std::uint32_t row_end = 0;  // a word for each row: index after its last non-zero
        std::uint32_t columns = 0;  // words
        std::uint32_t values = 0;   // doubles
        std::uint32_t x = 0;        // doubles
        std::uint32_t y = 0;        // doubles
        std::uint32_t reply = 0;    // received element of x, a double
    };

    void place(std::int32_t node, nodes::MemoryAccess& memory);
    [[nodiscard]] std::uint32_t place_word(std::size_t column) const;

    Parameters parameters_;
    hw::PerNode<Layout> layout_;  // addresses of each node's data
};

/// spmv.c on Sparcle nodes, with its twin's matrix, vector and check: y equals the plain product,
/// bit by bit.
class CompiledSpmv final : public TwinKernel<Spmv> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::vector<std::uint32_t> y_;  // address of each node's elements of y
};

}  // namespace weir::firmware
