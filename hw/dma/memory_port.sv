// Twin of MemoryPort (hw/dma/memory_port.h): the port between a node's DRAM and its users.
//
// In a cycle: a requester may ask for a burst; it then waits for the grant. A free port grants one
// of the bursts requested before this cycle, round robin from the port behind the last one served.
// `grant_cycles` is the time from this cycle until the burst's last byte has moved: the DRAM's
// access time, then a beat for every BEAT_BYTES. With several bursts in flight, accesses overlap;
// beats do not.
//
// Parameters are named after the keys of the table memory_port; their sources stand there.
module memory_port #(
    parameter PORTS = 2,
    parameter BEAT_BYTES = 8,
    parameter BEAT_CYCLES = 2,
    parameter ACCESS_CYCLES = 0,
    parameter ROW_BYTES = 0,          // a power of two; 0: no row stays open
    parameter ROW_ACCESS_CYCLES = 0,
    parameter BURSTS_IN_FLIGHT = 1,
    parameter BYTES_BITS = 9,         // of a burst's length
    parameter CYCLE_BITS = 16
) (
    input  logic                        clk,
    input  logic                        reset,
    input  logic [PORTS-1:0]            request,
    input  logic [PORTS*BYTES_BITS-1:0] bytes,
    input  logic [PORTS*32-1:0]         address,
    output logic [PORTS-1:0]            grant,
    output logic [CYCLE_BITS-1:0]       grant_cycles
);
  localparam PORT_BITS = PORTS > 1 ? $clog2(PORTS) : 1;

  // Requests that wait.
  logic [PORTS-1:0] waits;
  logic [PORTS*BYTES_BITS-1:0] waiting_bytes;
  logic [PORTS*32-1:0] waiting_address;
  // Cycles until the end of each of the latest bursts, the newest one in the lowest bits.
  logic [BURSTS_IN_FLIGHT*CYCLE_BITS-1:0] ends_in;
  logic [PORT_BITS-1:0] last_served;

  // The ports behind the last one served come first.
  logic [PORTS-1:0] later, chosen;
  logic [PORT_BITS-1:0] served;
  logic [BYTES_BITS-1:0] burst_bytes;
  logic [31:0] burst_address;
  wire is_free = ends_in[(BURSTS_IN_FLIGHT-1)*CYCLE_BITS +: CYCLE_BITS] == 0;
  always_comb begin
    for (int i = 0; i < PORTS; i = i + 1)
      later[i] = waits[i] && PORT_BITS'(i) > last_served;
    chosen = later != 0 ? later : waits;
    grant = is_free ? chosen & (~chosen + PORTS'(1)) : '0;
    served = last_served;
    burst_bytes = '0;
    burst_address = '0;
    for (int i = 0; i < PORTS; i = i + 1) begin
      if (grant[i]) served = PORT_BITS'(i);
      burst_bytes = burst_bytes | ({BYTES_BITS{grant[i]}} & waiting_bytes[i*BYTES_BITS +: BYTES_BITS]);
      burst_address = burst_address | ({32{grant[i]}} & waiting_address[i*32 +: 32]);
    end
  end

  // The access, which depends on the open row, and the beats.
  logic [CYCLE_BITS-1:0] access_cycles;
  if (ROW_BYTES != 0) begin : rows
    localparam ROW_BITS = 32 - $clog2(ROW_BYTES);
    logic [ROW_BITS-1:0] open_row;
    logic is_open;
    wire [ROW_BITS-1:0] row = ROW_BITS'(burst_address >> $clog2(ROW_BYTES));
    assign access_cycles = is_open && row == open_row ? CYCLE_BITS'(ROW_ACCESS_CYCLES)
                                                      : CYCLE_BITS'(ACCESS_CYCLES);
    always_ff @(posedge clk) begin
      if (reset) is_open <= 1'b0;
      else if (grant != 0) is_open <= 1'b1;
      if (grant != 0) open_row <= row;
    end
  end else begin : no_rows
    wire unused = &{1'b0, burst_address};
    assign access_cycles = CYCLE_BITS'(ACCESS_CYCLES);
  end
  wire [CYCLE_BITS-1:0] beats = (CYCLE_BITS'(burst_bytes) + CYCLE_BITS'(BEAT_BYTES - 1))
                                / CYCLE_BITS'(BEAT_BYTES);
  wire [CYCLE_BITS-1:0] last_ends_in = ends_in[CYCLE_BITS-1:0];
  // The highest bit says that the access ends after the last burst.
  wire [CYCLE_BITS:0] ahead = {1'b0, last_ends_in} - {1'b0, access_cycles};
  assign grant_cycles = (ahead[CYCLE_BITS] ? access_cycles : last_ends_in)
                        + CYCLE_BITS'(beats * CYCLE_BITS'(BEAT_CYCLES));

  // Ends a cycle later.
  logic [BURSTS_IN_FLIGHT*CYCLE_BITS-1:0] ends_later;
  always_comb begin
    for (int i = 0; i < BURSTS_IN_FLIGHT; i = i + 1)
      ends_later[i*CYCLE_BITS +: CYCLE_BITS] = ends_in[i*CYCLE_BITS +: CYCLE_BITS] == 0
          ? '0 : ends_in[i*CYCLE_BITS +: CYCLE_BITS] - 1'b1;
  end

  always_ff @(posedge clk) begin
    if (reset) begin
      waits <= '0;
      ends_in <= '0;
      last_served <= '0;
    end else begin
      waits <= (waits & ~grant) | request;
      last_served <= served;
      ends_in <= grant == 0 ? ends_later
                            : (BURSTS_IN_FLIGHT*CYCLE_BITS)'({ends_later, grant_cycles - 1'b1});
    end
    for (int i = 0; i < PORTS; i = i + 1) begin
      if (request[i]) begin
        waiting_bytes[i*BYTES_BITS +: BYTES_BITS] <= bytes[i*BYTES_BITS +: BYTES_BITS];
        waiting_address[i*32 +: 32] <= address[i*32 +: 32];
      end
    end
  end
endmodule
