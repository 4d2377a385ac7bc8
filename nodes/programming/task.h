#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

#include "nodes/programming/frame_store.h"

namespace weir::nodes {

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
