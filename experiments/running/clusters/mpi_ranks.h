#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace weir::experiments::running {

/// The processes that mpirun has started: texts go between them. MPI is an option of the build;
/// without it started() still tells that there are others.
class MpiRanks {
  public:
    /// How many processes mpirun, or Slurm's srun by PMI, has started with this one, by their
    /// environment, before MPI itself can be asked; 1 without them. Throws setup::UserFault for
    /// what is no number there.
    [[nodiscard]] static std::size_t started();
    /// Whether this build has MPI, and whose: "Open MPI v4.1.4"; empty without.
    [[nodiscard]] static std::string library();

    /// Begins MPI, which may be once in a process; it must start no others from then on. Throws
    /// setup::UserFault in a build without MPI.
    MpiRanks();
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;
    /// Ends MPI; all ranks have to come here.
    ~MpiRanks();

    [[nodiscard]] int rank() const { return rank_; }  ///< from 0
    [[nodiscard]] int count() const { return count_; }

    void send(int to, const std::string& text) const;
    struct Message {
        int from = 0;
        std::string text;
    };
    /// One that has come; nothing without. Never waits.
    [[nodiscard]] std::optional<Message> receive() const;

  private:
    int rank_ = 0;
    int count_ = 1;
};

}  // namespace weir::experiments::running
