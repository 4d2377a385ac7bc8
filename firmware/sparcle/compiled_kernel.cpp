#include "firmware/sparcle/compiled_kernel.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "firmware/sparcle/atomic_locks.h"
#include "firmware/sparcle/images.h"
#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/library/ranks_state.h"
#include "firmware/sparcle/marks.h"
#include "firmware/sparcle/phases.h"
#include "firmware/sparcle/rank_copies.h"
#include "firmware/sparcle/threads_program.h"
#include "firmware/sparcle/trap.h"
#include "hw/text_streams.h"

namespace weir::firmware {

namespace {

constexpr std::size_t kMostArguments = 60;  // size of weir_boot.arguments (weir.h)
constexpr std::uint32_t kMostTrapTypes = 0x100;

// Converts words to numbers for main(count, words).
std::vector<std::uint32_t> numbers_for_main(const std::vector<std::string>& words) {
    constexpr std::int64_t kLeast = -(std::int64_t{1} << 31);
    constexpr std::int64_t kMost = (std::int64_t{1} << 32) - 1;
    if (words.size() > kMostArguments) {
        throw InputFault("workload.arguments", "found " + std::to_string(words.size()),
                         "at most " + std::to_string(kMostArguments));
    }
    std::vector<std::uint32_t> numbers;
    for (const std::string& word : words) {
        std::int64_t number = 0;
        const char* const end = word.data() + word.size();
        const auto [read, fault] = std::from_chars(word.data(), end, number);
        if (fault != std::errc() || read != end || number < kLeast || number > kMost) {
            throw InputFault("workload.arguments",
                             "found \"" + word + "\", and main(count, words) takes numbers",
                             "whole numbers from -2147483648 to 4294967295, or a program that is "
                             "compiled with the C library");
        }
        numbers.push_back(static_cast<std::uint32_t>(number));
    }
    return numbers;
}

// The program's name and the words, each with a terminating zero.
std::vector<std::uint8_t> texts_for_main(const std::string& program,
                                         const std::vector<std::string>& words,
                                         std::size_t most_bytes) {
    std::string texts = std::filesystem::path(program).filename().string() + '\0';
    for (const std::string& word : words) {
        texts += word + '\0';
    }
    if (texts.size() > most_bytes || words.size() >= WEIR_MOST_ARGUMENT_WORDS) {
        throw InputFault("workload.arguments",
                         "found " + std::to_string(words.size()) + " words, " +
                             std::to_string(texts.size()) + " bytes with the program's name",
                         "fewer than " + std::to_string(WEIR_MOST_ARGUMENT_WORDS) +
                             " words, and at most " + std::to_string(most_bytes) +
                             " bytes in total, with the program's name");
    }
    return {texts.begin(), texts.end()};
}

// The variables, each with a terminating zero. Throws InputFault for a word that is none.
std::vector<std::uint8_t> texts_of_environment(const std::vector<std::string>& variables) {
    std::string texts;
    for (const std::string& variable : variables) {
        if (variable.find('=') == std::string::npos || variable.starts_with('=')) {
            throw InputFault("workload.environment", "found \"" + variable + "\"",
                             "words such as NAME=VALUE");
        }
        texts += variable + '\0';
    }
    if (texts.size() > WEIR_ENVIRONMENT_BYTES || variables.size() > WEIR_MOST_VARIABLES) {
        throw InputFault("workload.environment",
                         "found " + std::to_string(variables.size()) + " variables of " +
                             std::to_string(texts.size()) + " bytes",
                         "at most " + std::to_string(WEIR_MOST_VARIABLES) + " variables, of " +
                             std::to_string(WEIR_ENVIRONMENT_BYTES) + " bytes in total");
    }
    return {texts.begin(), texts.end()};
}

}  // namespace

void CompiledKernel::configure(nodes::ReceiveMode receive_mode, bool has_floating_point_unit,
                               bool has_overflow_trap,
                               const ActiveMessages::Parameters& parameters) {
    if (receive_mode == nodes::ReceiveMode::kProtocolProcessor) {
        throw InputFault("core.receive_mode",
                         R"(found "protocol_processor", which Sparcle nodes do not have)",
                         R"("interrupt" or "polling")");
    }
    has_floating_point_unit_ = has_floating_point_unit;
    has_overflow_trap_ = has_overflow_trap;
    polling_ = receive_mode == nodes::ReceiveMode::kPolling;
    body_send_ = static_cast<std::uint32_t>(parameters.body_send.value());
    body_receive_ = static_cast<std::uint32_t>(parameters.body_receive.value());
    overflow_bytes_ = static_cast<std::uint32_t>(parameters.overflow_buffer_bytes.value().count()) /
                      WEIR_DMA_ALIGNMENT * WEIR_DMA_ALIGNMENT;
    directory_bytes_ =
        static_cast<std::uint32_t>(parameters.limitless.directory_bytes.value().count()) /
        WEIR_DMA_ALIGNMENT * WEIR_DMA_ALIGNMENT;
}

void CompiledKernel::exit_status(hw::NodeId node, std::uint32_t status) {
    if (status == WEIR_STATUS_OVERFLOW_BUFFER_FULL) {
        throw InputFault("node " + std::to_string(node.index()),
                         "an overflow trap finds no room for another message",
                         "a larger firmware.overflow_buffer_bytes");
    }
    if (status == WEIR_STATUS_TOO_MANY_THREADS) {
        throw InputFault(
            "machine.nodes",
            "each node has room for workload.threads = " + std::to_string(threads_per_node()) +
                " of the program's threads at a time, main() among them, and all are taken when "
                "pthread_create() is called once more",
            "more nodes or fewer threads; with weir compile --contexts also more "
            "workload.threads");
    }
    statuses_.emplace(node.index(), status);
}

std::string CompiledKernel::mark_name(std::uint32_t number) const {
#define WEIR_MARK_NAME(constant, name) name
    static constexpr std::array kNames{"", WEIR_MARKS(WEIR_MARK_NAME)};
#undef WEIR_MARK_NAME
    if (number < kNames.size()) {
        return kNames[number];
    }
    const std::string text = image_->text_at(number);
    const bool is_phase = text.starts_with(WEIR_PHASE_MARK) || text == WEIR_NO_PHASE_MARK;
    return is_phase || is_mark(text) ? text : "";
}

ElfImage CompiledKernel::built_in_program(const std::string& name) const {
    const std::string variant = has_floating_point_unit_ ? name : name + "-soft-float";
    return {variant, built_in_image(variant)};
}

void CompiledKernel::check_float_unit() const {
    if (!has_floating_point_unit_ && image_->find_symbol("weir_floating_point_unit") != nullptr) {
        throw InputFault("sparcle.floating_point_unit",
                         "found false, and the program is compiled for nodes with the unit",
                         "true, or a program compiled entirely with -msoft-float");
    }
}

void CompiledKernel::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                             nodes::MemoryAccess& memory) {
    image_ = std::make_unique<ElfImage>(load_image());
    check_float_unit();
    if (RankCopies::is(*image_)) {
        overflow_bytes_ = 0;  // such programs have no overflow trap
    }
    const std::uint64_t reserved = std::uint64_t{bytes_at_end()} + overflow_bytes_;
    const auto memory_bytes = static_cast<std::uint64_t>(machine.memory_bytes.count());
    if (memory_bytes < reserved) {
        throw InputFault(
            "memory.bytes",
            "found " + std::to_string(memory_bytes) +
                ", of which a Sparcle program's stack and buffer of overflow traps take " +
                std::to_string(reserved),
            "more, or, with controller.overflow_trap, fewer firmware.overflow_buffer_bytes");
    }
    image_->check_fits(memory_bytes - reserved, "memory.bytes");
    memory_ = std::make_unique<ImageMemory>(*image_, machine, reserved, memory);
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        for (const ElfImage::Segment& segment : image_->segments()) {
            if (!segment.is_shared()) {
                memory.write_memory(hw::NodeId(node), segment.address, segment.data);
            }
        }
    }
    if (ThreadsProgram::is(*image_)) {
        ThreadsProgram(*image_, machine,
                       {.shares_memory = shares_memory(),
                        .polls = polling_,
                        .has_overflow_trap = has_overflow_trap_,
                        .threads_per_node = threads_per_node(),
                        .stack_bytes = stack_bytes()})
            .write(*memory_);
    }
    if (RankCopies::is(*image_)) {
        const RankCopies ranks(*image_, machine,
                               {.ranks_per_node = threads_per_node(),
                                .shares_memory = shares_memory(),
                                .has_overflow_trap = has_overflow_trap_,
                                .stack_bytes = stack_bytes()});
        ranks.write(*memory_);
        image_->set_copies(ranks.copies());
    } else {
        check_contexts();
    }
    write_boot(machine.node_count(), machine.processor_mhz);
    if (shares_memory()) {
        write_shared_memory(machine);
    }
    write_data(machine, seed, *memory_);
}

