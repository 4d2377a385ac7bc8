#include "nodes/sparcle/decoded_instruction.h"

#include "nodes/sparcle/integer_unit.h"

namespace weir::nodes::sparcle {

namespace {

std::uint64_t registers_read(std::uint32_t word) {
    std::uint64_t reads = 0;
    for (unsigned number = 0; number < 32; ++number) {
        reads |= std::uint64_t{IntegerUnit::reads_register(word, number, false)} << number;
        reads |= std::uint64_t{IntegerUnit::reads_register(word, number, true)} << (32 + number);
    }
    return reads;
}

Operation operation_of_arithmetic(unsigned op3) {
    switch (op3) {
        case kAdd:
            return Operation::kAdd;
        case kAddx:
            return Operation::kAddx;
        case kSub:
            return Operation::kSub;
        case kSubx:
            return Operation::kSubx;
        case kAnd:
            return Operation::kAnd;
        case kAndn:
            return Operation::kAndn;
        case kOr:
            return Operation::kOr;
        case kOrn:
            return Operation::kOrn;
        case kXor:
            return Operation::kXor;
        case kXnor:
            return Operation::kXnor;
        case kSll:
            return Operation::kSll;
        case kSrl:
            return Operation::kSrl;
        case kSra:
            return Operation::kSra;
        case kAddcc:
            return Operation::kAddcc;
        case kSubcc:
            return Operation::kSubcc;
        case kAndcc:
            return Operation::kAndcc;
        case kOrcc:
            return Operation::kOrcc;
        case kXorcc:
            return Operation::kXorcc;
        case kAddxcc:
            return Operation::kAddxcc;
        case kSubxcc:
            return Operation::kSubxcc;
        case kAndncc:
            return Operation::kAndncc;
        case kOrncc:
            return Operation::kOrncc;
        case kXnorcc:
            return Operation::kXnorcc;
        case kMulscc:
            return Operation::kMulscc;
        case kJmplOp3:
            return Operation::kJmpl;
        case kFpop1:
        case kFpop2:
            return Operation::kFloatOperation;
        case kRettOp3:
        case kTiccOp3:
        case kWrpsr:
        case kWrwim:
        case kWrtbr:
        case kCpop1:
        case kCpop2:
            return Operation::kTimedCore;
        default:
            return Operation::kOther;
    }
}

// Double accesses to an odd register are illegal.
Operation operation_of_access(unsigned op3, bool is_odd) {
    switch (op3) {
        case kLd:
            return Operation::kLoadWord;
        case kLdub:
            return Operation::kLoadUnsignedByte;
        case kLduh:
            return Operation::kLoadUnsignedHalfword;
        case kLdsb:
            return Operation::kLoadSignedByte;
        case kLdsh:
            return Operation::kLoadSignedHalfword;
        case kLdd:
            return is_odd ? Operation::kTimedCore : Operation::kLoadDouble;
        case kLdf:
            return Operation::kLoadFloat;
        case kLddf:
            return Operation::kLoadFloatDouble;
        case kSt:
            return Operation::kStoreWord;
        case kStb:
            return Operation::kStoreByte;
        case kSth:
            return Operation::kStoreHalfword;
        case kStd:
            return is_odd ? Operation::kTimedCore : Operation::kStoreDouble;
        case kStf:
            return Operation::kStoreFloat;
        case kStdf:
            return Operation::kStoreFloatDouble;
        default:
            return Operation::kTimedCore;
    }
}

bool makes_frame(Instruction instruction) {
    const unsigned op3 = instruction.op3();
    const unsigned from = instruction.rs1();
    return instruction.op() == 2 && (op3 == kSave || op3 == kAdd || op3 == kSub) &&
           instruction.rd() == kStackPointer && (from == kStackPointer || from == kFramePointer);
}

InstructionClass class_of(Operation operation) {
    switch (operation) {
        case Operation::kBranch:
            return InstructionClass::kBranch;
        case Operation::kCall:
            return InstructionClass::kCall;
        case Operation::kJmpl:
            return InstructionClass::kJmpl;
        case Operation::kLoadDouble:
        case Operation::kLoadFloatDouble:
            return InstructionClass::kLoadDouble;
        case Operation::kStoreDouble:
        case Operation::kStoreFloatDouble:
            return InstructionClass::kStoreDouble;
        default:
            break;
    }
    if (operation < Operation::kLoadWord) {
        return InstructionClass::kInteger;
    }
    return operation < Operation::kStoreWord ? InstructionClass::kLoad : InstructionClass::kStore;
}

}  // namespace

DecodedInstruction decode(std::uint32_t word) {
    const Instruction instruction{word};
    DecodedInstruction decoded{.word = word, .reads = registers_read(word)};
    decoded.rd = static_cast<std::uint8_t>(instruction.rd());
    if (instruction.op() == 1) {
        decoded.operation = Operation::kCall;
        decoded.immediate = instruction.displacement30();
    } else if (instruction.op() == 0 && instruction.op2() == kSethi) {
        decoded.operation = is_note(word) ? Operation::kTimedCore : Operation::kSethi;
        decoded.immediate = word << 10;
    } else if (instruction.op() == 0 && instruction.op2() == kBicc) {
        decoded.operation = Operation::kBranch;
        decoded.immediate = instruction.displacement22();
        decoded.taken = kConditionHolds[instruction.condition()];
        decoded.annuls = instruction.annul();
        // BA,a annuls its delay slot although the branch is taken.
        decoded.annuls_when_taken = instruction.annul() && instruction.condition() == kHoldsAlways;
    } else if (instruction.op() >= 2) {
        decoded.operation =
            instruction.op() == 2
                ? operation_of_arithmetic(instruction.op3())
                : operation_of_access(instruction.op3(), (instruction.rd() & 1) != 0);
        decoded.rs1 = static_cast<std::uint8_t>(instruction.rs1());
        decoded.rs2 = instruction.immediate() ? std::uint8_t{0}
                                              : static_cast<std::uint8_t>(instruction.rs2());
        decoded.immediate = instruction.immediate() ? instruction.simm13() : 0;
        decoded.moves_stack = makes_frame(instruction);
        if (decoded.moves_stack) {
            decoded.operation = Operation::kOther;  // the timed core must check where the frame
                                                    // ends
        }
    }
    if (decoded.is_register_operation()) {
        decoded.operate = IntegerUnit::register_operation(decoded);
    }
    decoded.instruction_class = decoded.operation == Operation::kFloatOperation
                                    ? FloatUnit::class_of(instruction)
                                    : class_of(decoded.operation);
    return decoded;
}

template <std::uint32_t kBytes>
void DecodedGroup<kBytes>::set(const std::uint8_t* bytes) {
    std::memcpy(words_.data(), bytes, kBytes);
    for (std::size_t place = 0; place < kInstructions; ++place) {
        decoded_[place] = decode(__builtin_bswap32(words_[place]));
    }
    count_register_operations();
}

template <std::uint32_t kBytes>
void DecodedGroup<kBytes>::set(std::uint32_t pc, std::uint32_t word) {
    const std::size_t place = pc / 4 % kInstructions;
    words_[place] = __builtin_bswap32(word);
    decoded_[place] = decode(word);
    count_register_operations();
}

template <std::uint32_t kBytes>
void DecodedGroup<kBytes>::count_register_operations() {
    std::uint8_t count = 0;
    for (std::size_t place = kInstructions; place-- > 0;) {
        DecodedInstruction& decoded = decoded_[place];
        count = decoded.is_register_operation() ? count + 1 : 0;
        decoded.register_operations = count;
    }
}

template class DecodedGroup<16>;
template class DecodedGroup<32>;

}  // namespace weir::nodes::sparcle
