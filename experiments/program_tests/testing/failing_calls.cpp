#include "experiments/program_tests/testing/failing_calls.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/// Library that is loaded before a program's own (LD_PRELOAD). Makes one of the program's calls
/// fail as if memory, disk space or file descriptors were exhausted.

using weir::experiments::Caller;
using weir::experiments::CallKind;
using weir::experiments::FailingCalls;

extern "C" {
// The C library's own names for functions that are replaced below.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

FailingCalls* shared = nullptr;
std::array<const char*, 2> systemcs_pools{};  // callers in SystemC's pools that allocate memory

__attribute__((constructor)) void begin() {
    const char* path = std::getenv(weir::experiments::kFailingCallsVariable);
    if (path == nullptr) {
        return;
    }
    systemcs_pools = {
        static_cast<const char*>(dlsym(RTLD_DEFAULT, "_ZN7sc_core14sc_event_timed8allocateEv")),
        static_cast<const char*>(dlsym(RTLD_DEFAULT, "_ZN7sc_core12sc_allocator8allocateEv"))};
    const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    void* memory = reinterpret_cast<void*>(syscall(SYS_mmap, nullptr, sizeof(FailingCalls),
                                                   PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    syscall(SYS_close, file);
    auto* calls = static_cast<FailingCalls*>(memory);
    pid_t none = 0;
    // Processes that the program starts, such as gnuplot, do not count.
    if (file >= 0 && memory != MAP_FAILED &&
        calls->program.compare_exchange_strong(none, getpid())) {
        shared = calls;
    }
}

bool fails(CallKind kind, const char* function) {
    if (shared == nullptr) {
        return false;
    }
    const bool is_program = getpid() == shared->program;
    auto& calls = shared->calls[static_cast<int>(kind)];
    std::int64_t number = ++calls[is_program ? 0 : 1];
    if (kind != shared->kind || shared->at == 0 ||
        (shared->caller != Caller::kAny && (shared->caller == Caller::kProgram) != is_program)) {
        return false;
    }
    if (shared->caller == Caller::kAny) {
        number = calls[0] + calls[1];
    }
    if (number != shared->at && (shared->and_after == 0 || number < shared->at)) {
        return false;
    }
    if (shared->failed++ == 0) {
        std::strncpy(shared->function, function, sizeof shared->function - 1);
    }
    if (shared->error == 0) {
        kill(getpid(), SIGKILL);
    }
    errno = shared->error;
    return true;
}

// SystemC 2.3.4 does not check the memory for its pools of events and small objects, so no program
// could handle a refusal.
bool is_for_systemcs_pools(const void* caller) {
    constexpr std::ptrdiff_t kMostBytes = 256;
    const auto* const place = static_cast<const char*>(caller);
    return std::any_of(systemcs_pools.begin(), systemcs_pools.end(), [place](const char* pool) {
        return pool != nullptr && place >= pool && place - pool < kMostBytes;
    });
}

// Messages to the user must not fail.
bool is_told(int descriptor) { return descriptor == STDERR_FILENO; }

template <class Function>
Function* real(Function* /*type*/, const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// One line for each function: CALL(kind, type, name, parameters, arguments, condition for a
// failure, result of a failure).
#define WEIR_CALL(kind, type, name, parameters, arguments, may_fail, failure)         \
    extern "C" type name parameters {                                                 \
        static auto* const next = real(&name, #name);                                 \
        return (may_fail) && fails(CallKind::kind, #name) ? failure : next arguments; \
    }

extern "C" void* malloc(std::size_t size) {
    return !is_for_systemcs_pools(__builtin_return_address(0)) && fails(CallKind::kMemory, "malloc")
               ? nullptr
               : __libc_malloc(size);
}
extern "C" void* calloc(std::size_t count, std::size_t size) {
    return fails(CallKind::kMemory, "calloc") ? nullptr : __libc_calloc(count, size);
}
extern "C" void* realloc(void* memory, std::size_t size) {
    return size != 0 && fails(CallKind::kMemory, "realloc") ? nullptr
                                                            : __libc_realloc(memory, size);
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return fails(CallKind::kMemory, "aligned_alloc") ? nullptr : __libc_memalign(alignment, size);
}
WEIR_CALL(kMemory, int, posix_memalign, (void** memory, std::size_t alignment, std::size_t size),
          (memory, alignment, size), true, ENOMEM)
WEIR_CALL(kMemory, void*, mmap,
          (void* at, std::size_t size, int access, int flags, int file, off_t offset),
          (at, size, access, flags, file, offset), true, MAP_FAILED)
WEIR_CALL(kMemory, void*, mmap64,
          (void* at, std::size_t size, int access, int flags, int file, off64_t offset),
          (at, size, access, flags, file, offset), true, MAP_FAILED)
WEIR_CALL(kMemory, pid_t, fork, (), (), true, -1)

WEIR_CALL(kWrite, ssize_t, write, (int file, const void* data, std::size_t size),
          (file, data, size), !is_told(file), -1)
WEIR_CALL(kWrite, ssize_t, writev, (int file, const iovec* data, int count), (file, data, count),
          !is_told(file), -1)
WEIR_CALL(kWrite, ssize_t, pwrite, (int file, const void* data, std::size_t size, off_t at),
          (file, data, size, at), true, -1)
WEIR_CALL(kWrite, ssize_t, pwrite64, (int file, const void* data, std::size_t size, off64_t at),
          (file, data, size, at), true, -1)
WEIR_CALL(kWrite, int, fsync, (int file), (file), true, -1)
WEIR_CALL(kWrite, int, fdatasync, (int file), (file), true, -1)
WEIR_CALL(kWrite, int, ftruncate, (int file, off_t size), (file, size), true, -1)
WEIR_CALL(kWrite, int, ftruncate64, (int file, off64_t size), (file, size), true, -1)
WEIR_CALL(kWrite, int, posix_fallocate, (int file, off_t at, off_t size), (file, at, size), true,
          shared->error)
WEIR_CALL(kWrite, std::size_t, fwrite,
          (const void* data, std::size_t size, std::size_t count, std::FILE* file),
          (data, size, count, file), file != stderr, 0)
WEIR_CALL(kWrite, int, fflush, (std::FILE * file), (file), file != stderr && file != nullptr, EOF)
// Data written before are with the system; data still in the process are lost.
extern "C" int fclose(std::FILE* file) {
    static auto* const next = real(&fclose, "fclose");
    const bool is_refused = fails(CallKind::kWrite, "fclose");
    const int result = next(file);
    if (is_refused) {
        errno = shared->error;
    }
    return is_refused ? EOF : result;
}

WEIR_CALL(kOpen, std::FILE*, fopen, (const char* path, const char* mode), (path, mode), true,
          nullptr)
WEIR_CALL(kOpen, std::FILE*, fopen64, (const char* path, const char* mode), (path, mode), true,
          nullptr)
WEIR_CALL(kOpen, DIR*, opendir, (const char* path), (path), true, nullptr)
WEIR_CALL(kOpen, int, mkdir, (const char* path, mode_t mode), (path, mode), true, -1)
WEIR_CALL(kOpen, int, rename, (const char* from, const char* to), (from, to), true, -1)
WEIR_CALL(kOpen, int, pipe2, (int* ends, int flags), (ends, flags), true, -1)

namespace {
mode_t mode_of(int flags, va_list rest) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}
}  // namespace

#define WEIR_OPEN(name, parameters, arguments)                      \
    extern "C" int name parameters {                                \
        va_list rest;                                               \
        va_start(rest, flags);                                      \
        const mode_t mode = mode_of(flags, rest);                   \
        va_end(rest);                                               \
        static auto* const next = real(&name, #name);               \
        return fails(CallKind::kOpen, #name) ? -1 : next arguments; \
    }
WEIR_OPEN(open, (const char* path, int flags, ...), (path, flags, mode))
WEIR_OPEN(open64, (const char* path, int flags, ...), (path, flags, mode))
WEIR_OPEN(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
WEIR_OPEN(openat64, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
