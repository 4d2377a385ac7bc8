#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <utility>

namespace weir::nodes {

/// Allocator of tasks' coroutine frames. Sending and handling a message takes some ten tasks of a
/// few sizes, so freed frames are reused for frames of the same size. Each host thread has a store
/// of its own. A frame may be freed in another thread than it was allocated in.
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

    /// Returns memory for a frame; throws std::bad_alloc if none is left.
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
    static constexpr bool kKeeps = false;  // sanitizers must see any use of a freed frame
#else
    static constexpr bool kKeeps = true;
#endif
    static constexpr std::size_t kStep = 64;
    static constexpr std::size_t kSizes = 32;
    [[nodiscard]] static std::size_t size_class(std::size_t bytes) { return (bytes - 1) / kStep; }
    [[nodiscard]] static bool is_kept(std::size_t size) { return kKeeps && size < kSizes; }

    std::array<Free*, kSizes> free_{};
};

/// A piece of a node's program: a coroutine that starts when it is first awaited, or resumed by the
/// core. When it returns, control goes back to the coroutine that awaited it.
class [[nodiscard]] Task {
  public:
    struct promise_type {  // NOLINT(readability-identifier-naming): name that C++ requires
        std::coroutine_handle<> continuation = std::noop_coroutine();
        std::exception_ptr fault;

        static void* operator new(std::size_t bytes) { return FrameStore::of_thread().take(bytes); }
        static void operator delete(void* frame, std::size_t bytes) {
            FrameStore::of_thread().give_back(frame, bytes);
        }
        Task get_return_object() {
            return Task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        static std::suspend_always initial_suspend() noexcept { return {}; }
        struct ReturnToCaller {
            static bool await_ready() noexcept { return false; }
            static std::coroutine_handle<> await_suspend(
                std::coroutine_handle<promise_type> finished) noexcept {
                return finished.promise().continuation;
            }
            static void await_resume() noexcept {}
        };
        static ReturnToCaller final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { fault = std::current_exception(); }
    };

    Task() = default;
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    ~Task() {
        if (handle_) {
            handle_.destroy();
        }
    }

    // Awaiting a task runs it to its end.
    [[nodiscard]] bool await_ready() const noexcept { return handle_.done(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
        handle_.promise().continuation = caller;
        return handle_;
    }
    void await_resume() const { rethrow_fault(); }

    [[nodiscard]] std::coroutine_handle<> handle() const { return handle_; }
    [[nodiscard]] bool done() const { return !handle_ || handle_.done(); }
    /// Requires that the task is done.
    [[nodiscard]] bool has_thrown() const { return handle_.promise().fault != nullptr; }
    void rethrow_fault() const {
        if (handle_ && handle_.promise().fault) {
            std::rethrow_exception(handle_.promise().fault);
        }
    }

  private:
    explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
    std::coroutine_handle<promise_type> handle_;
};

}  // namespace weir::nodes
