#include "experiments/commands/standard_output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>

#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/text/utf8_text.h"

namespace weir::experiments::commands {

StandardOutput::StandardOutput() : before_(std::cout.rdbuf(this)) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
}

StandardOutput::~StandardOutput() { std::cout.rdbuf(before_); }

void StandardOutput::finish() {
    sync();
    write(setup::printable(begun_));
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

void StandardOutput::write(const std::string& text) {
    std::size_t next = 0;
    while (next < text.size() && error_ == 0) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data() + next, text.size() - next);
        if (written >= 0) {
            next += static_cast<std::size_t>(written);
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
}

int StandardOutput::sync() {
    std::string text = begun_ + std::string(pbase(), pptr());
    // A character of up to 4 bytes may be split between two calls.
    std::size_t end = text.size();
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        if (length > back) {
            end = text.size() - back;
            break;
        }
        if (byte < 0x80 || length > 1) {
            break;
        }
    }
    begun_ = text.substr(end);
    text.resize(end);
    write(setup::printable(text));
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return error_ == 0 ? 0 : -1;
}

}  // namespace weir::experiments::commands
