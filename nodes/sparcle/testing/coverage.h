#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::nodes::sparcle::testing {

/// Something that random programs can do, and which of its kind.
struct Event {
    enum class Kind : std::uint8_t {
        kTrap,               ///< its type; software traps are all kTrapInstruction
        kFormat2,            ///< op2 of op = 0
        kOperation,          ///< op3 of op = 2, but for the two floating-point ones
        kFpop1,              ///< opf
        kFpop2,              ///< opf
        kAccess,             ///< op3 of op = 3
        kBranchTaken,        ///< Bicc's condition
        kBranchPassed,       ///< the same, where it did not hold
        kFloatBranchTaken,   ///< FBfcc's condition
        kFloatBranchPassed,  ///< the same, where it did not hold
        kFlow,               ///< one of Flow
    };
    static constexpr unsigned kKinds = static_cast<unsigned>(Kind::kFlow) + 1;

    Kind kind = Kind::kFlow;
    std::uint16_t number = 0;

    bool operator==(const Event&) const = default;
};

/// What a program does beyond single instructions.
enum Flow : std::uint8_t {
    kBackwardBranch,
    kBackwardFloatBranch,
    kBackwardCall,
    kBackwardJump,
    kSpill,         ///< a window overflow moves a frame to the stack
    kFill,          ///< a window underflow brings it back
    kModifiedWord,  ///< a word is executed that was stored by the program
    kFlows,
};

/// What the programs of a seed have done.
class Coverage {
  public:
    Coverage();

    void note(Event event);
    [[nodiscard]] bool misses(Event event) const;
    /// What was expected of them and has not happened yet: all that qemu and the unit have in
    /// common. New programs try it first.
    [[nodiscard]] const std::vector<Event>& missing() const { return missing_; }

  private:
    static constexpr unsigned kNumbers = 512;

    void expect(Event::Kind kind, unsigned number);

    std::array<std::array<bool, kNumbers>, Event::kKinds> done_{};
    std::vector<Event> missing_;
};

/// As "FPop1 66".
[[nodiscard]] std::string name_of(Event event);

}  // namespace weir::nodes::sparcle::testing
