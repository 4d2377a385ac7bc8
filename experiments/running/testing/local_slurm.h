#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::running {

/// Slurm on this host alone: munged, slurmctld and slurmd, with all of their files in a folder.
/// These daemons end with this object.
class LocalSlurm {
  public:
    explicit LocalSlurm(std::filesystem::path folder) : folder_(std::move(folder)) {}
    LocalSlurm(const LocalSlurm&) = delete;
    LocalSlurm& operator=(const LocalSlurm&) = delete;
    ~LocalSlurm();

    /// Starts Slurm, and sets SLURM_CONF. Returns the reason if it cannot be started, or an empty
    /// text.
    [[nodiscard]] std::string start();

  private:
    void write_configuration() const;
    [[nodiscard]] std::string start_daemon(const std::string& command) const;
    [[nodiscard]] bool is_up() const;

    std::filesystem::path folder_;
};

}  // namespace weir::experiments::running
