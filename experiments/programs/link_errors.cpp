#include "experiments/programs/link_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace weir::experiments::programs {

namespace {

// Why the library lacks functions of a kind, and what to use instead.
struct Missing {
    std::string_view names;  // separated by blanks; those with * are beginnings of names
    std::string_view reason;
    std::string_view accepted;
};

constexpr std::string_view kNoProcesses = "a node runs one program";
constexpr std::array kMissing{
    Missing{"MPI_*", "mpi.h has a part of MPI", "the calls that firmware/README.md lists"},
    Missing{"fork vfork exec* posix_spawn* wait wait3 wait4 waitpid popen pclose system pipe dup "
            "dup2 setsid",
            kNoProcesses, "programs that start no others"},
    Missing{"socket connect bind listen accept send sendto recv recvfrom shutdown gethostby* "
            "getaddrinfo inet_* select poll setsockopt getsockopt",
            "a node has no sockets", "active messages, mpi.h or shared memory"},
    Missing{"dlopen dlsym dlclose dlerror", "programs are static", "libraries that are linked"},
    Missing{"sigaction sigprocmask sigsuspend sigwait sigaltstack alarm setitimer getitimer "
            "timer_*",
            "signals have no handlers", "programs that wait for no signal"},
    Missing{"mmap munmap mprotect msync shm_* shmget shmat shmdt shmctl sem_open mremap brk",
            "a node has no virtual memory",
            "malloc, or shared memory (--shared-memory, --threads)"},
    Missing{"mkdir rmdir opendir readdir closedir chdir rename symlink readlink chmod umask utime "
            "ftruncate truncate glob ftw nftw",
            "the host's folders cannot be changed or listed",
            "files that are opened by name in the experiment's folder"},
    Missing{"omp_* GOMP_*", "there is no OpenMP library", "pthread.h with --threads, or mpi.h"},
};
constexpr std::string_view kThreadNames = "pthread_* sem_* thrd_* mtx_* cnd_* tss_* call_once";

bool is_among(std::string_view name, std::string_view names) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        const std::string_view each = names.substr(0, end);
        names.remove_prefix(std::min(end + 1, names.size()));
        if (each.ends_with('*') ? name.starts_with(each.substr(0, each.size() - 1))
                                : name == each) {
            return true;
        }
    }
    return false;
}

// True for names that only the C++ library defines. Those of tables are longer: "vtable for
// std::exception", "typeinfo for unsigned int".
bool is_of_cxx_library(std::string_view name) {
    static constexpr std::array<std::string_view, 3> kTables{"vtable for ", "typeinfo for ",
                                                             "VTT for "};
    for (const std::string_view table : kTables) {
        if (!name.starts_with(table)) {
            continue;
        }
        name.remove_prefix(table.size());
        if (is_among(name.substr(0, name.find_first_of(" *")),
                     "bool char double float int long short signed unsigned void wchar_t")) {
            return true;
        }
    }
    return is_among(name,
                    "std::* __cxxabiv1::* __gnu_cxx::* __cxa_* __dso_handle __dynamic_cast "
                    "__gxx_personality_v0 _Unwind_*");
}

std::string explained(std::string_view name, const LinkedParts& parts) {
    if (name == "main") {
        return "nothing defines main; accepted: a file of the program that does";
    }
    if (is_among(name, kThreadNames)) {
        return parts.threads
                   ? fmt::format(
                         "the thread library has no function {}; accepted: the functions "
                         "of pthread.h, semaphore.h and threads.h "
                         "(firmware/README.md)",
                         name)
                   : fmt::format(
                         "the program uses {}, and is compiled without threads; accepted: "
                         "--threads, for all its files",
                         name);
    }
    if (parts.threads && is_among(name, "MPI_*")) {
        return fmt::format(
            "the program uses {}, and is compiled with threads, which have no MPI; "
            "accepted: without --threads",
            name);
    }
    const auto* const known =
        std::find_if(kMissing.begin(), kMissing.end(),
                     [&](const Missing& missing) { return is_among(name, missing.names); });
    if (known != kMissing.end()) {
        return fmt::format("the library has no function {}: {}; accepted: {}", name, known->reason,
                           known->accepted);
    }
    if (is_of_cxx_library(name) && !parts.cxx_library) {
        return fmt::format("the program uses {} of the C++ library, and is linked without it; ",
                           name) +
               (parts.threads ? "C++ programs with the standard library have no threads; accepted: "
                                "without --threads"
                              : "accepted: weir-c++ as the linker");
    }
    return parts.c_library ? fmt::format(
                                 "nothing defines {}, neither the program nor Weir's C library; "
                                 "accepted: names that one of them defines (firmware/README.md)",
                                 name)
                           : fmt::format(
                                 "nothing defines {}, neither the program nor Weir's runtime; "
                                 "accepted: names that one of them defines, or the C library "
                                 "(--library)",
                                 name);
}

