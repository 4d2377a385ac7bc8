#include "firmware/sparcle/threads_program.h"

#include <string>

#include "firmware/sparcle/atomic_locks.h"
#include "firmware/sparcle/threads/thread_state.h"

namespace weir::firmware {

namespace {

constexpr std::uint64_t kPage = 4096;

// Memory of the heap's tables and of main()'s thread, beside its stack (threads/heap.c).
std::uint64_t start_bytes(std::int32_t node_count, std::uint64_t heap_bytes) {
    constexpr std::uint64_t kArenaBytes = 64;
    constexpr std::uint64_t kBlockPages = 4;
    return static_cast<std::uint64_t>(node_count) * kArenaBytes + heap_bytes / kPage * 4 +
           kBlockPages * kPage;
}

void check_machine(const ElfImage& image, const nodes::MachineShape& machine,
                   const ThreadsProgram::Settings& settings) {
    if (!settings.shares_memory || machine.shared_bytes == hw::Bytes(0)) {
        throw InputFault("workload.shares_memory",
                         "found false, and " + image.name() + " is compiled with --threads",
                         R"(true, on nodes that share memory (extends = "sparcle-shared"))");
    }
    if (settings.polls) {
        throw InputFault("core.receive_mode",
                         R"(found "polling", and programs with threads do not poll)",
                         R"("interrupt")");
    }
    if (settings.has_overflow_trap) {
        throw InputFault("controller.overflow_trap",
                         "found true, and programs with threads have no overflow trap", "false");
    }
    if (settings.threads_per_node > 1 && image.find_symbol("weir_floating_point_unit") != nullptr) {
        throw InputFault("workload.threads",
                         "found " + std::to_string(settings.threads_per_node) + ", and " +
                             image.name() +
                             " is compiled with floating-point instructions, whose registers a "
                             "node's contexts would share",
                         "1, or a program compiled with --threads --contexts");
    }
}

}  // namespace

bool ThreadsProgram::is(const ElfImage& image) {
    return image.find_symbol("weir_thread_settings") != nullptr;
}

ThreadsProgram::ThreadsProgram(const ElfImage& image, const nodes::MachineShape& machine,
                               const Settings& settings)
    : image_(image), node_count_(static_cast<std::int32_t>(machine.node_count())) {
    check_machine(image, machine, settings);
    const auto nodes = static_cast<std::uint64_t>(machine.node_count());
    const auto bytes = static_cast<std::uint64_t>(machine.shared_bytes.count());
    const std::uint64_t lock_bytes =
        image.find_symbol("weir_atomic_locks") == nullptr ? 0 : ATOMIC_BYTES_OF_NODE;
    const bool is_segmented = machine.shared_granule == bytes;
    // The locks are at the end of each node's memory: behind all pages, or behind each segment.
    const std::uint64_t heap_end = is_segmented ? nodes * bytes
                                                : (bytes - lock_bytes) / machine.shared_granule *
                                                      machine.shared_granule * nodes;
    const std::uint64_t most_statics = is_segmented ? bytes - lock_bytes : heap_end;

    const std::uint64_t statics = image.address_of("weir_shared_end") - ElfImage::kSharedBegin;
    const std::uint64_t needed = statics + (settings.stack_bytes + kPage - 1) / kPage * kPage +
                                 start_bytes(node_count_, heap_end);
    const auto refuse = [&](const std::string& what, std::uint64_t missing,
                            const std::string& accepted) {
        throw InputFault("coherence.shared_bytes",
                         "found " + std::to_string(bytes) + " for each of " +
                             std::to_string(nodes) + " nodes, and " + image.name() + what +
                             "; missing: " + std::to_string(missing) + " bytes in all",
                         accepted);
    };
    if (statics > most_statics && is_segmented) {
        refuse("'s statics, " + std::to_string(statics) + " bytes, lie at node 0",
               statics - most_statics, R"(more, or coherence.home = "page")");
    }
    if (needed > heap_end) {
        refuse(" takes " + std::to_string(needed) +
                   " bytes for statics, main()'s stack and the heap's tables",
               needed - heap_end,
               "at least " + std::to_string((needed + nodes - 1) / nodes + kPage));
    }
    words_ = {static_cast<std::uint32_t>(settings.threads_per_node),
              static_cast<std::uint32_t>(ElfImage::kSharedBegin + heap_end),
              is_segmented ? machine.shared_granule : 0, static_cast<std::uint32_t>(lock_bytes),
              settings.stack_bytes};
    static_assert(WEIR_THREADS_SETTING_WORDS == 5 && WEIR_THREADS_STACK_BYTES == 4);
}

void ThreadsProgram::write(ImageMemory& memory) const {
    for (const ElfImage::Segment& segment : image_.segments()) {
        if (segment.is_shared()) {
            memory.write_bytes(hw::NodeId(0), segment.address, segment.data);
        }
    }
    for (std::int32_t node = 0; node < node_count_; ++node) {
        memory.write_words(hw::NodeId(node), "weir_thread_settings", words_);
    }
}

}  // namespace weir::firmware
