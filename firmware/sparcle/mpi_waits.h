#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "firmware/sparcle/image_memory.h"

namespace weir::firmware {

/// Messages that the ranks of a deadlocked MPI program wait for, read from the library's state in
/// the nodes' memories (library/mpi/state.h).
class MpiWaits {
  public:
    /// Position of a rank: the MPI call in which it waits, and the program's line.
    struct Place {
        std::string call;  ///< name of the call, such as "MPI_Recv"; empty outside MPI calls
        /// Place of the call, such as "function main (file.c:12)"; empty if unknown.
        std::string line;
    };

    /// Whether the image's program uses MPI.
    [[nodiscard]] static bool are_known(const ElfImage& image);
    /// `statuses` are the exit statuses of the nodes whose programs have ended. The image knows its
    /// copies, one for each rank of a node.
    MpiWaits(ImageMemory& memory, const std::map<std::int32_t, std::uint32_t>& statuses);

    /// Returns "MPI deadlock" if all running ranks wait, ranks whose memory for unexpected messages
    /// is full, and ranks that ended without MPI_Finalize. Empty if none of these applies.
    [[nodiscard]] std::string summary() const;
    /// Text with a line for each rank that waits or has not ended; each begins with a line break. A
    /// line has the rank's position, and source, tag and bytes of the awaited message. Ranks are
    /// those of MPI_COMM_WORLD. If there are more than 16 ranks, 16 are listed: ranks with full
    /// memory first, then the others by number.
    [[nodiscard]] std::string lines(const std::function<Place(std::int32_t rank)>& place) const;

  private:
    struct Wait {
        std::uint32_t state = 0;
        std::int32_t other = 0;
        std::int32_t tag = 0;
        std::uint32_t bytes = 0;
        std::uint32_t context = 0;
        bool is_probe = false;
    };
    struct Rank {
        std::int32_t number = 0;
        bool has_ended = false;
        bool is_running = false;  // true between MPI_Init and MPI_Finalize
        bool is_full = false;
        std::uint32_t messages_kept = 0;
        std::vector<Wait> waits;
    };

    [[nodiscard]] std::string text(const Wait& wait) const;

    std::vector<Rank> ranks_;
};

}  // namespace weir::firmware
