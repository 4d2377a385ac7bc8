#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "hw/fault.h"

namespace weir::hw {

/// What an input may be at most, whoever reads it: it is refused before a library sees it. All
/// limits are here, and each is well above what is of use.
struct InputLimits {
    std::size_t bytes;       ///< of the whole; of a packet, an option
    std::size_t line_bytes;  ///< of a line, where it is read line by line
    std::size_t levels;      ///< what is nested; libraries call themselves for each
};

inline constexpr std::size_t kUnlimited = SIZE_MAX;  ///< of what is read as a stream

inline constexpr InputLimits kTomlLimits{16'000'000, kUnlimited, 50};
inline constexpr InputLimits kOptionLimits{100'000, kUnlimited, 50};  ///< what follows --set
inline constexpr std::size_t kMostTomlKeyParts = 50;  ///< "network.hop_cycles" has 2
inline constexpr InputLimits kJsonLimits{500'000'000, kUnlimited, 50};
inline constexpr InputLimits kGraphLimits{100'000'000, kUnlimited, 100};
inline constexpr InputLimits kMatrixLimits{kUnlimited, 10'000, 0};
inline constexpr std::int32_t kMostMatrixRows = 10'000'000;  ///< and columns
inline constexpr InputLimits kSequenceLimits{kUnlimited, 100'000'000, 0};
inline constexpr InputLimits kTrafficLimits{kUnlimited, 10'000, 0};
inline constexpr InputLimits kWorkLimits{kUnlimited, 10'000, 0};
inline constexpr InputLimits kImageLimits{256'000'000, kUnlimited, 0};
/// What a node's program reads or writes.
inline constexpr InputLimits kHostFileLimits{256'000'000, kUnlimited, 0};
inline constexpr InputLimits kFilterLimits{10'000, kUnlimited, 0};
inline constexpr InputLimits kExpressionLimits{10'000, kUnlimited, 50};  ///< of prices, constraints
inline constexpr InputLimits kPacketLimits{0x10000, kUnlimited, 0};  ///< GDB's, escapes included

/// Where an input's levels are: all but texts and comments is looked at.
enum class InputSyntax : std::uint8_t { kToml, kJson, kDot, kXml };

/// The deepest level of brackets and braces; in DOT of braces, in XML of elements.
[[nodiscard]] std::size_t levels_in(std::string_view text, InputSyntax syntax);

/// Why a text is refused before it is read: "it has more than 100000 bytes".
[[nodiscard]] std::optional<Fault> limit_fault(std::string_view text, const InputLimits& limits);
/// The same, its levels with it.
[[nodiscard]] std::optional<Fault> limit_fault(std::string_view text, const InputLimits& limits,
                                               InputSyntax syntax);

/// The rest of a stream; of one with more than `limits.bytes` a byte more, for limit_fault() to
/// see.
[[nodiscard]] std::string text_of(std::istream& in, const InputLimits& limits);
/// Skips the bytes EF BB BF, with which some editors begin a text in UTF-8; at a file's beginning.
void skip_byte_order_mark(std::istream& in);
/// As std::getline; of a longer line a byte more than `limits.line_bytes`, and its rest comes next.
bool next_line(std::istream& in, std::string& line, const InputLimits& limits);
/// Of such a line: "the line has more than 10000 bytes".
[[nodiscard]] std::optional<Fault> line_fault(std::string_view line, const InputLimits& limits);

}  // namespace weir::hw
