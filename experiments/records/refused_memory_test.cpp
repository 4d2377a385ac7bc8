#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>

#include "experiments/records/result.h"
#include "experiments/records/testing/small_result.h"

namespace {

// Number of the allocation that fails, from now; 0 or less: none fails.
std::int64_t calls_until_refused = 0;

}  // namespace

void* operator new(std::size_t size) {
    void* memory = --calls_until_refused == 0 ? nullptr : std::malloc(size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }

void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace weir::experiments::records {
namespace {

enum End : int { kNoneRefused = 10, kThrown, kSurvived, kCannotTakeDown };

// Status of a process in which memory allocation number `refused` fails while it converts a result
// to JSON.
int status_of(const ExperimentResult& result, std::int64_t refused) {
    const pid_t child = fork();
    if (child == 0) {
        // The destructor of JSON allocates memory, too, but cannot throw.
        std::set_terminate([] { _exit(kCannotTakeDown); });
        calls_until_refused = refused;
        try {
            static_cast<void>(to_json(result));
        } catch (const std::bad_alloc&) {
            _exit(kThrown);
        }
        _exit(calls_until_refused > 0 ? kNoneRefused : kSurvived);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
}

TEST(RefusedMemoryTest, IsThrownFromWhereverAResultIsMadeIntoJson) {
    const ExperimentResult result = small_result(2);
    std::int64_t thrown = 0;
    for (std::int64_t call = 1; call < 100'000; ++call) {
        const int status = status_of(result, call);
        ASSERT_TRUE(WIFEXITED(status)) << "call " << call << " ends in signal " << WTERMSIG(status);
        if (WEXITSTATUS(status) == kNoneRefused) {
            EXPECT_GT(thrown, 100);
            return;
        }
        thrown += WEXITSTATUS(status) == kThrown ? 1 : 0;
    }
    FAIL() << "it asks for memory without an end";
}

}  // namespace
}  // namespace weir::experiments::records
