// Twin of flit_channel.h: the link of a physical channel, and the input buffer at its end. The
// credits of its sender are channel_credits.sv.
//
// In a cycle:
//  1. The receiver sees the flit at the front of the buffer, and may take it.
//  2. At the clock edge, flits on the link move on to the next register, if it is free or its flit
//     moves, too. A flit that leaves the link goes to the back of the buffer.
//  3. At the same edge the sender's flit enters the link.
//
// A flit that is sent in cycle t is visible from t + LINK_CYCLES on. Slots and registers both hold
// flits, so a sender has BUFFER_FLITS + LINK_CYCLES - 1 credits.

module flit_channel #(
    parameter FLIT_BITS = 18,   // with the marks of header and tail
    parameter LINK_CYCLES = 1,  // network.hop_cycles, injection_cycles or ejection_cycles
    parameter BUFFER_FLITS = 4  // network.buffer_flits
) (
    input  logic clk,
    input  logic reset,
    // From the sender, which has a credit.
    input  logic put,
    input  logic [FLIT_BITS-1:0] put_flit,
    // To the receiver.
    output logic has_flit,
    output logic [FLIT_BITS-1:0] front_flit,
    input  logic take
);
    localparam SLOT_BITS = BUFFER_FLITS > 1 ? $clog2(BUFFER_FLITS) : 1;
    localparam COUNT_BITS = $clog2(BUFFER_FLITS + 1);
    localparam [SLOT_BITS-1:0] LAST_SLOT = SLOT_BITS'(BUFFER_FLITS - 1);
    localparam [COUNT_BITS-1:0] ALL_SLOTS = COUNT_BITS'(BUFFER_FLITS);

    // The link: registers in a row. The wires take the first of the cycles.
    logic has_room;
    logic arrives;
    logic [FLIT_BITS-1:0] arriving_flit;
    generate
        if (LINK_CYCLES == 1) begin : wires
            logic unused_room;
            assign unused_room = has_room;
            assign arrives = put;
            assign arriving_flit = put_flit;
        end else begin : link
            localparam REGISTERS = LINK_CYCLES - 1;
            logic [REGISTERS-1:0] is_full;
            logic [REGISTERS-1:0] moves;
            logic [REGISTERS*FLIT_BITS-1:0] flits;
            logic next_is_free;
            always_comb begin
                next_is_free = has_room;
                for (int i = REGISTERS - 1; i >= 0; i--) begin
                    moves[i] = is_full[i] && next_is_free;
                    next_is_free = next_is_free || !is_full[i];
                end
            end
            always_ff @(posedge clk) begin
                for (int i = 0; i < REGISTERS; i++) begin
                    if (reset) is_full[i] <= 1'b0;
                    else if (i == 0 ? put : moves[i == 0 ? 0 : i-1]) is_full[i] <= 1'b1;
                    else if (moves[i]) is_full[i] <= 1'b0;
                end
                if (put) flits[0 +: FLIT_BITS] <= put_flit;
                for (int i = 1; i < REGISTERS; i++) begin
                    if (moves[i-1]) flits[i*FLIT_BITS +: FLIT_BITS] <= flits[(i-1)*FLIT_BITS +: FLIT_BITS];
                end
            end
            assign arrives = moves[REGISTERS-1];
            assign arriving_flit = flits[(REGISTERS-1)*FLIT_BITS +: FLIT_BITS];
        end
    endgenerate

    // The buffer: a ring of slots.
    logic [FLIT_BITS-1:0] slots [0:BUFFER_FLITS-1];
    logic [SLOT_BITS-1:0] front;
    logic [SLOT_BITS-1:0] back;
    logic [COUNT_BITS-1:0] held;
    assign has_room = held != ALL_SLOTS || take;
    assign has_flit = held != '0;
    assign front_flit = slots[front];
    always_ff @(posedge clk) begin
        if (arrives) slots[back] <= arriving_flit;
    end
    always_ff @(posedge clk) begin
        if (reset) begin
            front <= '0;
            back <= '0;
            held <= '0;
        end else begin
            if (arrives) back <= back == LAST_SLOT ? '0 : back + 1'b1;
            if (take) front <= front == LAST_SLOT ? '0 : front + 1'b1;
            if (arrives && !take) held <= held + 1'b1;
            if (take && !arrives) held <= held - 1'b1;
        end
    end
endmodule
