#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::experiments::debug {

/// TCP port on which a debugger on this computer may connect; not open to other computers.
class GdbListener {
  public:
    /// Listens on `port`; 0 chooses any free port. Throws std::system_error if the port cannot be
    /// opened.
    explicit GdbListener(std::uint16_t port);
    /// Listening socket that keep() left open across an exec() of this process.
    struct Kept {
        int socket = -1;
    };
    explicit GdbListener(Kept kept);
    GdbListener(const GdbListener&) = delete;
    GdbListener& operator=(const GdbListener&) = delete;
    ~GdbListener();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    /// Returns the listening socket, which from now on stays open across an exec() of this process.
    [[nodiscard]] int keep() const;
    /// Waits for a debugger and returns its socket; -1 if a signal arrives first.
    [[nodiscard]] int accept() const;

  private:
    int socket_;
    std::uint16_t port_;
};

/// Packets of GDB's remote serial protocol on a socket: `$content#checksum`. Each packet is
/// acknowledged until both sides agree to stop acknowledging.
class GdbConnection {
  public:
    explicit GdbConnection(int socket) : socket_(socket) {}
    GdbConnection(const GdbConnection&) = delete;
    GdbConnection& operator=(const GdbConnection&) = delete;
    ~GdbConnection();

    /// Continues with the connection of another debugger, in the protocol's initial state.
    void take(int socket);

    /// Waits for the next packet and returns its content with every escape resolved. Returns
    /// nullopt when the debugger has closed the connection. An interrupt before the packet is
    /// ignored, since the machine has stopped already.
    std::optional<std::string> receive();
    /// Sends a packet. `content` may hold any bytes.
    void send(std::string_view content);
    void stop_acknowledging() { acknowledges_ = false; }
    [[nodiscard]] bool acknowledges() const { return acknowledges_; }
    /// Returns the socket, which from now on stays open across an exec() of this process.
    [[nodiscard]] int keep() const;

    /// True if the debugger has sent an interrupt (Ctrl-C) since the last call, or has closed the
    /// connection. Does not wait.
    bool interrupted();

  private:
    // Next received byte; empty at the end of the connection.
    std::optional<char> next();
    bool fill();
    void write(std::string_view bytes);

    int socket_;
    bool acknowledges_ = true;
    bool is_closed_ = false;
    std::string received_;
    std::size_t read_ = 0;
    std::string last_sent_;
};

}  // namespace weir::experiments::debug