void CompiledKernel::check_contexts() const {
    const bool is_of_firmware = image_->find_symbol("weir_boot") != nullptr;
    if (threads_per_node() > 1 && is_of_firmware &&
        image_->find_symbol("context_start") == nullptr) {
        throw InputFault("workload.threads",
                         "found " + std::to_string(threads_per_node()) + ", and " + image_->name() +
                             " is compiled for one thread of each node",
                         "1, or a program compiled with --contexts");
    }
}

hw::Bytes CompiledKernel::known_stack() const {
    const bool is_booted = image_->find_symbol("weir_boot") != nullptr &&
                           image_->find_symbol("weir_trap_table") != nullptr;
    return hw::Bytes(is_booted ? std::int64_t{stack_bytes()} : 0);
}

void CompiledKernel::write_boot(std::int32_t node_count, double processor_mhz) {
    const std::vector<std::string> words = arguments();
    const ElfImage::Symbol* const text = image_->find_symbol("weir_argument_text");
    std::vector<std::uint32_t> boot{polling_ ? 1U : 0U, bytes_at_end(), overflow_bytes_};
    std::vector<std::uint8_t> texts;
    if (text != nullptr) {
        texts = texts_for_main(image_->name(), words, text->bytes);
        boot.push_back(static_cast<std::uint32_t>(words.size() + 1));
    } else {
        boot.push_back(static_cast<std::uint32_t>(words.size()));
        const std::vector<std::uint32_t> numbers = numbers_for_main(words);
        boot.insert(boot.end(), numbers.begin(), numbers.end());
    }
    // A program without this firmware has no weir_boot, and runs if it is given no arguments.
    const bool is_booted = image_->find_symbol("weir_boot") != nullptr || !words.empty();
    const auto processor_khz = static_cast<std::uint32_t>(processor_mhz * 1000);
    for (std::int32_t i = 0; i < node_count; ++i) {
        const hw::NodeId node(i);
        if (polling_) {
            write_branches_to_poll(node);
        }
        for (const std::uint32_t distance : distances_of_copies()) {
            if (is_booted) {
                memory_->write_words(node, image_->address_of("weir_boot") + distance, boot);
            }
            if (text != nullptr) {
                memory_->write_bytes(node, text->address + distance, texts);
                memory_->write_words(node, image_->address_of("weir_processor_khz") + distance,
                                     std::vector{std::max(processor_khz, 1U)});
            }
        }
    }
    write_environment(node_count);
}

