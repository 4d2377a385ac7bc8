#pragma once

#include <cstdint>
#include <vector>

#include "network/router/allocator.h"
#include "network/router/arbiter.h"

namespace weir::network {

/// The wavefront allocator (Tamir and Chi 1993). Requests are the cells of a square matrix of
/// inputs and outputs. In each diagonal in turn, cells with a request are granted if their row and
/// column are still free. So no further request could be granted. The first diagonal moves on by
/// one after each cycle with a grant. If several virtual channels of an input port request one
/// output port, an arbiter of the input port chooses one first.
class WavefrontAllocator final : public Allocator {
  public:
    explicit WavefrontAllocator(const Design& design);

    void allocate_vcs(Requests requests, Grants& grants) override;
    void allocate_switch(Requests requests, Grants& grants) override;

  private:
    struct Cell {
        std::int32_t distance;  // between its diagonal and the first one
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
        /// Grants added requests, and clears the matrix.
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
    std::vector<std::int32_t> last_channels_;  // by input port
    std::vector<First> channels_;              // requests, by input and output port
};

[[nodiscard]] const AllocatorKind& wavefront_allocator_kind();

}  // namespace weir::network
