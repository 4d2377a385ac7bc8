#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::running {

/// A Slurm of this host alone: munged, slurmctld and slurmd, with everything they have in a folder.
/// It ends with this object.
class LocalSlurm {
  public:
    explicit LocalSlurm(std::filesystem::path folder) : folder_(std::move(folder)) {}
    LocalSlurm(const LocalSlurm&) = delete;
    LocalSlurm& operator=(const LocalSlurm&) = delete;
    ~LocalSlurm();

    /// Starts it, and points SLURM_CONF at it; why it can't be, or nothing when it is up.
    [[nodiscard]] std::string start();

  private:
    void write_configuration() const;
    [[nodiscard]] std::string start_daemon(const std::string& command) const;
    [[nodiscard]] bool is_up() const;

    std::filesystem::path folder_;
};

}  // namespace weir::experiments::running