void CompiledKernel::write_environment(std::int32_t node_count) {
    const std::vector<std::string> variables = environment();
    const std::vector<std::uint8_t> texts = texts_of_environment(variables);
    if (!variables.empty() && image_->find_symbol("weir_argument_text") == nullptr) {
        throw InputFault("workload.environment",
                         "found " + std::to_string(variables.size()) +
                             " variables, and the program has no C library to read them",
                         "a program that is compiled with the C library, or no variables");
    }
    const ElfImage::Symbol* const text = image_->find_symbol("weir_environment_text");
    if (variables.empty() || text == nullptr) {
        return;  // a program that reads no variables has no place for them
    }
    for (const std::uint32_t distance : distances_of_copies()) {
        std::vector<std::uint32_t> addresses;
        std::uint32_t address = text->address + distance;
        for (const std::string& variable : variables) {
            addresses.push_back(address);
            address += static_cast<std::uint32_t>(variable.size() + 1);
        }
        for (std::int32_t i = 0; i < node_count; ++i) {
            memory_->write_bytes(hw::NodeId(i), text->address + distance, texts);
            memory_->write_words(hw::NodeId(i), image_->address_of("weir_environment") + distance,
                                 addresses);
        }
    }
}

std::vector<std::uint32_t> CompiledKernel::distances_of_copies() const {
    std::vector<std::uint32_t> distances;
    for (std::uint32_t copy = 0; copy < image_->copies().count; ++copy) {
        distances.push_back(copy * image_->copies().stride);
    }
    return distances;
}

