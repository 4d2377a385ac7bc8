#pragma once

namespace weir::firmware {
class ElfImage;
}
namespace weir::nodes {
class Machine;
}

namespace weir::experiments::kinds {

/// Observer that is attached to a machine of Sparcle nodes for one run. An observer does not change
/// the run's results.
class Instrument {
  public:
    Instrument() = default;
    Instrument(const Instrument&) = delete;
    Instrument& operator=(const Instrument&) = delete;
    virtual ~Instrument() = default;

    /// Called before the first cycle, when every node's memory holds its program. Machine and image
    /// outlive the run.
    virtual void attach(nodes::Machine& machine, const firmware::ElfImage& image) = 0;
    /// Called repeatedly during the run; false ends the run.
    virtual bool proceed() { return true; }
    /// Called if the run ends with a fault of the program. The machine is in the state of the
    /// fault.
    virtual void faulted() {}
    /// Called when the run has ended.
    virtual void ended() {}
};

}  // namespace weir::experiments::kinds
