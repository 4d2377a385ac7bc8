#pragma once

namespace weir::firmware {
class ElfImage;
}
namespace weir::nodes {
class Machine;
}

namespace weir::experiments::kinds {

/// What is attached to a machine of Sparcle nodes for one run. No result of the run depends on it.
class Instrument {
  public:
    Instrument() = default;
    Instrument(const Instrument&) = delete;
    Instrument& operator=(const Instrument&) = delete;
    virtual ~Instrument() = default;

    /// Before the first cycle; every node's memory holds its program by now. Both stay until the
    /// run has ended.
    virtual void attach(nodes::Machine& machine, const firmware::ElfImage& image) = 0;
    /// Called now and then; false ends the run.
    virtual bool proceed() { return true; }
    /// The run has ended with a fault of the program's, and the machine stands as it was then.
    virtual void faulted() {}
    /// The run has ended.
    virtual void ended() {}
};

}  // namespace weir::experiments::kinds