// Writes other branches into programs that poll, so that a context switch takes the same time with
// and without polling.
void CompiledKernel::write_branches_to_poll(hw::NodeId node) {
    for (const auto& [name, to_poll] :
         {std::pair{"weir_switch_branch", "weir_branch_to_poll"},
          std::pair{"weir_full_empty_branch", "weir_full_empty_branch_to_poll"}}) {
        if (const ElfImage::Symbol* const branch = image_->find_symbol(name)) {
            memory_->write_words(node, branch->address,
                                 std::vector{memory_->read_word(node, to_poll)});
        }
    }
}

std::vector<std::uint32_t> words_of_shared_memory(const ElfImage& image,
                                                  const nodes::MachineShape& machine,
                                                  std::uint32_t used, std::uint32_t end) {
    const auto nodes = static_cast<std::uint32_t>(machine.node_count());
    const std::uint32_t lock_bytes =
        image.find_symbol("weir_atomic_locks") == nullptr ? 0 : ATOMIC_BYTES_OF_NODE;
    return {static_cast<std::uint32_t>(machine.shared_bytes.count()) - lock_bytes,
            machine.shared_granule,
            machine.is_shared_by_hash ? 1U : 0U,
            used,
            used + nodes * WEIR_WORD_BYTES,
            end};
}

void CompiledKernel::write_shared_memory(const nodes::MachineShape& machine) {
    if (image_->find_symbol("weir_shared_memory") == nullptr) {
        throw InputFault("workload.shares_memory",
                         "found true, and the program is not compiled for shared memory",
                         "a program of weir compile --shared-memory, or false");
    }
    const std::size_t count = machine.node_count();
    const std::size_t used_bytes = count * sizeof(std::uint32_t);
    // Bounds of the directory's memory, rounded to double words, since the size of memory may be
    // any number.
    constexpr std::uint32_t kWhole = WEIR_DMA_ALIGNMENT;
    const auto behind = static_cast<std::uint32_t>(machine.memory_bytes.count() - stack_bytes());
    const std::uint32_t end = behind / kWhole * kWhole;
    const std::uint32_t used = (behind - directory_bytes_ + kWhole - 1) / kWhole * kWhole;
    if (used_bytes > end - used) {
        throw InputFault("limitless.directory_bytes", "found " + std::to_string(directory_bytes_),
                         "at least " +
                             std::to_string(used_bytes + directory_bytes_ - (end - used)) +
                             " for this many nodes");
    }
    for (std::int32_t i = 0; i < machine.node_count(); ++i) {
        memory_->write_words(hw::NodeId(i), used, std::vector<std::uint32_t>(count));
        memory_->write_words(hw::NodeId(i), "weir_shared_memory",
                             words_of_shared_memory(*image_, machine, used, end));
        if (machine.has_directories_in_software) {
            write_call_of_software(hw::NodeId(i));
        }
    }
}

