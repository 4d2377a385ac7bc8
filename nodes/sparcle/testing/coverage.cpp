#include "nodes/sparcle/testing/coverage.h"

#include <algorithm>

#include "nodes/sparcle/instruction.h"
#include "nodes/sparcle/trap_type.h"

namespace weir::nodes::sparcle::testing {

Coverage::Coverage() {
    using Kind = Event::Kind;
    for (const unsigned type :
         {kTrapInstructionAccess, kTrapIllegalInstruction, kTrapPrivilegedInstruction,
          kTrapFloatDisabled, kTrapWindowOverflow, kTrapWindowUnderflow, kTrapAddressNotAligned,
          kTrapFloatException, kTrapDataAccess, kTrapTagOverflow, kTrapCoprocessorDisabled,
          kTrapDivisionByZero, kTrapInstruction}) {
        expect(Kind::kTrap, type);
    }
    for (unsigned op2 = 0; op2 < 8; ++op2) {
        expect(Kind::kFormat2, op2);
    }
    for (unsigned op3 = 0; op3 < 0x40; ++op3) {
        if (op3 != kFpop1 && op3 != kFpop2) {
            expect(Kind::kOperation, op3);
        }
    }
    for (const unsigned opf :
         {kFmovs, kFnegs, kFabss, kFsqrts, kFsqrtd, kFadds, kFaddd, kFsubs, kFsubd, kFmuls,
          kFmuld, kFdivs, kFdivd, kFsmuld, kFitos,  kFdtos, kFitod, kFstod, kFstoi, kFdtoi}) {
        expect(Kind::kFpop1, opf);
    }
    for (const unsigned opf : {kFcmps, kFcmpd, kFcmpes, kFcmped}) {
        expect(Kind::kFpop2, opf);
    }
    for (unsigned op3 = 0; op3 <= kStdf; ++op3) {
        if (op3 != kLdfsr + 1) {
            expect(Kind::kAccess, op3);
        }
    }
    for (unsigned condition = 0; condition < 16; ++condition) {
        // Condition 0 never holds, and 8 always.
        if (condition != 0) {
            expect(Kind::kBranchTaken, condition);
            expect(Kind::kFloatBranchTaken, condition);
        }
        if (condition != 8) {
            expect(Kind::kBranchPassed, condition);
            expect(Kind::kFloatBranchPassed, condition);
        }
    }
    for (unsigned flow = 0; flow < kFlows; ++flow) {
        expect(Kind::kFlow, flow);
    }
}

void Coverage::expect(Event::Kind kind, unsigned number) {
    missing_.push_back({kind, static_cast<std::uint16_t>(number)});
}

void Coverage::note(Event event) {
    bool& done = done_[static_cast<unsigned>(event.kind)][event.number];
    if (!done) {
        done = true;
        std::erase(missing_, event);
    }
}

bool Coverage::misses(Event event) const {
    return std::ranges::find(missing_, event) != missing_.end();
}

std::string name_of(Event event) {
    constexpr std::array<const char*, Event::kKinds> kNames = {
        "trap",         "op2",         "op3 of operations",
        "FPop1",        "FPop2",       "op3 of accesses",
        "Bicc taken",   "Bicc passed", "FBfcc taken",
        "FBfcc passed", "flow"};
    return std::string(kNames[static_cast<unsigned>(event.kind)]) + " " +
           std::to_string(event.number);
}

}  // namespace weir::nodes::sparcle::testing
