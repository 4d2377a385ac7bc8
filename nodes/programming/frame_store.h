#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <utility>

namespace weir::nodes {

/// The memory of tasks' frames. A program begins and ends some ten tasks for a message, of few
/// sizes: what a frame had is kept for the next one of its size. Each thread of the host has a
/// store; a frame may end in another thread than it began in.
class FrameStore {
  public:
    FrameStore() = default;
    FrameStore(const FrameStore&) = delete;
    FrameStore& operator=(const FrameStore&) = delete;
    ~FrameStore() {
        for (Free* free : free_) {
            while (free != nullptr) {
                ::operator delete(std::exchange(free, free->next));
            }
        }
    }
    [[nodiscard]] static FrameStore& of_thread() {
        static thread_local FrameStore store;
        return store;
    }

    /// Throws std::bad_alloc.
    [[nodiscard]] void* take(std::size_t bytes) {
        const std::size_t size = size_class(bytes);
        if (!is_kept(size)) {
            return ::operator new(bytes);
        }
        if (free_[size] == nullptr) {
            return ::operator new((size + 1) * kStep);
        }
        return std::exchange(free_[size], free_[size]->next);
    }
    void give_back(void* frame, std::size_t bytes) {
        const std::size_t size = size_class(bytes);
        if (!is_kept(size)) {
            ::operator delete(frame);
            return;
        }
        free_[size] = new (frame) Free{free_[size]};
    }

  private:
    struct Free {
        Free* next;
    };
#ifdef WEIR_HAS_SANITIZERS
    static constexpr bool kKeeps = false;  // they are to see what uses a frame that has ended
#else
    static constexpr bool kKeeps = true;
#endif
    static constexpr std::size_t kStep = 64;
    static constexpr std::size_t kSizes = 32;
    [[nodiscard]] static std::size_t size_class(std::size_t bytes) { return (bytes - 1) / kStep; }
    [[nodiscard]] static bool is_kept(std::size_t size) { return kKeeps && size < kSizes; }

    std::array<Free*, kSizes> free_{};
};

}  // namespace weir::nodes
