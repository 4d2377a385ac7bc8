#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "firmware/sparcle/image_memory.h"

namespace weir::firmware {

/// For what the threads of a program wait (pthread.h), read from the threads' state in shared
/// memory (threads/thread_state.h).
class ThreadWaits {
  public:
    /// Source place of the code at an address, such as "function work (file.c:12)".
    using Place = std::function<std::string(std::uint32_t address)>;

    /// Whether the image's program has threads.
    [[nodiscard]] static bool are_known(const ElfImage& image);
    explicit ThreadWaits(ImageMemory& memory);

    /// Returns that the program's threads are deadlocked if each waits for another thread; names
    /// the threads of a circle of mutexes. Empty if a thread does not wait.
    [[nodiscard]] std::string summary() const;
    /// Text with a line for each thread that has not ended; each begins with a line break. A line
    /// has the thread's node, the call that waits and its place, the object, and for a mutex the
    /// thread that holds it. At most 16 threads are listed.
    [[nodiscard]] std::string lines(const Place& place) const;

  private:
    struct Thread {
        std::uint32_t address = 0;
        std::uint32_t number = 0;
        std::int32_t node = 0;
        std::uint32_t context = 0;
        std::uint32_t start = 0;  // address of the thread's function
        std::uint32_t wait = 0;   // WEIR_WAIT_MUTEX, ...
        std::uint32_t object = 0;
        std::uint32_t caller = 0;
        std::uint32_t holder = 0;  // address of the thread that holds the awaited mutex; 0: none
    };

    [[nodiscard]] const Thread* find(std::uint32_t address) const;
    [[nodiscard]] std::string object_text(std::uint32_t address) const;
    [[nodiscard]] std::string wait_text(const Thread& thread, const Place& place) const;
    [[nodiscard]] std::string circle() const;

    const ElfImage& image_;
    std::vector<Thread> threads_;  // threads that have not ended, by number
};

}  // namespace weir::firmware
