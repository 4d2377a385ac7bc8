#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace weir::experiments::running {

/// Processes that mpirun started, which exchange texts. MPI is loaded when it is first used
/// (HostModule); without it only started() detects that there are several processes.
class MpiRanks {
  public:
    /// Number of processes that mpirun, or Slurm's srun by PMI, started together with this one; 1
    /// without them. Read from the environment, before MPI can be called. Throws setup::UserFault
    /// if the variable is not a number.
    [[nodiscard]] static std::size_t started();
    /// MPI library of this host, for example "Open MPI v4.1.4"; empty without one that this build
    /// can use.
    [[nodiscard]] static std::string library();

    /// Begins MPI, once per process. After this call, the process must not start other processes.
    /// Throws setup::UserFault without MPI.
    MpiRanks();
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;
    /// Ends MPI. Each rank has to destroy its object.
    ~MpiRanks();

    [[nodiscard]] int rank() const { return rank_; }  ///< this process's, from 0
    [[nodiscard]] int count() const { return count_; }

    void send(int to, const std::string& text) const;
    struct Message {
        int from = 0;
        std::string text;
    };
    /// Next message that has arrived; empty if there is none. Returns without waiting.
    [[nodiscard]] std::optional<Message> receive() const;

  private:
    int rank_ = 0;
    int count_ = 1;
};

}  // namespace weir::experiments::running
