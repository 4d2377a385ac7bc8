#pragma once

#include <cstdint>
#include <vector>

#include "network/router/allocator.h"
#include "network/router/arbiter.h"

namespace weir::network {

/// The wavefront allocator (Tamir and Chi 1993): requests are the cells of a square matrix of
/// inputs and outputs. One diagonal after the other, each cell with a request is granted whose row
/// and column are free still. So no request is left that could be granted besides. The diagonal
/// that comes first moves on by one after each cycle with a grant. Where several lanes of an input
/// port ask for one output port, an arbiter of the input port chooses one before.
class WavefrontAllocator final : public Allocator {
  public:
    explicit WavefrontAllocator(const Design& design);

    void allocate_lanes(Requests requests, Grants& grants) override;
    void allocate_switch(Requests requests, Grants& grants) override;

  private:
    struct Cell {
        std::int32_t distance;  // of its diagonal from the one that comes first
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
        /// Grants what was added, and begins anew.
        void match(Grants& grants);

      private:
        std::int32_t size_;
        std::int32_t first_ = 0;
        std::vector<Cell> cells_;
        std::vector<bool> taken_inputs_;
        std::vector<bool> taken_outputs_;
    };

    Design design_;
    Matrix lanes_;
    Matrix ports_;
    std::vector<std::int32_t> last_channels_;  // of each input port
    std::vector<First> channels_;              // requests, by input and output port
};

[[nodiscard]] const AllocatorKind& wavefront_allocator_kind();

}  // namespace weir::network
