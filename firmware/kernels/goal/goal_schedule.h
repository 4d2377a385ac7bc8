#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::firmware {

/// An operation of a GOAL schedule.
struct GoalOperation {
    enum class Kind : std::uint8_t { kSend, kReceive, kCalculate };
    static constexpr std::int64_t kAny = -1;  ///< any source, or any tag

    Kind kind = Kind::kCalculate;
    std::int64_t amount = 0;  ///< bytes, or cycles of a calculation
    std::int64_t peer = 0;    ///< destination, or source
    std::int64_t tag = 0;
    std::size_t conditions = 0;                 ///< number of operations that it requires
    std::vector<std::size_t> after_start = {};  ///< operations that require its start
    std::vector<std::size_t> after_end = {};    ///< operations that require its end
    int line = 0;                               ///< line of the file
};

/// The operations of each rank, in the order of the file.
using GoalSchedule = std::vector<std::vector<GoalOperation>>;

/// Reads a schedule in LogGOPSim's textual form (Hoefler, Siebert, Lumsdaine: Group Operation
/// Assembly Language, ICPP 2009), as its txt2bin reads it:
///
///     num_ranks 2
///     rank 0 {
///     l1: calc 100
///     l2: send 16b to 1 tag 5
///     l2 requires l1
///     }
///     rank 1 {
///     recv 16b from 0 tag 5
///     }
///
/// - Labels hold within their rank, and are defined before they are used.
/// - `requires` waits for the end of an operation, `irequires` for its start.
/// - A receive may have source -1 or tag -1: any. The default tag is 0.
/// - Comments are // to the line's end, and /* */.
/// - `cpu` and `nic` must be 0: a node has one core and one network interface.
///
/// Throws InputFault with file, line and column; also for circular requirements.
[[nodiscard]] GoalSchedule parse_goal(std::string_view text, const std::string& source);
/// Reads the file. Throws InputFault if it can't be read.
[[nodiscard]] GoalSchedule read_goal(const std::string& path);

/// A schedule without a file: each rank sends 8 bytes to the next one.
[[nodiscard]] GoalSchedule goal_ring(std::int32_t ranks);

}  // namespace weir::firmware
