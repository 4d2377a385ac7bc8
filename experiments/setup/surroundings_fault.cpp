#include "experiments/setup/surroundings_fault.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

namespace weir::experiments::setup {

namespace {

int status_without_memory = 0;
bool is_told_without_memory = false;
bool was_refused_memory = false;

void tell(const char* text) { static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text))); }

// Allocates no memory.
[[noreturn]] void exit_without_memory() {
    if (is_told_without_memory) {
        for (const char* text : {"weir: ", kNoMemory, "\n"}) {
            tell(text);
        }
    }
    _exit(status_without_memory);
}

[[noreturn]] void end_process() {
    try {
        if (std::current_exception() != nullptr) {
            throw;
        }
    } catch (const std::bad_alloc&) {
        exit_without_memory();
    } catch (const std::exception& fault) {
        for (const char* text : {"weir: this is a fault of Weir's: ", fault.what(), "\n"}) {
            tell(text);
        }
    } catch (...) {
        tell("weir: this is a fault of Weir's\n");
    }
    // std::bad_alloc in a noexcept function ends here before any handler catches it: for example in
    // libstdc++ 12's iteration over a folder's entries.
    if (std::uncaught_exceptions() > 0 && was_refused_memory) {
        exit_without_memory();
    }
    std::abort();
}

[[noreturn]] void note_refused_memory() {
    was_refused_memory = true;
    throw std::bad_alloc();
}

}  // namespace

std::string system_reason(int error) {
    std::string reason = std::generic_category().message(error);
    switch (error) {
        case EMFILE:
            return reason + " (ulimit -n)";
        case ENOMEM:
            return reason + " (ulimit -v)";
        case EFBIG:
            return reason + " (ulimit -f)";
        case EAGAIN:
            return reason + " (ulimit -u)";
        default:
            return reason;
    }
}

std::optional<std::string> refusal_text() {
    try {
        throw;
    } catch (const SurroundingsFault& fault) {
        return fault.what();
    } catch (const std::bad_alloc&) {
        return kNoMemory;
    } catch (const std::filesystem::filesystem_error& fault) {
        return fault.path1().string() + ": " + system_reason(fault.code().value());
    } catch (const std::system_error& fault) {
        // The text of a std::system_error ends with the message of its code.
        const std::string text = fault.what();
        const std::string message = fault.code().message();
        const bool has_message = fault.code().category() == std::generic_category() &&
                                 text.size() >= message.size() && text.ends_with(message);
        return has_message ? text.substr(0, text.size() - message.size()) +
                                 system_reason(fault.code().value())
                           : text;
    } catch (...) {
        return std::nullopt;
    }
}

void end_without_memory(int status, bool is_told) {
    status_without_memory = status;
    is_told_without_memory = is_told;
    std::set_terminate(end_process);
    std::set_new_handler(note_refused_memory);
}

}  // namespace weir::experiments::setup
