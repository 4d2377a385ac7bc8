#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::nodes::sparcle::testing {

/// Something that a random program can do: a kind of event, and its number within the kind.
struct Event {
    enum class Kind : std::uint8_t {
        kTrap,               ///< trap type; all software traps count as kTrapInstruction
        kFormat2,            ///< op2 of op = 0
        kOperation,          ///< op3 of op = 2, except FPop1 and FPop2
        kFpop1,              ///< opf of FPop1
        kFpop2,              ///< opf of FPop2
        kAccess,             ///< op3 of op = 3
        kBranchTaken,        ///< Bicc's condition
        kBranchPassed,       ///< condition of a Bicc that was not taken
        kFloatBranchTaken,   ///< FBfcc's condition
        kFloatBranchPassed,  ///< condition of an FBfcc that was not taken
        kFlow,               ///< one of Flow
    };
    static constexpr unsigned kKinds = static_cast<unsigned>(Kind::kFlow) + 1;

    Kind kind = Kind::kFlow;
    std::uint16_t number = 0;

    bool operator==(const Event&) const = default;
};

/// Events of more than one instruction.
enum Flow : std::uint8_t {
    kBackwardBranch,
    kBackwardFloatBranch,
    kBackwardCall,
    kBackwardJump,
    kSpill,         ///< a window overflow stores a frame to the stack
    kFill,          ///< a window underflow loads a frame from the stack
    kModifiedWord,  ///< executes a word that the program has stored
    kFlows,
};

/// Events of all programs of a seed.
class Coverage {
  public:
    Coverage();

    void note(Event event);
    [[nodiscard]] bool misses(Event event) const;
    /// Expected events that have not occurred yet, among all that qemu and the unit have in common.
    /// New programs try these first.
    [[nodiscard]] const std::vector<Event>& missing() const { return missing_; }

  private:
    static constexpr unsigned kNumbers = 512;

    void expect(Event::Kind kind, unsigned number);

    std::array<std::array<bool, kNumbers>, Event::kKinds> done_{};
    std::vector<Event> missing_;
};

/// Name of an event, such as "FPop1 66".
[[nodiscard]] std::string name_of(Event event);

}  // namespace weir::nodes::sparcle::testing
