// Twin of MessageController (hw/controller/message_controller.h), the message-passing part of
// Alewife's CMMU, for a node whose only requester is its core, without shared memory. The queues
// (hw/queues/byte_queue.sv) and the DMA engines (hw/dma/dma_engine.sv) are modules of their own.
//
// In a cycle: the core may begin an access to a register (hw/controller/controller_registers.h).
// The access is answered in this cycle, or waits, and is answered in the first cycle in which it is
// possible. It ends `answer_cycles` after its answer. All effects show from the next cycle on.
//
// - A launch waits for room in the output queue and for the sending engine. Its words enter the
//   queue in the last cycle of the access.
// - A message that was disposed of leaves the input queue in the next cycle, or once the receiving
//   engine is idle.
// - The interrupt line follows the message at the head, NOTIFY_CYCLES after the arrival of its
//   header.
// - The overflow line follows a flit that waits for OVERFLOW_TIMEOUT_CYCLES.
//
// Parameters are named after the keys of the tables controller, dma, memory and machine; their
// sources stand there.
module message_controller #(
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
    parameter SETUP_CYCLES = 10,  // dma.setup_cycles
    parameter OUTPUT_BITS = $clog2(OUTPUT_QUEUE_BYTES + 1),
    parameter INPUT_BITS = $clog2(INPUT_QUEUE_BYTES + 1)
) (
    input  logic                   clk,
    input  logic                   reset,
    // The core's bus.
    input  logic                   access,         // an access begins
    input  logic                   is_store,
    input  logic                   is_double,      // of two words
    input  logic [7:0]             address,        // from WEIR_CONTROLLER_BASE on
    input  logic [63:0]            data,
    input  logic                   withdraw,       // withdraws the access that waits
    output logic                   answered,
    output logic                   refused,        // answered with an error
    output logic [15:0]            answer_cycles,
    output logic [63:0]            answer_data,
    // The output queue.
    input  logic [OUTPUT_BITS-1:0] output_room,
    output logic                   begin_message,  // with all of its words
    output logic [6:0]             push_bytes,
    output logic [511:0]           push_data,
    output logic [31:0]            begun_body_bytes,
    // The input queue, and the message at its head.
    input  logic [INPUT_BITS-1:0]  available,
    input  logic                   has_message,
    input  logic [4:0]             head_words,
    input  logic [31:0]            head_body_bytes,
    input  logic [511:0]           head_data,
    output logic [6:0]             pop_bytes,
    output logic                   end_message,
    // The DMA engines.
    input  logic                   send_idle,
    output logic                   send_start,
    output logic [511:0]           send_pieces,     // addresses and lengths
    output logic [3:0]             send_first,      // number of the first piece
    output logic [3:0]             send_end,        // number after the last one
    input  logic                   receive_idle,
    input  logic                   operands_taken,  // the engine takes the words off the queue
    output logic                   receive_start,
    output logic [31:0]            receive_address,
    // The network interface.
    input  logic                   header_arrived,
    input  logic                   stopped,         // a flit finds no room
    // Lines to the core.
    output logic                   message_interrupt,
    output logic                   dma_interrupt,
    output logic                   overflow,
    output logic                   saved_messages
);
  // Addresses of registers, in words.
  localparam [5:0] LAUNCH = 6'h20;
  localparam [5:0] DISPOSE = 6'h21;
  localparam [5:0] COMPOSED_WORDS = 6'h22;
  localparam [5:0] MESSAGE_WAITING = 6'h23;
  localparam [5:0] STORE_BODY = 6'h24;
  localparam [5:0] STORE_BODY_AND_INTERRUPT = 6'h25;
  localparam [5:0] BODY_BYTES = 6'h26;
  localparam [5:0] SEND_DMA_IDLE = 6'h27;
  localparam [5:0] RECEIVE_DMA_IDLE = 6'h28;
  localparam [5:0] DMA_STATUS = 6'h29;
  localparam [5:0] SAVED_MESSAGES = 6'h2a;
  localparam [5:0] OUTPUT_ROOM = 6'h2b;

  // True if an engine can move the range.
  function automatic logic is_movable(input logic [31:0] from, input logic [31:0] bytes);
    is_movable = bytes != 0 && from[2:0] == 0 && bytes[2:0] == 0
                 && {1'b0, from} + {1'b0, bytes} <= 33'(MEMORY_BYTES);
  endfunction

  // --- The access: one that begins, or the one that waits -----------------------------------------

  logic waits, is_withdrawn, waiting_is_store;
  logic [5:0] waiting_place;
  logic [16:0] waiting_data;  // as much as a launch needs

  wire is_active = access || waits;
  wire active_is_store = waits ? waiting_is_store : is_store;
  wire [5:0] place = waits ? waiting_place : address[7:2];  // of a word
  wire [16:0] launch_value = waits ? waiting_data : data[16:0];

  wire to_descriptor = place[5:4] == 2'b00;
  wire to_window = place[5:4] == 2'b01;
  wire is_load = is_active && !active_is_store;
  wire is_stored_to = is_active && active_is_store;
  wire is_launch = is_stored_to && place == LAUNCH;
  wire is_dispose = is_stored_to && place == DISPOSE;
  wire is_store_body = is_stored_to && (place == STORE_BODY || place == STORE_BODY_AND_INTERRUPT);
  wire is_window_load = is_load && to_window;
  wire is_idle_load = is_load && (place == SEND_DMA_IDLE || place == RECEIVE_DMA_IDLE);

  // --- The output descriptor ----------------------------------------------------------------------

  logic [511:0] descriptor;
  logic [4:0] composed;

  wire stores_word = access && is_store && to_descriptor && !refused;
  wire [4:0] composed_by_store = {1'b0, place[3:0]} + (is_double ? 5'd2 : 5'd1);
  always_ff @(posedge clk) begin
    for (int i = 0; i < 16; i = i + 1) begin
      if (reset) descriptor[32*i +: 32] <= '0;
      else if (stores_word && place[3:0] == 4'(i)) descriptor[32*i +: 32] <= data[31:0];
      else if (stores_word && is_double && place[3:1] == 3'(i / 2))
        descriptor[32*i +: 32] <= data[63:32];
    end
    if (reset || launches) composed <= '0;
    else if (stores_word && composed_by_store > composed) composed <= composed_by_store;
  end

  // Numbers of words in the value that is stored to LAUNCH. The words behind the operands are pairs
  // of an address and a length; pair p begins at word 2p, or at word 2p + 1 with an odd number of
  // operands.
  wire [7:0] operands = launch_value[7:0];
  wire [7:0] words = launch_value[15:8] > operands ? launch_value[15:8] : operands;
  wire has_body = words > operands;
  assign send_first = operands[4:1];
  assign send_end = words[4:1];
  logic has_wrong_piece;
  logic [31:0] body_bytes;
  always_comb begin
    send_pieces = operands[0] ? {32'd0, descriptor[511:32]} : descriptor;
    has_wrong_piece = 1'b0;
    body_bytes = '0;
    for (int p = 0; p < 8; p = p + 1) begin
      if (4'(p) >= send_first && 4'(p) < send_end) begin
        has_wrong_piece = has_wrong_piece
                          || !is_movable(send_pieces[64*p +: 32], send_pieces[64*p+32 +: 32]);
        body_bytes = body_bytes + send_pieces[64*p+32 +: 32];
      end
    end
  end
  wire is_wrong_launch = operands < 2 || words > 16 || words > {3'd0, composed}
                         || descriptor[23:16] != operands  // words in the header
                         || descriptor[31]                 // an operation of the protocol
                         || 32'(descriptor[15:0]) >= NODES || operands[0] != words[0]
                         || has_wrong_piece;

  // --- The launch ---------------------------------------------------------------------------------

  localparam LAUNCH_BITS = $clog2(LAUNCH_CYCLES + SETUP_CYCLES + 1);
  logic [LAUNCH_BITS-1:0] push_in;  // cycles until the words enter the queue; 0: no launch
  logic [4:0] pushed_words;
  logic [31:0] pushed_body_bytes;

  wire [6:0] operand_bytes = {operands[4:0], 2'b00};
  wire may_launch = send_idle && 32'(output_room) >= 32'(operand_bytes);
  wire launches = is_launch && answered && !refused;
  assign send_start = launches && has_body;

  always_ff @(posedge clk) begin
    if (reset) push_in <= '0;
    else if (launches)
      push_in <= LAUNCH_BITS'(has_body ? LAUNCH_CYCLES + SETUP_CYCLES - 1 : LAUNCH_CYCLES - 1);
    else if (push_in != 0) push_in <= push_in - 1'b1;
    if (launches) begin
      pushed_words <= operands[4:0];
      pushed_body_bytes <= body_bytes;
    end
  end
  assign begin_message = push_in == 1;
  assign push_bytes = begin_message ? {pushed_words, 2'b00} : '0;
  assign push_data = descriptor;
  assign begun_body_bytes = pushed_body_bytes;

  // --- The message at the head of the input queue -------------------------------------------------

  logic is_stored;    // its body is stored, or being stored
  logic is_disposed;  // a store to DISPOSE has dropped it
  logic words_taken;  // the engine has taken its words; they are in the window
  logic [511:0] window;

  wire [6:0] head_bytes = {head_words, 2'b00};  // without the body
  wire has_whole_head = is_stored || 32'(available) >= 32'(head_bytes);
  wire has_window_word = is_stored || 32'(available) >= 32'({place[3:0], 2'b00}) + 4;
  wire [511:0] shown_words = words_taken ? window : head_data;
  wire disposes = is_dispose && answered && !refused;
  wire stores_body = is_store_body && answered && !refused;
  assign end_message = is_disposed && (!is_stored || receive_idle);
  assign pop_bytes = end_message && !is_stored ? head_bytes : '0;
  assign receive_start = stores_body;
  assign receive_address = data[31:0];

  always_ff @(posedge clk) begin
    if (reset || end_message) begin
      is_stored <= 1'b0;
      is_disposed <= 1'b0;
      words_taken <= 1'b0;
    end else begin
      if (stores_body) is_stored <= 1'b1;
      if (disposes) is_disposed <= 1'b1;
      if (operands_taken) words_taken <= 1'b1;
    end
    if (operands_taken) window <= head_data;
  end

  // --- Ends of the DMA engines --------------------------------------------------------------------

  logic [1:0] ended, wanted, cleared;  // the receiving engine, the sending one
  wire [1:0] idle = {receive_idle, send_idle};
  wire clears = access && is_store && place == DMA_STATUS && !refused;
  always_ff @(posedge clk) begin
    if (reset) begin
      ended <= '0;
      wanted <= '0;
      cleared <= '0;
    end else begin
      ended <= (ended & ~cleared) | (wanted & idle);
      cleared <= clears ? data[3:2] : '0;
      wanted[0] <= send_start ? launch_value[16] : wanted[0] && !idle[0];
      wanted[1] <= stores_body ? place == STORE_BODY_AND_INTERRUPT : wanted[1] && !idle[1];
    end
  end
  assign dma_interrupt = ended != 0;

  // --- Answers ------------------------------------------------------------------------------------

  logic is_known;  // the register permits the access
  logic is_wrong;  // the state does not permit it
  logic may_end;
  logic [63:0] loaded;
  logic [15:0] cost;

  localparam LOAD_BITS = $clog2(LOAD_CYCLES + CONSECUTIVE_LOAD_CYCLES + DOUBLE_CYCLES + 1);
  logic [LOAD_BITS-1:0] load_ends_in;  // 1 in the cycle in which the last load has ended
  wire [15:0] load_cost = 16'(LOAD_CYCLES)
                          + (load_ends_in == 1 ? 16'(CONSECUTIVE_LOAD_CYCLES) : 16'd0)
                          + (is_double ? 16'(DOUBLE_CYCLES) : 16'd0);

  always_comb begin
    is_known = 1'b0;
    is_wrong = 1'b0;
    may_end = 1'b1;
    loaded = '0;
    cost = active_is_store ? 16'(STORE_CYCLES) : load_cost;
    if (to_descriptor) begin
      is_known = 1'b1;
      loaded[31:0] = descriptor[32*place[3:0] +: 32];
      loaded[63:32] = descriptor[64*place[3:1]+32 +: 32];
      if (active_is_store && is_double) cost = 16'(STORE_CYCLES + DOUBLE_CYCLES);
    end else if (to_window) begin
      is_known = !active_is_store;
      is_wrong = !has_message || {1'b0, place[3:0]} >= head_words;
      may_end = has_window_word;
      loaded[31:0] = shown_words[32*place[3:0] +: 32];
    end else begin
      case (place)
        LAUNCH: begin
          is_known = active_is_store;
          is_wrong = is_wrong_launch;
          may_end = may_launch;
          cost = has_body ? 16'(LAUNCH_CYCLES + SETUP_CYCLES) : 16'(LAUNCH_CYCLES);
        end
        DISPOSE: begin
          is_known = active_is_store;
          is_wrong = !has_message || is_disposed || (head_body_bytes != 0 && !is_stored);
          may_end = has_whole_head;
        end
        COMPOSED_WORDS: begin
          is_known = !active_is_store;
          loaded[4:0] = composed;
        end
        MESSAGE_WAITING: begin
          is_known = !active_is_store;
          loaded[0] = message_interrupt;
        end
        STORE_BODY, STORE_BODY_AND_INTERRUPT: begin
          is_known = active_is_store;
          is_wrong = !has_message || head_body_bytes == 0 || is_stored
                     || !is_movable(data[31:0], head_body_bytes);
          cost = 16'(SETUP_CYCLES);
        end
        BODY_BYTES: begin
          is_known = !active_is_store;
          is_wrong = !has_message;
          loaded[31:0] = head_body_bytes;
        end
        SEND_DMA_IDLE: begin
          is_known = !active_is_store;
          may_end = send_idle;
          loaded[0] = 1'b1;
        end
        RECEIVE_DMA_IDLE: begin
          is_known = !active_is_store;
          may_end = receive_idle;
          loaded[0] = 1'b1;
        end
        DMA_STATUS: begin
          is_known = 1'b1;
          loaded[3:0] = {ended, ~idle};
        end
        SAVED_MESSAGES: is_known = active_is_store;
        OUTPUT_ROOM: begin
          is_known = !active_is_store;
          loaded[31:0] = send_idle ? 32'(output_room) : '0;
        end
        default: is_known = 1'b0;
      endcase
    end
  end

  wire is_misaligned = address[1:0] != 0 || (is_double && (address[2] || !to_descriptor));
  wire is_refused = access && (is_misaligned || !is_known || is_wrong);
  wire can_wait = is_launch || is_dispose || is_window_load || is_idle_load;
  wire is_answered_well = is_active && !is_refused && (!can_wait || may_end);
  wire is_given_up = waits && is_withdrawn && !may_end;
  assign answered = is_refused || is_answered_well || is_given_up;
  assign refused = is_refused || is_given_up;
  assign answer_cycles = is_refused ? '0 : is_given_up ? 16'd1 : cost;
  assign answer_data = loaded;

  always_ff @(posedge clk) begin
    if (reset) begin
      waits <= 1'b0;
      is_withdrawn <= 1'b0;
      load_ends_in <= '0;
    end else begin
      waits <= is_active && !answered;
      is_withdrawn <= is_active && !answered && (is_withdrawn || withdraw);
      if (is_load && is_answered_well) load_ends_in <= LOAD_BITS'(load_cost);
      else if (load_ends_in != 0) load_ends_in <= load_ends_in - 1'b1;
    end
    if (access) begin
      waiting_place <= address[7:2];
      waiting_is_store <= is_store;
      waiting_data <= data[16:0];
    end
  end

  // --- Lines to the core --------------------------------------------------------------------------

  // Messages in the input queue that may interrupt. All are notified after the same time, so it is
  // enough to count them.
  localparam NOTIFIED_BITS = $clog2(INPUT_QUEUE_BYTES / 8 + 3);
  logic [NOTIFY_CYCLES-2:0] headers;  // bit i: a header arrived i + 1 cycles ago
  logic [NOTIFIED_BITS-1:0] notified;
  wire [NOTIFIED_BITS-1:0] notified_after = notified + NOTIFIED_BITS'(headers[NOTIFY_CYCLES-2])
                                            - NOTIFIED_BITS'(end_message);
  always_ff @(posedge clk) begin
    if (reset) begin
      headers <= '0;
      notified <= '0;
      message_interrupt <= 1'b0;
      saved_messages <= 1'b0;
    end else begin
      headers <= (NOTIFY_CYCLES-1)'({headers, header_arrived});
      notified <= notified_after;
      message_interrupt <= notified_after != 0 && (!is_disposed || end_message);
      if (access && is_store && place == SAVED_MESSAGES && !refused)
        saved_messages <= data[31:0] != 0;
    end
  end

  localparam TIMEOUT_BITS = $clog2(OVERFLOW_TIMEOUT_CYCLES + 1);
  if (OVERFLOW_TRAP != 0) begin : overflow_timer
    localparam [TIMEOUT_BITS-1:0] TIMEOUT = TIMEOUT_BITS'(OVERFLOW_TIMEOUT_CYCLES);
    logic [TIMEOUT_BITS-1:0] stopped_cycles;
    always_ff @(posedge clk) begin
      if (reset) begin
        stopped_cycles <= '0;
        overflow <= 1'b0;
      end else begin
        if (!stopped) stopped_cycles <= '0;
        else if (stopped_cycles != TIMEOUT) stopped_cycles <= stopped_cycles + 1'b1;
        overflow <= stopped_cycles == TIMEOUT;
      end
    end
  end else begin : no_overflow_timer
    wire unused = &{1'b0, stopped};
    assign overflow = 1'b0;
  end
endmodule
