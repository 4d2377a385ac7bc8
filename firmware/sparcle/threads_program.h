#pragma once

#include <cstdint>
#include <vector>

#include "firmware/sparcle/image_memory.h"

namespace weir::firmware {

/// A program with POSIX threads (weir compile --threads): one program for all nodes, whose statics,
/// heap and stacks are in shared memory (threads/threads.ld).
class ThreadsProgram {
  public:
    struct Settings {
        bool shares_memory = false;      ///< workload.shares_memory
        bool polls = false;              ///< core.receive_mode = "polling"
        bool has_overflow_trap = false;  ///< controller.overflow_trap
        std::int64_t threads_per_node = 1;
        std::uint32_t stack_bytes = 0;  ///< size of a thread's stack, unless it chooses another
    };

    /// Whether the image is such a program.
    [[nodiscard]] static bool is(const ElfImage& image);

    /// Throws InputFault if the machine does not share memory, if messages do not interrupt, or if
    /// statics and main()'s stack do not fit.
    ThreadsProgram(const ElfImage& image, const nodes::MachineShape& machine,
                   const Settings& settings);

    /// Writes the statics to shared memory, once, and the settings to each node. Only before the
    /// run, while no cache holds a line.
    void write(ImageMemory& memory) const;

  private:
    const ElfImage& image_;
    std::int32_t node_count_;
    std::vector<std::uint32_t> words_;  // weir_thread_settings
};
}  // namespace weir::firmware
