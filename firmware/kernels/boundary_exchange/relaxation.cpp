#include "firmware/kernels/boundary_exchange/relaxation.h"

#include <algorithm>

#include "hw/random_stream.h"

namespace weir::firmware {

Relaxation::Relaxation(std::size_t rows, std::size_t columns, std::uint64_t seed,
                       const std::string& purpose)
    : rows_(rows), columns_(columns), values_((rows + 2) * (columns + 2)) {
    hw::RandomStream stream(seed, hw::NodeId(0), purpose);
    std::generate(values_.begin(), values_.end(), [&stream] { return stream.unit(); });
    next_ = values_;
}

void Relaxation::step() {
    for (std::int64_t row = 0; row < static_cast<std::int64_t>(rows_); ++row) {
        for (std::int64_t column = 0; column < static_cast<std::int64_t>(columns_); ++column) {
            next_[index(row, column)] =
                relaxed(at(row, column), at(row - 1, column), at(row + 1, column),
                        at(row, column - 1), at(row, column + 1));
        }
    }
    values_.swap(next_);
}

}  // namespace weir::firmware
