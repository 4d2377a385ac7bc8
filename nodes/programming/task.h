#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <exception>
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

/// A piece of program on a node: a coroutine that starts when it is first awaited (or resumed by
/// the core), and hands control back to whoever awaited it when it returns.
class [[nodiscard]] Task {
  public:
    struct promise_type {  // NOLINT(readability-identifier-naming): the language's name
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
    /// Only for a task that is done.
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
