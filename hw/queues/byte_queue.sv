// Twin of ByteQueue (hw/queues/byte_queue.h): a node's message queue, with the memory for its bytes
// and for the order of its messages. The numbers come from the same keys: QUEUE_BYTES is
// controller.output_queue_bytes or controller.input_queue_bytes (LoGPC Section 2: 256 bytes).
//
// In a cycle: the producer may push bytes and begin messages, and the consumer may pop bytes and
// end the message at the head. Both see the effects from the next cycle on.
//
// Hardware: two rings (hw/queues/item_ring.sv), and counters of the bytes and messages in them.
module byte_queue #(
    parameter QUEUE_BYTES = 256,
    parameter PUSH_BYTES = 64,                 // most bytes pushed in a cycle
    parameter POP_BYTES = 2,                   // bytes shown at the head
    parameter GRAIN_BYTES = 2,                 // every push and pop is a multiple of these
    parameter BEGINS = 1,                      // most messages begun in a cycle
    parameter MESSAGES = QUEUE_BYTES / 8 + 2,  // most messages
    parameter MESSAGE_BITS = 37,               // bytes of the body, number of words
    parameter COUNT_BITS = $clog2(QUEUE_BYTES + 1)
) (
    input  logic                           clk,
    input  logic                           reset,
    // The producer.
    input  logic [COUNT_BITS-1:0]          push_bytes,
    input  logic [8*PUSH_BYTES-1:0]        push_data,       // the first byte is the lowest
    input  logic [1:0]                     begin_messages,  // number of messages
    input  logic [BEGINS*MESSAGE_BITS-1:0] begun,
    output logic [COUNT_BITS-1:0]          room,
    // The consumer.
    output logic [COUNT_BITS-1:0]          available,
    output logic [8*POP_BYTES-1:0]         front_data,      // valid as far as bytes are available
    output logic                           has_message,
    output logic [MESSAGE_BITS-1:0]        front,           // the message at the head
    input  logic [COUNT_BITS-1:0]          pop_bytes,
    input  logic                           end_message
);
  localparam MESSAGE_COUNT_BITS = $clog2(MESSAGES + 1);

  logic [COUNT_BITS-1:0] held;
  logic [MESSAGE_COUNT_BITS-1:0] messages;

  assign room = COUNT_BITS'(QUEUE_BYTES) - held;
  assign available = held;
  assign has_message = messages != 0;

  always_ff @(posedge clk) begin
    if (reset) begin
      held <= '0;
      messages <= '0;
    end else begin
      held <= held + push_bytes - pop_bytes;
      messages <= messages + MESSAGE_COUNT_BITS'(begin_messages)
                           - MESSAGE_COUNT_BITS'(end_message);
    end
  end

  item_ring #(
      .ITEM_BITS(8 * GRAIN_BYTES), .ITEMS(QUEUE_BYTES / GRAIN_BYTES),
      .PUSH(PUSH_BYTES / GRAIN_BYTES), .POP(POP_BYTES / GRAIN_BYTES), .COUNT_BITS(COUNT_BITS)
  ) bytes (
      .clk(clk), .reset(reset), .push(push_bytes / COUNT_BITS'(GRAIN_BYTES)), .pushed(push_data),
      .pop(pop_bytes / COUNT_BITS'(GRAIN_BYTES)), .front(front_data)
  );

  item_ring #(
      .ITEM_BITS(MESSAGE_BITS), .ITEMS(MESSAGES), .PUSH(BEGINS), .POP(1), .COUNT_BITS(2)
  ) order (
      .clk(clk), .reset(reset), .push(begin_messages), .pushed(begun),
      .pop({1'b0, end_message}), .front(front)
  );
endmodule
