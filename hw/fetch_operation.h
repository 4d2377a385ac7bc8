#pragma once

#include <cstdint>

namespace weir::hw {

/// Operation of a fetch-and-op at the word's home; the requester receives the old value. The
/// selection is the usual one for fetch-and-phi (Gottlieb et al., as remembered); Alewife had none.
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
