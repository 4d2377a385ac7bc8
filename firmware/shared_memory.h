#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hw/parameter.h"
#include "hw/per_node.h"
#include "hw/units.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

/// Size of a shared line. Data are placed in whole lines to prevent false sharing.
constexpr std::uint32_t kSharedLine = 16;
constexpr std::int64_t whole_lines(std::int64_t bytes) {
    return (bytes + kSharedLine - 1) / kSharedLine * kSharedLine;
}

/// Placement of a kernel's data in the homes relative to one another. A direct-mapped cache maps
/// all lines at the same offset to one set, whatever their homes.
enum class HomePlacement : std::uint8_t {
    /// Each home's data at offsets after those of the previous homes' data and of private data.
    kApart,
    kAligned,  ///< data at the same offset of each home
};
inline std::vector<hw::Choice<HomePlacement>::Option> home_placements() {
    return {{HomePlacement::kApart, "apart"}, {HomePlacement::kAligned, "aligned"}};
}
inline constexpr const char* kHomePlacementSentence =
    "Placement of each node's values in its shared memory. apart: at another offset on each node, "
    "so that a direct-mapped cache with room for all values and private data has no conflicts. "
    "aligned: at the same offset on all nodes";

/// Allocates shared memory at each home in whole lines.
class SharedAllocator {
  public:
    /// `shape` must outlive this object and have shared memory.
    explicit SharedAllocator(const nodes::MachineShape& shape)
        : shape_(shape), used_(shape.node_count()) {}

    /// Allocates `bytes` bytes at `home`; returns their offset in the home's part.
    /// shape.shared_address() converts an offset to an address. Throws InputFault if the memory is
    /// too small, ProgramFault for a node that does not exist.
    std::uint32_t allocate(hw::NodeId home, std::uint32_t bytes,
                           nodes::CallPlace call = nodes::CallPlace::current());
    /// Allocates with a placement, for data of the same size at each home. `before` is the size in
    /// bytes of each node's private data.
    std::uint32_t allocate(hw::NodeId home, std::uint32_t bytes, HomePlacement placement,
                           std::uint32_t before,
                           nodes::CallPlace call = nodes::CallPlace::current());
    /// Allocates one line; returns its address.
    std::uint32_t line(hw::NodeId home, nodes::CallPlace call = nodes::CallPlace::current()) {
        return shape_.shared_address(home, allocate(home, kSharedLine, call), call);
    }

  private:
    std::uint32_t take(hw::NodeId home, std::int64_t begin, std::uint32_t bytes);

    const nodes::MachineShape& shape_;
    hw::PerNode<std::uint32_t> used_;  // bytes allocated in each node's part
};

/// A thread that spins on a word of shared memory.
struct Spinner {
    nodes::Processor& processor;
    std::int32_t thread = 0;  ///< number of the thread at its node
    bool yields = false;      ///< true if the node's other threads may run between two loads

    /// Time between two loads of the word: a test and a branch.
    [[nodiscard]] nodes::Processor::Awaiter look_again(std::uint32_t address) const;
};

/// Loops that load a word until it differs from `value` (spin_while) or equals it (spin_until): a
/// load, a test and a branch. Loads hit in the cache until another node stores to the line.
nodes::Task spin_while(Spinner spinner, std::uint32_t address, std::uint32_t value);
nodes::Task spin_until(Spinner spinner, std::uint32_t address, std::uint32_t value);

/// Tree barrier in shared memory (Mellor-Crummey and Scott, TOCS 1991). Every node waits for its
/// children's words, then writes its own word at its parent; the root's release returns down the
/// tree. The value that a node writes is the meeting's number, counted from 1. Each word lies at
/// the home of its reader.
class TreeBarrier {
  public:
    static constexpr std::int32_t kChildren = 4;

    TreeBarrier(SharedAllocator& allocator, std::int32_t nodes);

    /// Arrives at the barrier for the `meeting`-th time, counted from 1; returns when all nodes
    /// have arrived.
    nodes::Task meet(nodes::Processor& processor, std::uint32_t meeting) const;

  protected:
    struct Children {
        std::int32_t first = 0;
        std::int32_t end = 0;
    };
    [[nodiscard]] Children children_of(std::int32_t node) const;
    [[nodiscard]] std::uint32_t arrived(std::int32_t node) const { return arrived_[node]; }
    [[nodiscard]] std::uint32_t released(std::int32_t node) const { return released_[node]; }

  private:
    std::int32_t nodes_;
    // Arrival word of each node except the root, at its parent's home.
    std::vector<std::uint32_t> arrived_;
    // Release word of each node except the root, at its own home.
    std::vector<std::uint32_t> released_;
};

/// Barrier with a reduction. Every node contributes a value and a word, and all receive the same
/// result; parents combine their children's records with their own. Records lie in separate lines
/// from the barrier's words, so that spinning nodes do not invalidate a record while it is written.
class TreeReduction : public TreeBarrier {
  public:
    struct Record {
        double value = 0.0;
        std::uint32_t word = 0;
    };
    using Combine = std::function<Record(const Record& own, const Record& other)>;

    TreeReduction(SharedAllocator& allocator, std::int32_t nodes);

    /// Barrier like meet(), in the same count of meetings, with a reduction. `record` is this
    /// node's contribution, and on return the result. A combination takes combine_cycles in
    /// addition to its loads.
    nodes::Task reduce(nodes::Processor& processor, std::uint32_t meeting, Record& record,
                       Combine combine, hw::Cycles combine_cycles) const;

  private:
    static nodes::Task load(nodes::Processor& processor, std::uint32_t address, Record& record);
    static nodes::Task store(nodes::Processor& processor, std::uint32_t address, Record record);

    std::vector<std::uint32_t> brought_;  // contribution of each node except the root, at its
                                          // parent's home
    std::vector<std::uint32_t> taken_;    // result for each node except the root, at its own home
};

/// Algorithm of a lock.
enum class LockKind : std::uint8_t {
    kTestAndSet,         ///< exchange until the old value shows that the lock was free
    kTestAndTestAndSet,  ///< load until the lock is free, then exchange
    kQueue,              ///< queue lock of Mellor-Crummey and Scott, by exchange alone: each
                         ///< waiting thread spins on a line of its own
};

/// A lock in shared memory, with one line for each thread if its kind needs it.
class SharedLock {
  public:
    SharedLock(LockKind kind, SharedAllocator& allocator, hw::NodeId home, std::int32_t nodes,
               std::int32_t threads_per_node);

    nodes::Task acquire(Spinner spinner) const;
    nodes::Task release(Spinner spinner) const;

  private:
    // A thread's queue entry: whether it waits, and the address of the next entry (0: none).
    [[nodiscard]] std::uint32_t own_place(const Spinner& spinner) const {
        const std::int32_t place =
            spinner.processor.node().index() * threads_per_node_ + spinner.thread;
        return places_[place];
    }
    static constexpr std::uint32_t kWaits = 0;
    static constexpr std::uint32_t kNext = 4;

    nodes::Task join_queue(Spinner spinner) const;
    nodes::Task leave_queue(Spinner spinner) const;

    LockKind kind_;
    std::int32_t threads_per_node_;
    std::uint32_t lock_;  // the lock's word; for a queue, the address of its last entry
    std::vector<std::uint32_t> places_;
};

}  // namespace weir::firmware
