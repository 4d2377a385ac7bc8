#pragma once

#include <memory>

#include "experiments/kinds/kernel/kernel_kind.h"

namespace weir::experiments::kinds {

/// Value of workload.kernel for a replay of a stored trace's messages.
inline constexpr const char* kReplay = "replay";

/// Messages of a stored trace on this experiment's machine, with its network interfaces, queues and
/// engines (replay_kernel.h). The recorded times replace the costs of processors and firmware, so
/// parameters of these costs have no effect. Presets may set these parameters, but the experiment
/// must not. A run leaves the files of a kernel's run.
class ReplayKind final : public KernelKind {
  public:
    ReplayKind();

    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    void set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) override;
    [[nodiscard]] const records::MetricList& metrics() const override;
};

std::unique_ptr<Kind> make_replay_kind(const setup::ExperimentFile& file, setup::SelectedRun run);

}  // namespace weir::experiments::kinds
