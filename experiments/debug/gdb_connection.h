#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::experiments::debug {

/// Where a debugger may connect: a TCP port of this computer, for this computer only.
class GdbListener {
  public:
    /// Port 0: any that is free. Throws std::system_error.
    explicit GdbListener(std::uint16_t port);
    /// The socket of one that another program in this process has kept.
    struct Kept {
        int socket = -1;
    };
    explicit GdbListener(Kept kept);
    GdbListener(const GdbListener&) = delete;
    GdbListener& operator=(const GdbListener&) = delete;
    ~GdbListener();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    /// Its socket, which from now on stays open when this process executes another program.
    [[nodiscard]] int keep() const;
    /// Waits for a debugger and returns its socket; -1 when a signal came first.
    [[nodiscard]] int accept() const;

  private:
    int socket_;
    std::uint16_t port_;
};

/// The packets of GDB's remote serial protocol on a socket: `$content#checksum`, each acknowledged
/// until both sides agree to leave that out.
class GdbConnection {
  public:
    explicit GdbConnection(int socket) : socket_(socket) {}
    GdbConnection(const GdbConnection&) = delete;
    GdbConnection& operator=(const GdbConnection&) = delete;
    ~GdbConnection();

    /// Goes on with another debugger, as if it were the first.
    void take(int socket);

    /// Waits for the next packet and returns its content with every escape resolved; nothing when
    /// the other side has closed the connection. An interrupt that comes first is lost: the machine
    /// stands already.
    std::optional<std::string> receive();
    /// `content` may hold any bytes.
    void send(std::string_view content);
    void stop_acknowledging() { acknowledges_ = false; }
    [[nodiscard]] bool acknowledges() const { return acknowledges_; }
    /// As GdbListener::keep().
    [[nodiscard]] int keep() const;

    /// Whether the other side has sent an interrupt (Ctrl-C) since it was last asked, or has closed
    /// the connection. Does not wait.
    bool interrupted();

  private:
    // The next byte, or nothing at the end.
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