// Redirects the call in the coherence trap to the software of directories without hardware
// pointers.
void CompiledKernel::write_call_of_software(hw::NodeId node) {
    constexpr std::uint32_t kCall = 0x40000000;  // opcode of CALL; the other bits are a distance in
                                                 // words
    const ElfImage::Symbol* const call = image_->find_symbol("weir_directory_call");
    const ElfImage::Symbol* const software = image_->find_symbol("software_directory_trap");
    if (call == nullptr || software == nullptr) {
        throw InputFault("coherence.protocol",
                         R"(found "software", and the program has no software for it)",
                         "a program of this version's weir compile --shared-memory");
    }
    const std::uint32_t words = (software->address - call->address) / WEIR_WORD_BYTES;
    memory_->write_words(node, call->address, std::vector{kCall | (words & (kCall - 1))});
}

std::unique_ptr<nodes::NodeProgram> CompiledKernel::program(
    nodes::Processor& /*processor*/, const ActiveMessages::Parameters& /*parameters*/) {
    throw std::logic_error("a compiled kernel was asked for a program of the behavioural core");
}

std::optional<std::string> CompiledKernel::failed_program() {
    for (const auto& [node, status] : statuses_) {
        if (status != 0) {
            return describe_status(hw::NodeId(node), status);
        }
    }
    return std::nullopt;
}

std::optional<MpiWaits> CompiledKernel::mpi_waits() {
    return memory_ != nullptr && MpiWaits::are_known(*image_)
               ? std::optional(MpiWaits(*memory_, statuses_))
               : std::nullopt;
}

std::optional<ThreadWaits> CompiledKernel::thread_waits() {
    return memory_ != nullptr && ThreadWaits::are_known(*image_)
               ? std::optional(ThreadWaits(*memory_))
               : std::nullopt;
}

std::optional<std::string> CompiledKernel::check(nodes::MemoryAccess& /*memory*/) {
    const std::optional<std::string> failed = failed_program();
    return failed ? failed : check_answer(*memory_);
}

std::string CompiledKernel::describe_status(hw::NodeId node, std::uint32_t status) {
    std::string who = "node " + std::to_string(node.index());
    if (image_->copies().count > 1 && status <= WEIR_RANK_STATUS) {
        const auto ends =
            memory_->read_words(node, image_->address_of("weir_rank_ends"), image_->copies().count);
        const auto first = std::find(ends.begin(), ends.end(), WEIR_RANK_HAS_ENDED | status);
        if (first != ends.end()) {
            who = "rank " +
                  std::to_string(node.index() * processes_per_node() + (first - ends.begin()));
        }
    }
    if (status == WEIR_STATUS_DIRECTORY_FULL) {
        return who + "'s directory had no memory left for another line or packet " +
               "(limitless.directory_bytes)";
    }
    if (status == WEIR_STATUS_NO_SHARED_MEMORY) {
        return who + "'s program allocated shared memory that does not exist (console.txt)";
    }
    if (status == WEIR_STATUS_WRONG_STATE) {
        return who + "'s program wrote to an element that was full already (console.txt)";
    }
    if (status == WEIR_STATUS_NO_CONVERSION) {
        return who +
               "'s program gave console_printf a conversion that it does not know "
               "(console.txt); accepted: whole numbers, characters and texts, or printf of "
               "<stdio.h>";
    }
    if (status == WEIR_STATUS_NOT_REENTRANT) {
        return who + ": a handler has called a function that is not reentrant";
    }
    if (status == WEIR_STATUS_FAULT) {
        return who + "'s C library has found a fault in its program";
    }
    if (status < WEIR_STATUS_TRAP || status >= WEIR_STATUS_TRAP + kMostTrapTypes ||
        image_->find_symbol("weir_trap_record") == nullptr) {
        return who + "'s program ended with status " + std::to_string(status);
    }
    const std::uint32_t pc =
        memory_->read_words(node, image_->address_of("weir_trap_record"), 2).back();
    return who + " stopped at trap " + hw::hexadecimal(status - WEIR_STATUS_TRAP) + ", at " +
           hw::hexadecimal(pc) + " " + image_->place(pc).text();
}

double CompiledKernel::progress() const {
    return memory_ == nullptr
               ? 0.0
               : static_cast<double>(statuses_.size()) / static_cast<double>(memory_->node_count());
}

}  // namespace weir::firmware
