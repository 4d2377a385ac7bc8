#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/hexadecimal.h"

namespace weir::experiments::debug::testing {

/// "$content#checksum"
[[nodiscard]] inline std::string packet_of(std::string_view content) {
    std::uint8_t sum = 0;
    for (const char byte : content) {
        sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(byte));
    }
    return "$" + std::string(content) + "#" + hex_of_byte(sum);
}

/// The debugger's end of a connection. Acknowledgements are sent, and overlooked.
class GdbClient {
  public:
    explicit GdbClient(std::uint16_t port);
    GdbClient(const GdbClient&) = delete;
    GdbClient& operator=(const GdbClient&) = delete;
    ~GdbClient() { close(); }

    void send(std::string_view content);
    void send_raw(std::string_view bytes) const;
    /// The content of the next packet, as it was sent; "closed" when there is none.
    std::string receive();
    /// send() and receive().
    std::string ask(std::string_view content);
    /// The next byte, whatever it is.
    std::optional<char> next_byte();
    void close();

  private:
    int socket_;
};

}  // namespace weir::experiments::debug::testing
