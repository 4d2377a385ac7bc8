#pragma once

#include <cstdint>
#include <vector>

#include "network/router/allocator.h"
#include "network/router/arbiter.h"

namespace weir::network {

/// Wavefront allocator (Tamir and Chi 1993). Requests are cells of a square matrix: a row per
/// input, a column per output. Diagonals are served in turn; a request is granted if its row and
/// column are still free. The result is a maximal matching: no further request could be granted.
/// After a cycle with a grant, the next diagonal is the first. If several virtual channels of an
/// input port request one output port, an arbiter of the input port first chooses one of them.
class WavefrontAllocator final : public Allocator {
  public:
    explicit WavefrontAllocator(const Design& design);

    void allocate_vcs(Requests requests, Grants& grants) override;
    void allocate_switch(Requests requests, Grants& grants) override;

  private:
    struct Cell {
        std::int32_t distance;  // diagonals from the first one to this cell's
        std::int32_t input;
        std::int32_t output;
        std::int32_t request;
    };
    class Matrix {
      public:
        explicit Matrix(std::int32_t size) : size_(size) {}

        void add(std::int32_t input, std::int32_t output, std::int32_t request) {
            cells_.push_back({(input + output + size_ - first_) % size_, input, output, request});
        }
        /// Adds the granted requests to `grants`, and clears the matrix.
        void match(Grants& grants);

      private:
        std::int32_t size_;
        std::int32_t first_ = 0;
        std::vector<Cell> cells_;
        std::vector<bool> taken_inputs_;
        std::vector<bool> taken_outputs_;
    };

    Design design_;
    Matrix vcs_;
    Matrix ports_;
    std::vector<std::int32_t> last_channels_;  // last winner of each input port's arbiter
    // chosen request for each pair of input and output port
    std::vector<First> channels_;
};

[[nodiscard]] const AllocatorKind& wavefront_allocator_kind();

}  // namespace weir::network
