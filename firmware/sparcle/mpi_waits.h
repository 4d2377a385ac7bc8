#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "firmware/sparcle/image_memory.h"

namespace weir::firmware {

/// Messages for which the ranks of an MPI program wait in a run that stands still, as the library's
/// state in the nodes' memories has them (library/mpi_state.h).
class MpiWaits {
  public:
    /// Where a rank is: the MPI call that it waits in, and the program's line.
    struct Place {
        std::string call;  ///< "MPI_Recv", or nothing where it is in no call of MPI
        std::string line;  ///< "function main (file.c:12)", or nothing where it is not known
    };

    /// Whether the image's program uses MPI.
    [[nodiscard]] static bool are_known(const ElfImage& image);
    /// `statuses` are those of the nodes whose programs have ended.
    MpiWaits(ImageMemory& memory, const std::map<std::int32_t, std::uint32_t>& statuses);

    /// "MPI deadlock", where every rank that has not ended waits; the ranks that keep as many
    /// messages as they have memory for, and those that have ended without MPI_Finalize. Empty
    /// where none of it is so.
    [[nodiscard]] std::string summary() const;
    /// A line for each rank that waits, or has not ended, each behind a line break: where it is,
    /// and source, tag and bytes of what it waits for. Of many ranks the first, the full ones
    /// before.
    [[nodiscard]] std::string lines(const std::function<Place(hw::NodeId)>& place) const;

  private:
    struct Wait {
        std::uint32_t state = 0;
        std::int32_t other = 0;
        std::int32_t tag = 0;
        std::uint32_t bytes = 0;
        bool is_collective = false;
        bool is_probe = false;
    };
    struct Rank {
        std::int32_t node = 0;
        bool has_ended = false;
        bool is_running = false;  // between MPI_Init and MPI_Finalize
        bool is_full = false;
        std::uint32_t messages_kept = 0;
        std::vector<Wait> waits;
    };

    [[nodiscard]] std::string text(const Wait& wait) const;

    std::vector<Rank> ranks_;
};

}  // namespace weir::firmware
