#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/fixed_parameter.h"
#include "experiments/bench/timed_pair.h"
#include "experiments/kinds/kernel/compiled_run.h"
#include "experiments/setup/text/text_table.h"
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

constexpr const char* kHeading =
    "32 Sparcle cores                     instructions    time / an integer unit alone\n"
    "                                         a second    without time and caches\n";
constexpr const char* kInstructionsHeading =
    "32 Sparcle cores                  host instructions per Sparcle instruction\n";
constexpr std::array<std::size_t, 4> kSparcleWidths{37, 10, 18, 5};
constexpr std::array<std::size_t, 2> kInstructionsOfSparcle{32, 12};
constexpr std::int64_t kMemoryBytes = 1 << 20;
constexpr std::int64_t kCycles = 200'000;             // emulated cycles per repetition, on 32 nodes
constexpr std::int64_t kPlainInstructions = 1 << 22;  // per repetition, of the unit alone

firmware::ElfImage program(const char* name = "speed") {
    return {name, firmware::built_in_image(name)};
}

enum class Memory : std::uint8_t {
    kWithoutCaches,
    kPrivate,
    kShared,  ///< the program's data are in shared memory
};

class Cores {
  public:
    explicit Cores(Memory memory)
        : image_(program(memory == Memory::kShared ? "speed-shared" : "speed")),
          machine_("machine", configuration(memory), 1, nullptr) {
        const bool shares_memory = memory == Memory::kShared;
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
    void run(std::int64_t cycles = kCycles) {
        machine_.run({.most_cycles = machine_.now() + hw::Cycles(cycles)});
    }
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
    /// Number of instructions of one more repetition.
    [[nodiscard]] double instructions_of_a_run() {
        const double before = instructions();
        run();
        return instructions() - before;
    }

  private:
    static constexpr std::int64_t kSharedBytes = 8192;

    static nodes::MachineConfiguration& configuration(Memory memory) {
        static nodes::MachineConfiguration machine;
        fix(machine.core.kind, std::string("sparcle"));
        fix(machine.memory.caches, std::int64_t{memory == Memory::kWithoutCaches ? 0 : 1});
        fix(machine.memory.bytes, kMemoryBytes);
        fix(machine.coherence.shared_bytes, kSharedBytes);
        machine.shares_memory = memory == Memory::kShared;
        return machine;
    }
    // Writes the addresses of the shared memory into the program. The directory has the 4,096 bytes
    // before `end`.
    void tell_of_shared_memory(hw::NodeId node, std::int64_t end) {
        constexpr std::int64_t kDirectoryBytes = 4096;
        firmware::ImageMemory(image_, machine_.shape(), 0, machine_)
            .write_words(
                node, "weir_shared_memory",
                firmware::words_of_shared_memory(image_, machine_.shape(),
                                                 static_cast<std::uint32_t>(end - kDirectoryBytes),
                                                 static_cast<std::uint32_t>(end)));
    }

    firmware::ElfImage image_;
    nodes::Machine machine_;
};

// One integer unit in plain memory, with only those host registers that the program's start reads.
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
                throw std::runtime_error(
                    "the benchmark's program accesses an address without memory");
            }
        } else if (end == nodes::sparcle::StepEnd::kTrap && !unit_.take_trap(unit_.trap_type())) {
            throw std::runtime_error("the benchmark's program traps while traps are disabled");
        }
    }
    bool answer_access() { return nodes::sparcle::testing::answer(unit_, memory_); }

    IntegerUnit unit_;
    BigEndianMemory memory_;
};

constexpr const char* kNothingWorkedOut = "the benchmark's program has no result";

Json beside_unit_alone(Memory memory, int repetitions) {
    Cores cores(memory);
    UnitAlone alone;
    cores.run();  // loads the data into the caches
    alone.run();
    const PairOfTimes times = time_pair([&] { cores.run(); }, [&] { alone.run(); }, repetitions);
    if (cores.answer() == 0 || alone.answer(program().address_of("speed_answer")) == 0) {
        throw std::runtime_error(kNothingWorkedOut);
    }
    const double rate = cores.instructions_of_a_run() / times.first_seconds;
    const double plain = static_cast<double>(kPlainInstructions) / times.second_seconds;
    return {{"instructions_per_second", rate}, {"time_over_plain", plain / rate}};
}

double instructions_a_second(Memory memory) {
    Cores cores(memory);
    cores.run();
    const double seconds = time_pair([&] { cores.run(); }, [] {}, 1).first_seconds;
    if (cores.answer() == 0) {
        throw std::runtime_error(kNothingWorkedOut);
    }
    return cores.instructions_of_a_run() / seconds;
}

// Measures private and shared memory alternately, each time in a process of its own.
Found beside_private_memory(const Effort& effort) {
    const auto measured = [](Memory memory) {
        return in_own_process([memory]() -> Json { return instructions_a_second(memory); })
            .get<double>();
    };
    std::vector<double> rates;
    std::vector<double> shares;
    for (int i = 0; i < effort.repetitions; ++i) {
        rates.push_back(measured(Memory::kShared));
        shares.push_back(rates.back() / measured(Memory::kPrivate));
    }
    const double rate = median(rates);
    const double share = median(shares);
    return {{{"instructions_per_second", rate}, {"rate_over_private", share}},
            setup::text_line(kSparcleWidths,
                             {"  working in shared memory", in_millions(rate),
                              fmt::format("{:.2f}", share), " of the rate with private memory"})};
}

CountedWork counted(Memory memory, const char* text) {
    return {.length = kCycles,
            .simulate =
                [memory](std::int64_t cycles) {
                    Cores cores(memory);
                    cores.run(cycles);
                    return cores.instructions();
                },
            .found = [text](double instructions) -> Found {
                return {{{"instructions_per_instruction", instructions}},
                        setup::text_line(
                            kInstructionsOfSparcle,
                            {fmt::format("  {}", text), fmt::format("{:.1f}", instructions)})};
            }};
}

Benchmark cores_alone(const char* name, const char* text, Memory memory) {
    return {.name = name,
            .heading = kHeading,
            .instructions_heading = kInstructionsHeading,
            .measure = [=](const Effort& effort) -> Found {
                const Json found =
                    in_own_process([&] { return beside_unit_alone(memory, effort.repetitions); });
                return {
                    found,
                    setup::text_line(
                        kSparcleWidths,
                        {fmt::format("  {}", text), in_millions(found["instructions_per_second"]),
                         "", fmt::format("{:.2f}", found["time_over_plain"].get<double>())})};
            },
            .counted = counted(memory, text)};
}

}  // namespace

std::vector<Benchmark> sparcle_benchmarks() {
    return {cores_alone("sparcle-32", "with caches", Memory::kPrivate),
            cores_alone("sparcle-32-without-caches", "without caches", Memory::kWithoutCaches),
            {.name = "shared-32",
             .heading = kHeading,
             .instructions_heading = kInstructionsHeading,
             .measure = beside_private_memory,
             .counted = counted(Memory::kShared, "in shared memory")}};
}

}  // namespace weir::experiments::bench
