#include "experiments/debug/gdb_connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "experiments/debug/hexadecimal.h"
#include "hw/input_limits.h"

namespace weir::experiments::debug {

namespace {

constexpr char kInterrupt = '\x03';
constexpr char kEscape = '}';
constexpr char kEscapeFlips = 0x20;

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

std::uint8_t checksum(std::string_view bytes) {
    std::uint8_t sum = 0;
    for (const char byte : bytes) {
        sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(byte));
    }
    return sum;
}

int kept_over_exec(int socket) {
    ::fcntl(socket, F_SETFD, 0);
    return socket;
}

int closed_by_exec(int socket) {
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    return socket;
}

// Port that the socket is bound to; -1 if it is bound to none.
int port_of(int socket) {
    sockaddr_in address{};
    socklen_t bytes = sizeof address;
    const int failed = ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &bytes);
    return failed != 0 ? -1 : ntohs(address.sin_port);
}

}  // namespace

GdbListener::GdbListener(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), port_(port) {
    if (socket_ < 0) {
        fail("socket");
    }
    const int on = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int bound = -1;
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket_, 1) != 0 || (bound = port_of(socket_)) < 0) {
        const int why = errno;
        ::close(socket_);
        errno = why;
        fail("bind");
    }
    port_ = static_cast<std::uint16_t>(bound);
}

GdbListener::GdbListener(Kept kept)
    : socket_(closed_by_exec(kept.socket)), port_(static_cast<std::uint16_t>(port_of(socket_))) {}

int GdbListener::keep() const { return kept_over_exec(socket_); }

GdbListener::~GdbListener() { ::close(socket_); }

int GdbListener::accept() const {
    const int debugger = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (debugger < 0 && errno != EINTR) {
        fail("accept");
    }
    if (debugger >= 0) {
        // Disables Nagle's algorithm: packets are small, and each waits for the previous one's
        // answer.
        const int on = 1;
        ::setsockopt(debugger, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    return debugger;
}

int GdbConnection::keep() const { return kept_over_exec(socket_); }

GdbConnection::~GdbConnection() { ::close(socket_); }

void GdbConnection::take(int socket) {
    ::close(socket_);
    socket_ = socket;
    acknowledges_ = true;
    is_closed_ = false;
    received_.clear();
    read_ = 0;
    last_sent_.clear();
}

bool GdbConnection::fill() {
    if (is_closed_) {
        return false;
    }
    received_.erase(0, read_);
    read_ = 0;
    std::array<char, 4096> bytes{};
    ssize_t count = 0;
    do {
        count = ::recv(socket_, bytes.data(), bytes.size(), 0);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) {
        is_closed_ = true;
        return false;
    }
    received_.append(bytes.data(), count);
    return true;
}

std::optional<char> GdbConnection::next() {
    if (read_ == received_.size() && !fill()) {
        return std::nullopt;
    }
    return received_[read_++];
}

std::optional<std::string> GdbConnection::receive() {
    while (true) {
        auto byte = next();
        while (byte && *byte != '$') {
            if (*byte == '-') {
                write(last_sent_);
            }
            byte = next();
        }
        std::string raw;
        for (byte = next(); byte && *byte != '#'; byte = next()) {
            if (raw.size() <= hw::kPacketLimits.bytes) {
                raw += *byte;
            }
        }
        const auto high = next();
        const auto low = next();
        if (!high || !low) {
            return std::nullopt;
        }
        const auto sum = number_from_hex(std::string{*high, *low});
        if (acknowledges_) {
            write(sum == checksum(raw) ? "+" : "-");
        }
        if (acknowledges_ && sum != checksum(raw)) {
            continue;
        }
        std::string content;
        for (std::size_t i = 0; i < raw.size(); ++i) {
            const bool is_escape = raw[i] == kEscape && i + 1 < raw.size();
            content += is_escape ? static_cast<char>(raw[++i] ^ kEscapeFlips) : raw[i];
        }
        return content;
    }
}

void GdbConnection::send(std::string_view content) {
    std::string escaped;
    for (const char byte : content) {
        if (byte == '#' || byte == '$' || byte == kEscape || byte == '*') {
            escaped += kEscape;
            escaped += static_cast<char>(byte ^ kEscapeFlips);
        } else {
            escaped += byte;
        }
    }
    last_sent_ = "$" + escaped + "#" + hex_of_byte(checksum(escaped));
    write(last_sent_);
}

void GdbConnection::write(std::string_view bytes) {
    while (!bytes.empty() && !is_closed_) {
        const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR) {
            is_closed_ = true;
        } else if (count > 0) {
            bytes.remove_prefix(count);
        }
    }
}

bool GdbConnection::interrupted() {
    pollfd waiting{socket_, POLLIN, 0};
    while (!is_closed_ && ::poll(&waiting, 1, 0) > 0 && fill()) {
    }
    // Acknowledgements may precede the interrupt; a packet that follows is left for receive().
    while (read_ < received_.size() && received_[read_] != '$') {
        if (received_[read_++] == kInterrupt) {
            return true;
        }
    }
    return is_closed_;
}

}  // namespace weir::experiments::debug