// The text between the first ` and the last ' of a line.
std::string_view quoted(std::string_view line) {
    const std::size_t begin = line.find('`');
    const std::size_t end = line.rfind('\'');
    return begin == std::string_view::npos || end == std::string_view::npos || end <= begin
               ? std::string_view()
               : line.substr(begin + 1, end - begin - 1);
}

// A line without the linker's path in front: "/usr/bin/sparc64-linux-gnu-ld: a.o: ...".
std::string_view without_linker(std::string_view line) {
    const std::size_t colon = line.find(": ");
    return colon != std::string_view::npos && line.substr(0, colon).ends_with("ld")
               ? line.substr(colon + 2)
               : line;
}

// "a.c:3" of "a.c:3", "a.c" of "a.c:(.text.main+0x4)".
std::string_view without_section(std::string_view place) {
    return place.ends_with(')') ? place.substr(0, place.rfind(":(")) : place;
}

struct Undefined {
    std::string name;
    std::string message;
};

class MessageReader {
  public:
    explicit MessageReader(const LinkedParts& parts) : parts_(parts) {}

    void add(std::string_view line) {
        const std::string_view text = without_linker(line);
        constexpr std::string_view kFunction = ": in function `";
        constexpr std::string_view kUndefined = ": undefined reference to `";
        if (text.find(": more undefined references to `") != std::string_view::npos ||
            text.starts_with("collect2: error: ld returned")) {
            return;
        }
        // These lines come after the message about the name.
        if (text.ends_with(": hidden symbol `__dso_handle' isn't defined") ||
            text == "final link failed: bad value") {
            return;
        }
        if (text.find(kFunction) != std::string_view::npos) {
            function_ = quoted(text);
            unsaid_ = std::string(line) + "\n";
            return;
        }
        if (const std::size_t at = text.find(kUndefined); at != std::string_view::npos) {
            add_undefined(text.substr(0, at), text.substr(at));
            unsaid_.clear();
            return;
        }
        errors_.other += unsaid_ + std::string(line) + "\n";
        unsaid_.clear();
    }

    LinkErrors errors() {
        for (Undefined& each : undefined_) {
            errors_.undefined.push_back(std::move(each.message));
        }
        errors_.other += unsaid_;
        return std::move(errors_);
    }

  private:
    // Only the first place of a name is told, and only the first name of a missing C++ library.
    void add_undefined(std::string_view place, std::string_view rest) {
        std::string name(quoted(rest));
        if (name == "__real_main") {  // --wrap=main
            name = "main";
        }
        if (!parts_.cxx_library && is_of_cxx_library(name)) {
            if (!std::exchange(lacks_cxx_library_, true)) {
                undefined_.push_back(
                    {name, fmt::format("{}: {}", without_section(place), explained(name, parts_))});
            }
            return;
        }
        if (std::any_of(undefined_.begin(), undefined_.end(),
                        [&](const Undefined& other) { return other.name == name; })) {
            return;
        }
        const bool is_in_data = place.ends_with(')') && place.find("(.text") == place.npos;
        const std::string where =
            name == "main"
                ? "the program"
                : fmt::format("{}{}", without_section(place),
                              is_in_data || function_.empty() ? "" : ", function " + function_);
        undefined_.push_back({name, where + ": " + explained(name, parts_)});
    }

    LinkedParts parts_;
    bool lacks_cxx_library_ = false;
    std::string function_;  // function of the following lines
    std::string unsaid_;    // a line that only names the function
    std::vector<Undefined> undefined_;
    LinkErrors errors_;
};

}  // namespace

LinkErrors read_link_errors(std::string_view messages, const LinkedParts& parts) {
    MessageReader reader(parts);
    while (!messages.empty()) {
        const std::size_t end = std::min(messages.find('\n'), messages.size());
        reader.add(messages.substr(0, end));
        messages.remove_prefix(std::min(end + 1, messages.size()));
    }
    return reader.errors();
}

}  // namespace weir::experiments::programs
