// Twin of a node's message hardware: the message controller with both queues, both DMA engines and
// the memory port, joined as MessageController (hw/controller/message_controller.h) and Node
// (nodes/node.h) join them. Around it are the core, the network interface, the DRAM and another
// user of the memory port.
//
// It adds no logic but the choice of who moves a queue's bytes: the controller pushes words and
// takes whole messages; an engine moves the bytes of a body. They never do so in the same cycle.
module message_node #(
    parameter NODES = 32,
    parameter MEMORY_BYTES = 1 << 20,
    parameter OUTPUT_QUEUE_BYTES = 256,
    parameter INPUT_QUEUE_BYTES = 256,
    parameter STORE_CYCLES = 3,
    parameter LAUNCH_CYCLES = 3,
    parameter LOAD_CYCLES = 2,
    parameter CONSECUTIVE_LOAD_CYCLES = 1,
    parameter DOUBLE_CYCLES = 1,
    parameter NOTIFY_CYCLES = 10,
    parameter OVERFLOW_TRAP = 0,
    parameter OVERFLOW_TIMEOUT_CYCLES = 1000,
    parameter SETUP_CYCLES = 10,
    parameter BURST_BYTES = 32,
    parameter TURNAROUND_CYCLES = 2,
    parameter BEAT_BYTES = 8,
    parameter BEAT_CYCLES = 2,
    parameter ACCESS_CYCLES = 0,
    parameter ROW_BYTES = 0,
    parameter ROW_ACCESS_CYCLES = 0,
    parameter BURSTS_IN_FLIGHT = 1,
    parameter FLIT_BYTES = 2,
    parameter GRAIN_BYTES = 2,
    parameter OUTPUT_BITS = $clog2(OUTPUT_QUEUE_BYTES + 1),
    parameter INPUT_BITS = $clog2(INPUT_QUEUE_BYTES + 1)
) (
    input  logic                     clk,
    input  logic                     reset,
    // The core's bus.
    input  logic                     access,
    input  logic                     is_store,
    input  logic                     is_double,
    input  logic [7:0]               address,
    input  logic [63:0]              data,
    input  logic                     withdraw,
    output logic                     answered,
    output logic                     refused,
    output logic [15:0]              answer_cycles,
    output logic [63:0]              answer_data,
    // Lines to the core.
    output logic                     message_interrupt,
    output logic                     dma_interrupt,
    output logic                     overflow,
    output logic                     saved_messages,
    // The output queue, as the network interface sees it.
    output logic [OUTPUT_BITS-1:0]   output_available,
    output logic [8*FLIT_BYTES-1:0]  output_data,
    output logic                     output_has_message,
    input  logic [OUTPUT_BITS-1:0]   output_pop_bytes,
    input  logic                     output_end_message,
    // The input queue, as the network interface sees it.
    output logic [INPUT_BITS-1:0]    input_room,
    input  logic [INPUT_BITS-1:0]    input_push_bytes,
    input  logic [8*FLIT_BYTES-1:0]  input_push_data,
    input  logic                     input_begin_message,
    input  logic [4:0]               input_words,
    input  logic [31:0]              input_body_bytes,
    input  logic                     header_arrived,
    input  logic                     stopped,
    // The DRAM: a granted burst moves its bytes at once.
    output logic [2:0]               grant,          // other user, receiving engine, sending engine
    output logic [15:0]              grant_cycles,
    input  logic [8*BURST_BYTES-1:0] read_data,
    output logic [8*BURST_BYTES-1:0] written_data,
    // The other user of the memory port.
    input  logic                     other_request,
    input  logic [8:0]               other_bytes,
    input  logic [31:0]              other_address
);
  localparam WORD_BYTES = 64;  // of a whole message without a body
  localparam WIDE_BYTES = BURST_BYTES > WORD_BYTES ? BURST_BYTES : WORD_BYTES;
  localparam MESSAGE_BITS = 37;  // bytes of the body, words
  localparam BURST_BITS = $clog2(BURST_BYTES) + 1;

  // --- The output queue ---------------------------------------------------------------------------

  logic [OUTPUT_BITS-1:0] output_room, sent_bytes;
  logic [8*BURST_BYTES-1:0] sent_data;
  logic begin_message;
  logic [6:0] push_bytes;
  logic [511:0] push_data;
  logic [31:0] begun_body_bytes;
  logic [MESSAGE_BITS-1:0] output_front;
  byte_queue #(
      .QUEUE_BYTES(OUTPUT_QUEUE_BYTES), .PUSH_BYTES(WIDE_BYTES), .POP_BYTES(FLIT_BYTES),
      .GRAIN_BYTES(GRAIN_BYTES), .MESSAGE_BITS(MESSAGE_BITS)
  ) output_queue (
      .clk(clk), .reset(reset),
      .push_bytes(begin_message ? OUTPUT_BITS'(push_bytes) : sent_bytes),
      .push_data(begin_message ? (8*WIDE_BYTES)'(push_data) : (8*WIDE_BYTES)'(sent_data)),
      .begin_messages({1'b0, begin_message}), .begun({begun_body_bytes, push_bytes[6:2]}),
      .room(output_room), .available(output_available), .front_data(output_data),
      .has_message(output_has_message), .front(output_front), .pop_bytes(output_pop_bytes),
      .end_message(output_end_message)
  );

  // --- The input queue ----------------------------------------------------------------------------

  logic [INPUT_BITS-1:0] input_available, received_bytes;
  logic [8*WIDE_BYTES-1:0] input_data;
  logic input_has_message, end_message;
  logic [MESSAGE_BITS-1:0] head;
  logic [6:0] pop_bytes;
  byte_queue #(
      .QUEUE_BYTES(INPUT_QUEUE_BYTES), .PUSH_BYTES(FLIT_BYTES), .POP_BYTES(WIDE_BYTES),
      .GRAIN_BYTES(GRAIN_BYTES), .MESSAGE_BITS(MESSAGE_BITS)
  ) input_queue (
      .clk(clk), .reset(reset), .push_bytes(input_push_bytes), .push_data(input_push_data),
      .begin_messages({1'b0, input_begin_message}), .begun({input_body_bytes, input_words}),
      .room(input_room), .available(input_available), .front_data(input_data),
      .has_message(input_has_message), .front(head),
      .pop_bytes(end_message ? INPUT_BITS'(pop_bytes) : received_bytes), .end_message(end_message)
  );

  // --- The controller -----------------------------------------------------------------------------

  logic send_idle, send_start, receive_idle, receive_start, operands_taken;
  logic [511:0] send_pieces;
  logic [3:0] send_first, send_end;
  logic [31:0] receive_address;
  message_controller #(
      .NODES(NODES), .MEMORY_BYTES(MEMORY_BYTES), .OUTPUT_QUEUE_BYTES(OUTPUT_QUEUE_BYTES),
      .INPUT_QUEUE_BYTES(INPUT_QUEUE_BYTES), .STORE_CYCLES(STORE_CYCLES),
      .LAUNCH_CYCLES(LAUNCH_CYCLES), .LOAD_CYCLES(LOAD_CYCLES),
      .CONSECUTIVE_LOAD_CYCLES(CONSECUTIVE_LOAD_CYCLES), .DOUBLE_CYCLES(DOUBLE_CYCLES),
      .NOTIFY_CYCLES(NOTIFY_CYCLES), .OVERFLOW_TRAP(OVERFLOW_TRAP),
      .OVERFLOW_TIMEOUT_CYCLES(OVERFLOW_TIMEOUT_CYCLES), .SETUP_CYCLES(SETUP_CYCLES)
  ) controller (
      .clk(clk), .reset(reset), .access(access), .is_store(is_store), .is_double(is_double),
      .address(address), .data(data), .withdraw(withdraw), .answered(answered), .refused(refused),
      .answer_cycles(answer_cycles), .answer_data(answer_data), .output_room(output_room),
      .begin_message(begin_message), .push_bytes(push_bytes), .push_data(push_data),
      .begun_body_bytes(begun_body_bytes), .available(input_available),
      .has_message(input_has_message), .head_words(head[4:0]), .head_body_bytes(head[36:5]),
      .head_data(input_data[511:0]), .pop_bytes(pop_bytes), .end_message(end_message),
      .send_idle(send_idle), .send_start(send_start), .send_pieces(send_pieces),
      .send_first(send_first), .send_end(send_end), .receive_idle(receive_idle),
      .operands_taken(operands_taken), .receive_start(receive_start),
      .receive_address(receive_address), .header_arrived(header_arrived), .stopped(stopped),
      .message_interrupt(message_interrupt), .dma_interrupt(dma_interrupt), .overflow(overflow),
      .saved_messages(saved_messages)
  );

  // --- The DMA engines and the memory port --------------------------------------------------------

  logic send_request, receive_request;
  logic [BURST_BITS-1:0] send_request_bytes, receive_request_bytes;
  logic [31:0] send_request_address, receive_request_address;
  logic [8*BURST_BYTES-1:0] send_written, receive_pushed;
  logic send_takes_operands;
  dma_engine #(
      .RECEIVES(0), .BURST_BYTES(BURST_BYTES), .TURNAROUND_CYCLES(TURNAROUND_CYCLES),
      .START_CYCLES(LAUNCH_CYCLES + SETUP_CYCLES), .QUEUE_BYTES(OUTPUT_QUEUE_BYTES)
  ) send_engine (
      .clk(clk), .reset(reset), .idle(send_idle), .start(send_start), .pieces(send_pieces),
      .first(send_first), .last(send_end - 4'd1), .operand_bytes('0), .queue_bytes(output_room),
      .queue_data('0), .moved_bytes(sent_bytes), .pushed_data(sent_data),
      .takes_operands(send_takes_operands), .request(send_request),
      .request_bytes(send_request_bytes), .request_address(send_request_address),
      .grant(grant[0]), .grant_cycles(grant_cycles), .memory_data(read_data),
      .written_data(send_written)
  );
  dma_engine #(
      .RECEIVES(1), .BURST_BYTES(BURST_BYTES), .TURNAROUND_CYCLES(TURNAROUND_CYCLES),
      .START_CYCLES(SETUP_CYCLES), .QUEUE_BYTES(INPUT_QUEUE_BYTES)
  ) receive_engine (
      .clk(clk), .reset(reset), .idle(receive_idle), .start(receive_start),
      .pieces({head[36:5], receive_address}), .first('0), .last('0),
      .operand_bytes({head[4:0], 2'b00}), .queue_bytes(input_available),
      .queue_data(input_data[8*BURST_BYTES-1:0]), .moved_bytes(received_bytes),
      .pushed_data(receive_pushed), .takes_operands(operands_taken), .request(receive_request),
      .request_bytes(receive_request_bytes), .request_address(receive_request_address),
      .grant(grant[1]), .grant_cycles(grant_cycles), .memory_data('0), .written_data(written_data)
  );
  memory_port #(
      .PORTS(3), .BEAT_BYTES(BEAT_BYTES), .BEAT_CYCLES(BEAT_CYCLES), .ACCESS_CYCLES(ACCESS_CYCLES),
      .ROW_BYTES(ROW_BYTES), .ROW_ACCESS_CYCLES(ROW_ACCESS_CYCLES),
      .BURSTS_IN_FLIGHT(BURSTS_IN_FLIGHT)
  ) port_of_memory (
      .clk(clk), .reset(reset), .request({other_request, receive_request, send_request}),
      .bytes({other_bytes, 9'(receive_request_bytes), 9'(send_request_bytes)}),
      .address({other_address, receive_request_address, send_request_address}), .grant(grant),
      .grant_cycles(grant_cycles)
  );

  wire unused = &{1'b0, output_front, input_data, send_written, receive_pushed,
                  send_takes_operands};
endmodule
