#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/hexadecimal.h"

namespace weir::experiments::debug::testing {

/// Packet with its checksum: "$content#checksum".
[[nodiscard]] inline std::string packet_of(std::string_view content) {
    std::uint8_t sum = 0;
    for (const char byte : content) {
        sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(byte));
    }
    return "$" + std::string(content) + "#" + hex_of_byte(sum);
}

/// Debugger's side of a connection. The client sends acknowledgements and ignores received ones.
class GdbClient {
  public:
    explicit GdbClient(std::uint16_t port);
    GdbClient(const GdbClient&) = delete;
    GdbClient& operator=(const GdbClient&) = delete;
    ~GdbClient() { close(); }

    void send(std::string_view content);
    void send_raw(std::string_view bytes) const;
    /// Content of the next packet, escapes included; "closed" at the end of the connection.
    std::string receive();
    /// Sends a packet with this content and returns the next received one.
    std::string ask(std::string_view content);
    /// Next byte, of any kind; empty at the end of the connection.
    std::optional<char> next_byte();
    void close();

  private:
    int socket_;
};

}  // namespace weir::experiments::debug::testing
