#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "hw/fault.h"

namespace weir::hw {

/// Upper limits of an input. Every reader checks them before it passes the input to a library. All
/// limits of Weir are here; each is far above practical sizes.
struct InputLimits {
    std::size_t bytes;       ///< limit of the whole input, or of each packet or option
    std::size_t line_bytes;  ///< limit of a line, for inputs that are read line by line
    std::size_t levels;      ///< limit of nesting; libraries recurse once per level
};

inline constexpr std::size_t kUnlimited = SIZE_MAX;  ///< no limit, for inputs read as a stream

inline constexpr InputLimits kTomlLimits{16'000'000, kUnlimited, 50};
/// Limits of a command-line option: the argument of --set.
inline constexpr InputLimits kOptionLimits{100'000, kUnlimited, 50};
/// Most parts of a key in TOML; "network.hop_cycles" has 2.
inline constexpr std::size_t kMostTomlKeyParts = 50;
inline constexpr InputLimits kJsonLimits{500'000'000, kUnlimited, 50};
inline constexpr InputLimits kGraphLimits{100'000'000, kUnlimited, 100};
inline constexpr std::size_t kMostGraphEdges = 4'000'000;  ///< limit of merged edges, too
inline constexpr InputLimits kMatrixLimits{kUnlimited, 10'000, 0};
inline constexpr std::int32_t kMostMatrixRows = 10'000'000;  ///< limit of columns, too
inline constexpr InputLimits kSequenceLimits{kUnlimited, 100'000'000, 0};
inline constexpr InputLimits kTrafficLimits{kUnlimited, 10'000, 0};
inline constexpr InputLimits kTableLimits{kUnlimited, 100'000, 0};      ///< CSV tables
inline constexpr InputLimits kRecordingLimits{500'000'000, 10'000, 0};  ///< unpacked
/// Limits of a configuration of BookSim, and of its description of a network.
inline constexpr InputLimits kBooksimLimits{16'000'000, kUnlimited, 0};
inline constexpr InputLimits kGoalLimits{500'000'000, kUnlimited, 0};  ///< schedules of LogGOPSim
inline constexpr InputLimits kWorkLimits{kUnlimited, 10'000, 0};
inline constexpr InputLimits kImageLimits{256'000'000, kUnlimited, 0};
/// Files that a node's program reads or writes.
inline constexpr InputLimits kHostFileLimits{256'000'000, kUnlimited, 0};
inline constexpr InputLimits kFilterLimits{10'000, kUnlimited, 0};
/// Limits of an expression that gives a price or a constraint.
inline constexpr InputLimits kExpressionLimits{10'000, kUnlimited, 50};
inline constexpr InputLimits kPacketLimits{0x10000, kUnlimited,
                                           0};  ///< GDB's packets, escapes included

/// Syntax in which levels are counted. Strings and comments are skipped.
enum class InputSyntax : std::uint8_t { kToml, kJson };

/// Greatest depth of nesting of brackets and braces.
[[nodiscard]] std::size_t levels_in(std::string_view text, InputSyntax syntax);

/// Reason to refuse a text before it is parsed: "it has more than 100000 bytes".
[[nodiscard]] std::optional<Fault> limit_fault(std::string_view text, const InputLimits& limits);
/// Checks the limit of nesting levels, too.
[[nodiscard]] std::optional<Fault> limit_fault(std::string_view text, const InputLimits& limits,
                                               InputSyntax syntax);

/// The rest of a stream, but at most one byte more than `limits.bytes`, so that limit_fault() sees
/// the excess.
[[nodiscard]] std::string text_of(std::istream& in, const InputLimits& limits);
/// Skips the UTF-8 byte order mark (EF BB BF) at the beginning of a file.
void skip_byte_order_mark(std::istream& in);
/// Like std::getline, but a line longer than `limits.line_bytes` is cut one byte behind the limit.
/// The next call continues with the rest of that line.
bool next_line(std::istream& in, std::string& line, const InputLimits& limits);
/// Reason to refuse a line that is longer than `limits.line_bytes`: "the line has more than 10000
/// bytes".
[[nodiscard]] std::optional<Fault> line_fault(std::string_view line, const InputLimits& limits);

}  // namespace weir::hw
