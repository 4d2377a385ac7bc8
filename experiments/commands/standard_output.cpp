#include "experiments/commands/standard_output.h"

#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::commands {

StandardOutput::StandardOutput() : before_(std::cout.rdbuf(this)) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
}

StandardOutput::~StandardOutput() { std::cout.rdbuf(before_); }

void StandardOutput::finish() {
    sync();
    if (error_ != 0) {
        throw setup::SurroundingsFault("standard output", setup::system_reason(error_));
    }
}

StandardOutput::int_type StandardOutput::overflow(int_type letter) {
    if (sync() != 0) {
        return traits_type::eof();
    }
    if (!traits_type::eq_int_type(letter, traits_type::eof())) {
        *pptr() = traits_type::to_char_type(letter);
        pbump(1);
    }
    return traits_type::not_eof(letter);
}

int StandardOutput::sync() {
    const char* next = pbase();
    while (next < pptr() && error_ == 0) {
        const ssize_t written = ::write(STDOUT_FILENO, next, pptr() - next);
        if (written >= 0) {
            next += written;
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return error_ == 0 ? 0 : -1;
}

}  // namespace weir::experiments::commands
