// Twin of DmaEngine (hw/dma/dma_engine.h): an engine moves a message's body between memory and a
// queue, burst by burst, through the memory port (hw/dma/memory_port.sv). With RECEIVES = 0 it is
// the sending engine, which gathers up to eight pieces of memory; with RECEIVES = 1 the receiving
// one, which stores one piece, and first takes the message's words off the queue.
//
// In a cycle: a burst whose last byte has moved is put into, or taken out of, the queue. The next
// one is requested TURNAROUND_CYCLES later, or once the queue has room, or bytes, for all of it. A
// burst ends at a multiple of BURST_BYTES, or at the end of a piece. Work begins START_CYCLES after
// `start`, when the access that started it has ended.
//
// BURST_BYTES and TURNAROUND_CYCLES are keys of the table dma; their sources stand there.
module dma_engine #(
    parameter RECEIVES = 0,
    parameter BURST_BYTES = 32,        // a power of two
    parameter TURNAROUND_CYCLES = 2,
    parameter START_CYCLES = 13,       // of the launch, or of the store to STORE_BODY
    parameter QUEUE_BYTES = 256,
    parameter CYCLE_BITS = 16,
    parameter PIECES = RECEIVES != 0 ? 1 : 8,
    parameter QUEUE_BITS = $clog2(QUEUE_BYTES + 1),
    parameter BURST_BITS = $clog2(BURST_BYTES) + 1
) (
    input  logic                     clk,
    input  logic                     reset,
    // The controller.
    output logic                     idle,
    input  logic                     start,
    input  logic [64*PIECES-1:0]     pieces,         // addresses and lengths
    input  logic [3:0]               first,          // number of the first piece
    input  logic [3:0]               last,           // number of the last piece
    input  logic [6:0]               operand_bytes,  // bytes before the body, in the input queue
    // The queue.
    input  logic [QUEUE_BITS-1:0]    queue_bytes,    // room, or available bytes
    input  logic [8*BURST_BYTES-1:0] queue_data,     // bytes at the head
    output logic [QUEUE_BITS-1:0]    moved_bytes,    // pushed or popped
    output logic [8*BURST_BYTES-1:0] pushed_data,
    output logic                     takes_operands,
    // The memory port. A granted burst reads or writes memory in the cycle of the grant.
    output logic                     request,
    output logic [BURST_BITS-1:0]    request_bytes,
    output logic [31:0]              request_address,
    input  logic                     grant,
    input  logic [CYCLE_BITS-1:0]    grant_cycles,
    input  logic [8*BURST_BYTES-1:0] memory_data,
    output logic [8*BURST_BYTES-1:0] written_data
);
  localparam START_BITS = $clog2(START_CYCLES + 1);
  localparam TURN_BITS = $clog2(TURNAROUND_CYCLES + 1);

  logic is_busy;
  logic [START_BITS-1:0] starts_in;  // cycles until work begins
  logic [31:0] address, bytes;       // what is left of the piece
  logic is_last;                     // no piece comes after it
  logic has_begun;                   // no operands are before the body
  logic [BURST_BITS-1:0] at_port;    // bytes of the requested burst; 0: none
  logic [CYCLE_BITS-1:0] ends_in;    // 1 in the cycle in which the burst ends
  logic [TURN_BITS-1:0] turn;        // cycles until the next request

  // The burst ends at a boundary or with the piece.
  wire [BURST_BITS-1:0] to_boundary = BURST_BITS'(BURST_BYTES)
                                      - {1'b0, address[BURST_BITS-2:0]};
  wire [BURST_BITS-1:0] burst = bytes < 32'(to_boundary) ? bytes[BURST_BITS-1:0] : to_boundary;

  wire works = is_busy && starts_in == 0;
  wire begins = works && !has_begun && (RECEIVES == 0 || 32'(queue_bytes) >= 32'(operand_bytes_left));
  wire ends_burst = works && ends_in == 1;
  wire ends_piece = ends_burst && bytes == 32'(at_port);
  wire ends_body = ends_piece && is_last;
  // A queue whose operands leave in this cycle has the other bytes for a burst.
  wire [QUEUE_BITS-1:0] for_bursts = queue_bytes - (takes_operands ? QUEUE_BITS'(operand_bytes_left) : '0);
  assign request = works && (has_begun || begins) && at_port == 0 && turn == 0
                   && 32'(for_bursts) >= 32'(burst);
  assign request_bytes = burst;
  assign request_address = address;
  assign idle = !is_busy;
  assign moved_bytes = ends_burst ? QUEUE_BITS'(at_port)
                       : takes_operands ? QUEUE_BITS'(operand_bytes_left) : '0;
  assign written_data = queue_data;

  always_ff @(posedge clk) begin
    if (reset) begin
      is_busy <= 1'b0;
      starts_in <= '0;
      has_begun <= 1'b0;
      at_port <= '0;
      ends_in <= '0;
      turn <= '0;
    end else begin
      if (start) is_busy <= 1'b1;
      else if (ends_body) is_busy <= 1'b0;
      if (start) starts_in <= START_BITS'(START_CYCLES - 1);
      else if (starts_in != 0) starts_in <= starts_in - 1'b1;
      if (start) has_begun <= 1'b0;
      else if (begins) has_begun <= 1'b1;
      if (request) at_port <= burst;
      else if (ends_burst) at_port <= '0;
      if (grant) ends_in <= grant_cycles;
      else if (ends_in != 0) ends_in <= ends_in - 1'b1;
      if (ends_burst) turn <= TURN_BITS'(TURNAROUND_CYCLES - 1);
      else if (start) turn <= '0;
      else if (turn != 0) turn <= turn - 1'b1;
    end
  end

  // The operands before a received body.
  logic [6:0] operand_bytes_left;
  if (RECEIVES != 0) begin : operands
    always_ff @(posedge clk) if (start) operand_bytes_left <= operand_bytes;
    assign takes_operands = begins;
    wire unused = &{1'b0, memory_data};
    assign pushed_data = '0;
  end else begin : no_operands
    wire unused = &{1'b0, operand_bytes};
    assign operand_bytes_left = '0;
    assign takes_operands = 1'b0;
    // Bytes read from memory, until the burst has ended.
    logic [8*BURST_BYTES-1:0] burst_data;
    always_ff @(posedge clk) if (grant) burst_data <= memory_data;
    assign pushed_data = burst_data;
  end

  // The piece, and those after it.
  if (PIECES > 1) begin : several
    logic [64*PIECES-1:0] kept;
    logic [3:0] number, end_number;
    wire [2:0] next = 3'(start ? first : number + 1'b1);
    wire [64*PIECES-1:0] from = start ? pieces : kept;
    assign is_last = number == end_number;
    always_ff @(posedge clk) begin
      if (start) begin
        kept <= pieces;
        end_number <= last;
      end
      if (start || ends_piece) begin
        number <= {1'b0, next};
        address <= from[64*next +: 32];
        bytes <= from[64*next+32 +: 32];
      end else if (ends_burst) begin
        address <= address + 32'(at_port);
        bytes <= bytes - 32'(at_port);
      end
    end
  end else begin : one
    wire unused = &{1'b0, first, last};
    assign is_last = 1'b1;
    always_ff @(posedge clk) begin
      if (start) begin
        address <= pieces[31:0];
        bytes <= pieces[63:32];
      end else if (ends_burst) begin
        address <= address + 32'(at_port);
        bytes <= bytes - 32'(at_port);
      end
    end
  end
endmodule
