// Twin of Directory (memory/coherence/directory.h), for one line: the entry of the line at its home
// and the state machine that changes it. The transitions are those of the protocol's table
// (memory/coherence/home_table.h), from which the module home_table is generated
// (memory/coherence/home_table_module.h). So table and twin cannot differ.
//
// In a cycle: a packet to memory arrives from a node, and is answered in the same cycle. The entry
// shows its effects from the next cycle on. Software may replace the entry in a cycle without a
// packet, as LimitLESS's handlers do.
//
// Answers: a packet to one node (`reply`), and an INV or INVR to each node of `invalidated`.
// Refused requests are remembered in two bits for each node (RefusedRequests).
module directory #(
    parameter NODES = 8,
    parameter POINTERS = 5,             // besides the bit of the home itself
    parameter HOME = 0,
    parameter NODE_BITS = NODES > 1 ? $clog2(NODES) : 1,
    parameter COUNT_BITS = $clog2(NODES + 1)
) (
    input  logic                  clk,
    input  logic                  reset,
    // The packet.
    input  logic                  receive,
    input  logic [3:0]            packet,         // number of Packet
    input  logic [NODE_BITS-1:0]  from,
    // The answers.
    output logic                  impossible,     // a fault of the protocol; no effect
    output logic                  stores_line,
    output logic                  traps,
    output logic                  replies,
    output logic [4:0]            reply,          // number of Packet
    output logic [NODE_BITS-1:0]  reply_to,
    output logic                  reply_counts,   // with the number of invalidated copies
    output logic [NODES-1:0]      invalidated,
    output logic                  acknowledge_to_sender,  // INVR, not INV
    // The entry.
    output logic [3:0]            state,          // number of HomeState
    output logic [NODES-1:0]      pointers,
    output logic [COUNT_BITS-1:0] acknowledgements,
    output logic [NODE_BITS-1:0]  requester,
    output logic                  is_modify,
    // Software replaces it.
    input  logic                  write,
    input  logic [3:0]            written_state,
    input  logic [NODES-1:0]      written_pointers,
    input  logic [COUNT_BITS-1:0] written_acknowledgements,
    input  logic [NODE_BITS-1:0]  written_requester,
    input  logic                  written_is_modify
);
  // Numbers of the enumerators in packet.h and home_table.h.
  localparam [3:0] MODIFY_REQUEST = 2, SHARE = 6, TRANSFER = 7, NOT_HERE = 8;
  localparam [4:0] READ_DATA = 9, WRITE_DATA = 10, MODIFY_GRANT = 11, BUSY = 13,
                   FORWARD_READ = 14, FORWARD_WRITE = 15;
  localparam [3:0] READ_ONLY = 0, READ_WRITE = 3;
  localparam [3:0] TO_NOBODY = 0, REFUSES = 1, READ_DATA_TO_SENDER = 2, GRANT_TO_SENDER = 3,
                   READ_DATA_TO_REQUESTER = 4, GRANT_TO_REQUESTER = 5, COUNTED_GRANT = 6,
                   FORWARDS_READ = 7, FORWARDS_WRITE = 8;
  localparam [2:0] ADD_SENDER = 1, SENDER_ALONE = 2, NONE = 3, ADD_REQUESTER = 4,
                   REQUESTER_ALONE = 5;
  localparam [1:0] NOBODY = 0, OTHERS = 1, OTHERS_FOR_SENDER = 2, VICTIM = 3;

  localparam [COUNT_BITS-1:0] MOST_POINTERS = COUNT_BITS'(POINTERS < NODES ? POINTERS : NODES);
  localparam [NODES-1:0] ONE = NODES'(1);
  localparam [NODES-1:0] HOME_BIT = ONE << HOME;

  function automatic [COUNT_BITS-1:0] count(input logic [NODES-1:0] nodes);
    count = '0;
    for (int i = 0; i < NODES; i = i + 1) count = count + COUNT_BITS'(nodes[i]);
  endfunction
  function automatic [NODE_BITS-1:0] number(input logic [NODES-1:0] node);
    number = '0;
    for (int i = 0; i < NODES; i = i + 1) number = number | (node[i] ? NODE_BITS'(i) : '0);
  endfunction

  // --- The row of the table -----------------------------------------------------------------------

  wire [NODES-1:0] sender = ONE << from;
  wire is_in = (pointers & sender) != 0;
  wire is_alone = (pointers & ~sender) == 0;
  wire has_room = count(pointers & ~HOME_BIT) < MOST_POINTERS;
  // By number of Condition: never, always, home, room, alone, in P alone, in P, not in P, last.
  wire [15:0] holds = {7'd0, acknowledgements == 1, !is_in, is_in, is_in && is_alone, is_alone,
                       is_in || sender == HOME_BIT || has_room, sender == HOME_BIT, 1'b1, 1'b0};
  logic [41:0] rows;
  home_table table_of_protocol (.state(state), .packet(packet), .rows(rows));
  wire row_0_holds = holds[rows[3:0]];
  wire row_1_holds = holds[rows[24:21]];
  wire [16:0] row = row_0_holds ? rows[20:4] : rows[41:25];
  wire [3:0] next = row[3:0];
  wire [3:0] answer = row[7:4];
  wire [2:0] changes_pointers = row[10:8];
  wire [1:0] invalidates = row[12:11];
  wire begins = row[13];
  wire counts = row[15];

  // --- Refused requests ---------------------------------------------------------------------------

  logic [NODES-1:0] first, second;  // groups
  logic is_forwarded;
  logic [NODE_BITS-1:0] forwarded;
  wire is_possible = receive && (row_0_holds || row_1_holds);
  wire is_request = packet <= MODIFY_REQUEST;
  wire forwards = answer == FORWARDS_READ || answer == FORWARDS_WRITE;
  wire is_turn = first == 0 || (first & sender) != 0;
  wire refuses = is_possible && is_request && (answer == REFUSES || !is_turn);
  wire acts = is_possible && !refuses;
  // A request that is served, or of which the home now learns that it was served.
  wire is_served = acts && (is_request ? !forwards : packet == SHARE || packet == TRANSFER);
  wire [NODE_BITS-1:0] served = is_request ? from : requester;
  logic [NODES-1:0] first_after, second_after;
  always_comb begin
    first_after = first;
    second_after = second;
    if (is_served) first_after = first & ~(ONE << served);
    if (acts && is_request && forwards) first_after = first | sender;
    if (acts && packet == NOT_HERE && is_forwarded) second_after = second & ~(ONE << forwarded);
    if (refuses && ((is_forwarded && forwarded == from) || (first & sender) == 0))
      second_after = second | sender;
    if ((is_served || refuses) && first_after == 0) begin
      first_after = second_after;
      second_after = '0;
    end
  end

  // --- Answers and the entry ----------------------------------------------------------------------

  wire sends_modify = packet == MODIFY_REQUEST && (answer != COUNTED_GRANT || is_in);
  wire [NODES-1:0] others = pointers & ~sender;
  wire [NODES-1:0] candidates = others & ~HOME_BIT;
  wire [NODES-1:0] victim = candidates & (~candidates + ONE);
  wire [NODES-1:0] invalidated_by_row = invalidates == NOBODY ? '0
                                        : invalidates == VICTIM ? victim : others;
  wire [NODES-1:0] kept = pointers & ~(invalidates == VICTIM ? victim : '0);
  logic [NODES-1:0] pointers_after;
  always_comb begin
    case (changes_pointers)
      ADD_SENDER: pointers_after = kept | sender;
      SENDER_ALONE: pointers_after = sender;
      NONE: pointers_after = '0;
      ADD_REQUESTER: pointers_after = kept | (ONE << requester);
      REQUESTER_ALONE: pointers_after = ONE << requester;
      default: pointers_after = kept;
    endcase
  end
  wire [COUNT_BITS-1:0] awaited = invalidates == OTHERS || invalidates == VICTIM
                                  ? count(invalidated_by_row) : acknowledgements;
  wire [NODES-1:0] owner = pointers & (~pointers + ONE);

  assign impossible = receive && !is_possible;
  assign stores_line = acts && row[14];
  assign traps = acts && row[16];
  assign invalidated = acts ? invalidated_by_row : '0;
  assign acknowledge_to_sender = acts && invalidates == OTHERS_FOR_SENDER;
  always_comb begin
    replies = refuses || (acts && answer != TO_NOBODY);
    reply = BUSY;
    reply_to = from;
    reply_counts = 1'b0;
    if (acts) begin
      case (answer)
        READ_DATA_TO_SENDER: reply = READ_DATA;
        GRANT_TO_SENDER: reply = sends_modify ? MODIFY_GRANT : WRITE_DATA;
        READ_DATA_TO_REQUESTER: begin
          reply = READ_DATA;
          reply_to = requester;
        end
        GRANT_TO_REQUESTER: begin
          reply = is_modify ? MODIFY_GRANT : WRITE_DATA;
          reply_to = requester;
        end
        COUNTED_GRANT: begin
          reply = sends_modify ? MODIFY_GRANT : WRITE_DATA;
          reply_counts = invalidated_by_row != 0;
        end
        FORWARDS_READ: begin
          reply = FORWARD_READ;
          reply_to = number(owner);
        end
        FORWARDS_WRITE: begin
          reply = FORWARD_WRITE;
          reply_to = number(owner);
        end
        default: reply = BUSY;
      endcase
    end
  end

  wire is_settled = next == READ_ONLY || next == READ_WRITE;
  always_ff @(posedge clk) begin
    if (reset) begin
      state <= READ_ONLY;
      pointers <= '0;
      acknowledgements <= '0;
      requester <= '0;
      is_modify <= 1'b0;
      first <= '0;
      second <= '0;
      is_forwarded <= 1'b0;
      forwarded <= '0;
    end else begin
      if (write) begin
        state <= written_state;
        pointers <= written_pointers;
        acknowledgements <= written_acknowledgements;
        requester <= written_requester;
        is_modify <= written_is_modify;
      end else if (acts) begin
        state <= next;
        pointers <= pointers_after;
        acknowledgements <= awaited - COUNT_BITS'(counts);
        requester <= is_settled ? '0 : begins ? from : requester;
        is_modify <= !is_settled && (begins ? sends_modify && !forwards : is_modify);
      end
      first <= first_after;
      second <= second_after;
      if (acts && is_request && forwards) begin
        is_forwarded <= 1'b1;
        forwarded <= from;
      end else if ((is_served && served == forwarded) || (acts && packet == NOT_HERE)) begin
        is_forwarded <= 1'b0;
      end
    end
  end
endmodule
