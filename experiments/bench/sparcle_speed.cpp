#include "experiments/bench/sparcle_speed.h"

#include <stdexcept>
#include <vector>

#include "experiments/bench/timed_pair.h"
#include "experiments/kinds/kernel/compiled_run.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "firmware/sparcle/elf_image.h"
#include "firmware/sparcle/image_memory.h"
#include "firmware/sparcle/images.h"
#include "hw/controller/host_registers.h"
#include "nodes/machine.h"
#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::experiments::bench {

namespace {

using nodes::sparcle::IntegerUnit;
using nodes::sparcle::MemoryRequest;
using nodes::sparcle::testing::BigEndianMemory;
using nodes::sparcle::testing::Step;

constexpr std::int64_t kMemoryBytes = 1 << 20;
constexpr std::int64_t kCycles = 200'000;             // of a repetition, on 32 nodes
constexpr std::int64_t kPlainInstructions = 1 << 22;  // of a repetition of the unit alone

firmware::ElfImage program(const char* name = "speed") {
    return {name, firmware::built_in_image(name)};
}

template <class Parameter, class Value>
void set_to(Parameter& parameter, Value value) {
    if (!parameter.set(hw::ParameterValue(value))) {
        throw std::logic_error("a benchmark's parameter is out of range: " + parameter.name());
    }
}

class Cores {
  public:
    explicit Cores(bool shares_memory)
        : image_(program(shares_memory ? "speed-shared" : "speed")),
          machine_("machine", configuration(shares_memory), 1, nullptr) {
        constexpr hw::Bytes kStack(65536);
        for (std::int32_t node = 0; node < machine_.node_count(); ++node) {
            for (const firmware::ElfImage::Segment& segment : image_.segments()) {
                machine_.write_memory(hw::NodeId(node), segment.address, segment.data);
            }
            if (shares_memory) {
                tell_of_shared_memory(hw::NodeId(node), kMemoryBytes - kStack.count());
            }
        }
        machine_.start_programs(
            {.exited = [](hw::NodeId, std::uint32_t) {},
             .console = [](hw::NodeId, char) {},
             .layout = kinds::layout_of(image_, hw::Bytes(kMemoryBytes), kStack)});
    }
    void run() { machine_.run({.most_cycles = machine_.now() + hw::Cycles(kCycles)}); }
    [[nodiscard]] double instructions() {
        std::int64_t sum = 0;
        for (std::int32_t node = 0; node < machine_.node_count(); ++node) {
            const auto& core = machine_.node(hw::NodeId(node)).sparcle_core();
            sum += core.execution().instructions.value();
        }
        return static_cast<double>(sum);
    }
    [[nodiscard]] std::uint32_t answer() {
        std::uint32_t word = 0;
        machine_.read<std::uint32_t>(hw::NodeId(0), image_.address_of("speed_answer"), {&word, 1});
        return __builtin_bswap32(word);
    }
    /// Of one more repetition.
    [[nodiscard]] double instructions_of_a_run() {
        const double before = instructions();
        run();
        return instructions() - before;
    }

  private:
    static constexpr std::int64_t kSharedBytes = 8192;

    static nodes::MachineConfiguration& configuration(bool shares_memory) {
        static nodes::MachineConfiguration machine;
        set_to(machine.core.kind, std::string("sparcle"));
        set_to(machine.memory.caches, std::int64_t{1});
        set_to(machine.memory.bytes, kMemoryBytes);
        set_to(machine.coherence.shared_bytes, kSharedBytes);
        machine.shares_memory = shares_memory;
        return machine;
    }
    // The words below the stack are a directory's.
    void tell_of_shared_memory(hw::NodeId node, std::int64_t end) {
        constexpr std::int64_t kDirectoryBytes = 4096;
        firmware::ImageMemory(image_, machine_.shape(), 0, machine_)
            .write_words(node, "weir_shared_memory",
                         firmware::words_of_shared_memory(
                             machine_.shape(), static_cast<std::uint32_t>(end - kDirectoryBytes),
                             static_cast<std::uint32_t>(end)));
    }

    firmware::ElfImage image_;
    nodes::Machine machine_;
};

// One unit in plain memory; of the host's registers it has what a start reads.
class UnitAlone {
  public:
    UnitAlone() : unit_({}), memory_(0, kMemoryBytes) {
        const firmware::ElfImage image = program();
        for (const firmware::ElfImage::Segment& segment : image.segments()) {
            for (std::size_t i = 0; i < segment.data.size(); ++i) {
                memory_.store(segment.address + static_cast<std::uint32_t>(i), 1, segment.data[i]);
            }
        }
        unit_.reset();
    }
    void run() {
        for (std::int64_t i = 0; i < kPlainInstructions; ++i) {
            execute();
        }
    }
    [[nodiscard]] std::uint32_t answer(std::uint32_t address) const {
        return memory_.word(address);
    }

  private:
    void execute() {
        const nodes::sparcle::StepEnd end = unit_.execute(memory_.word(unit_.pc()));
        if (end == nodes::sparcle::StepEnd::kMemory) {
            const MemoryRequest& request = unit_.request();
            if (WEIR_IS_HOST_REGISTER(request.address)) {
                unit_.complete(request.address == WEIR_HOST_MEMORY_BYTES ? kMemoryBytes
                               : request.address == WEIR_HOST_NODES      ? 32
                                                                         : 0);
            } else if (!answer_access()) {
                throw std::runtime_error("the benchmark's program leaves its memory");
            }
        } else if (end == nodes::sparcle::StepEnd::kTrap && !unit_.take_trap(unit_.trap_type())) {
            throw std::runtime_error("the benchmark's program traps where it can't");
        }
    }
    bool answer_access() { return nodes::sparcle::testing::answer(unit_, memory_); }

    IntegerUnit unit_;
    BigEndianMemory memory_;
};

}  // namespace

SparcleSpeed measure_sparcle(int repetitions) {
    Cores cores(false);
    UnitAlone alone;
    const PairOfTimes times = time_pair([&] { cores.run(); }, [&] { alone.run(); }, repetitions);
    if (cores.answer() == 0 || alone.answer(program().address_of("speed_answer")) == 0) {
        throw std::runtime_error("the benchmark's program has worked out nothing");
    }
    return {cores.instructions_of_a_run(), times.first_seconds,
            static_cast<double>(kPlainInstructions), times.second_seconds};
}

double instructions_a_second(bool shares_memory) {
    Cores cores(shares_memory);
    cores.run();  // until what they work on is in the caches
    const double seconds = time_pair([&] { cores.run(); }, [] {}, 1).first_seconds;
    if (cores.answer() == 0) {
        throw std::runtime_error("the benchmark's program has worked out nothing");
    }
    return cores.instructions_of_a_run() / seconds;
}

}  // namespace weir::experiments::bench
