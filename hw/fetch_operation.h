#pragma once

#include <cstdint>

namespace weir::hw {

/// What a fetch-and-op makes of a word where it lies; who asks for it gets the word as it was. (The
/// operations that Gottlieb and others' fetch-and-phi stands for most often, as remembered; Alewife
/// had none.)
enum class FetchOperation : std::uint8_t { kAdd, kAnd, kOr, kExchange };
constexpr unsigned kFetchOperations = 4;

[[nodiscard]] constexpr std::uint32_t fetch_result(FetchOperation operation, std::uint32_t word,
                                                   std::uint32_t operand) {
    switch (operation) {
        case FetchOperation::kAdd:
            return word + operand;
        case FetchOperation::kAnd:
            return word & operand;
        case FetchOperation::kOr:
            return word | operand;
        case FetchOperation::kExchange:
            return operand;
    }
    return word;
}

}  // namespace weir::hw
