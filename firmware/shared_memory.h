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

/// Bytes that move as one, so that what two nodes use does not share them without need.
constexpr std::uint32_t kSharedLine = 16;
constexpr std::int64_t whole_lines(std::int64_t bytes) {
    return (bytes + kSharedLine - 1) / kSharedLine * kSharedLine;
}

/// How what all homes have lies to one another. A direct-mapped cache has one place for all lines
/// of the same offset, wherever their homes are.
enum class HomePlacement : std::uint8_t {
    kApart,    ///< at offsets behind those of the homes before, and behind private data
    kAligned,  ///< at the same offset of each home
};
inline std::vector<hw::Choice<HomePlacement>::Option> home_placements() {
    return {{HomePlacement::kApart, "apart"}, {HomePlacement::kAligned, "aligned"}};
}
inline constexpr const char* kHomePlacementSentence =
    "Where nodes' values lie in their homes: at an offset of their own, behind private data, so "
    "that a direct-mapped cache that holds all has a place for each; or all at the same offset";

/// Hands out shared memory, home by home, in whole lines.
class SharedAllocator {
  public:
    /// Of a machine that has shared memory.
    explicit SharedAllocator(const nodes::MachineShape& shape)
        : shape_(shape), used_(shape.node_count()) {}

    /// The offset of so many bytes in the home's part; shape.shared_address() says their addresses.
    /// Throws InputFault when there are not so many, ProgramFault for a node that there is not.
    std::uint32_t allocate(hw::NodeId home, std::uint32_t bytes,
                           nodes::CallPlace call = nodes::CallPlace::current());
    /// The same for what each home has as much of, placed so; `before` are the bytes of each node's
    /// private data.
    std::uint32_t allocate(hw::NodeId home, std::uint32_t bytes, HomePlacement placement,
                           std::uint32_t before,
                           nodes::CallPlace call = nodes::CallPlace::current());
    /// The address of a line of its own.
    std::uint32_t line(hw::NodeId home, nodes::CallPlace call = nodes::CallPlace::current()) {
        return shape_.shared_address(home, allocate(home, kSharedLine, call), call);
    }

  private:
    std::uint32_t take(hw::NodeId home, std::int64_t begin, std::uint32_t bytes);

    const nodes::MachineShape& shape_;
    hw::PerNode<std::uint32_t> used_;  // of each node's part
};

/// One of a node's threads, as far as it waits for others.
struct Spinner {
    nodes::Processor& processor;
    std::int32_t thread = 0;  ///< of its node's
    bool yields = false;      ///< it lets its node's other threads go on between two looks

    /// The test and the branch after a look at the word.
    [[nodiscard]] nodes::Processor::Awaiter look_again(std::uint32_t address) const;
};

/// A loop that loads a word until it is, or is not, a value: a load, a test and a branch. Once the
/// line is here the loads hit, until somebody stores to it.
nodes::Task spin_while(Spinner spinner, std::uint32_t address, std::uint32_t value);
nodes::Task spin_until(Spinner spinner, std::uint32_t address, std::uint32_t value);

/// A barrier by a tree in shared memory (Mellor-Crummey and Scott, TOCS 1991): every node waits for
/// its children's words, then writes its own at its parent; the root's release comes back the same
/// way. Words are written with the number of the meeting, and lie at the home of who reads them.
class TreeBarrier {
  public:
    static constexpr std::int32_t kChildren = 4;

    TreeBarrier(SharedAllocator& allocator, std::int32_t nodes);

    /// Returns when all nodes have come to their `meeting`-th one, counted from 1.
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
    std::vector<std::uint32_t> arrived_;   // of each node but the root, at its parent's home
    std::vector<std::uint32_t> released_;  // of each node but the root, at its own
};

/// A barrier to which every node brings a value and a word, and from which all take the same ones
/// with them: parents combine what their children bring with their own. They lie beside the words
/// of the barrier in lines of their own, so that who waits does not take them away while they are
/// written.
class TreeReduction : public TreeBarrier {
  public:
    struct Record {
        double value = 0.0;
        std::uint32_t word = 0;
    };
    using Combine = std::function<Record(const Record& own, const Record& other)>;

    TreeReduction(SharedAllocator& allocator, std::int32_t nodes);

    /// As meet(), whose meetings are counted with these. `record` is what this node brings, and
    /// then what all take; a combination takes combine_cycles beside its loads.
    nodes::Task reduce(nodes::Processor& processor, std::uint32_t meeting, Record& record,
                       Combine combine, hw::Cycles combine_cycles) const;

  private:
    static nodes::Task load(nodes::Processor& processor, std::uint32_t address, Record& record);
    static nodes::Task store(nodes::Processor& processor, std::uint32_t address, Record record);

    std::vector<std::uint32_t> brought_;  // by each node but the root, at its parent's home
    std::vector<std::uint32_t> taken_;    // by each node but the root, at its own
};

/// How nodes take turns.
enum class LockKind : std::uint8_t {
    kTestAndSet,         ///< exchange until the lock was free
    kTestAndTestAndSet,  ///< load until it looks free, then exchange
    kQueue,              ///< Mellor-Crummey and Scott's queue, by exchange alone: who waits spins
                         ///< on a line of its own
};

/// A lock in shared memory, and a line for each thread where the kind needs one.
class SharedLock {
  public:
    SharedLock(LockKind kind, SharedAllocator& allocator, hw::NodeId home, std::int32_t nodes,
               std::int32_t threads_per_node);

    nodes::Task acquire(Spinner spinner) const;
    nodes::Task release(Spinner spinner) const;

  private:
    // A thread's place in the queue: whether it waits, and who comes next (its address; 0: nobody).
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
    std::uint32_t lock_;  // of the queue: its last place
    std::vector<std::uint32_t> places_;
};

}  // namespace weir::firmware
