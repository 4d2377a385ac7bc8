#pragma once

namespace weir::firmware {
class ElfImage;
}
namespace weir::hw {
class TraceSink;
}
namespace weir::nodes {
class Machine;
class RunStops;
}  // namespace weir::nodes

namespace weir::experiments::kinds {

/// Observer that is attached to a machine for one run. An observer does not change the run's
/// results.
class Instrument {
  public:
    Instrument() = default;
    Instrument(const Instrument&) = delete;
    Instrument& operator=(const Instrument&) = delete;
    virtual ~Instrument() = default;

    /// Receiver of the parts' reports in place of `store`, to which it passes all of them on.
    [[nodiscard]] virtual hw::TraceSink& watched(hw::TraceSink& store) { return store; }
    /// Observer that stops the run between cycles; null without one.
    [[nodiscard]] virtual nodes::RunStops* stops() { return nullptr; }

    // Functions for machines of Sparcle nodes only.
    /// Called before the first cycle, when every node's memory holds its program. Machine and image
    /// outlive the run.
    virtual void attach(nodes::Machine& /*machine*/, const firmware::ElfImage& /*image*/) {}
    /// Called repeatedly during the run; false ends the run.
    virtual bool proceed() { return true; }
    /// Called if the run ends with a fault of the program. The machine is in the state of the
    /// fault.
    virtual void faulted() {}
    /// Called when the run has ended.
    virtual void ended() {}
};

}  // namespace weir::experiments::kinds
