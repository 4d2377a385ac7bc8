#include "experiments/debug/testing/gdb_client.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace weir::experiments::debug::testing {

GdbClient::GdbClient(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        throw std::system_error(errno, std::generic_category(), "connect");
    }
}

void GdbClient::send_raw(std::string_view bytes) const {
    if (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(bytes.size())) {
        throw std::system_error(errno, std::generic_category(), "send");
    }
}

void GdbClient::send(std::string_view content) { send_raw(packet_of(content)); }

std::optional<char> GdbClient::next_byte() {
    char byte = 0;
    return ::recv(socket_, &byte, 1, 0) == 1 ? std::optional(byte) : std::nullopt;
}

std::string GdbClient::receive() {
    auto byte = next_byte();
    while (byte && *byte != '$') {
        byte = next_byte();
    }
    std::string content;
    for (byte = next_byte(); byte && *byte != '#'; byte = next_byte()) {
        content += *byte;
    }
    if (!byte) {
        return "closed";
    }
    next_byte();
    next_byte();
    return content;
}

std::string GdbClient::ask(std::string_view content) {
    send(content);
    return receive();
}

void GdbClient::close() {
    if (socket_ >= 0) {
        ::close(socket_);
        socket_ = -1;
    }
}

}  // namespace weir::experiments::debug::testing
