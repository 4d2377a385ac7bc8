// Twin of flit_interface.h: the network interface of a node, with the credits of its injection
// channel and the link and buffer of its ejection channel. The bits of a flit are those of
// wormhole_router.sv. A message is a whole number of flits, so each flit has FLIT_BYTES bytes.
//
// In a cycle:
//  - Injection: sends the next flit of the message at the head of the output queue, if the queue
//    has its bytes and the injection channel has a credit.
//  - Ejection: moves one flit from the ejection channel into the input queue, if the queue had room
//    for it when the cycle began. Otherwise the flit stays, and blocks the network behind it.
//  - Header notice: the flit that completes the first HEADER_BYTES bytes of a message notifies the
//    controller in the cycle in which it enters the input queue.
// The queues show their state of the beginning of the cycle. A credit, and the notice, are given in
// the cycle of the move.

module flit_interface #(
    parameter FLIT_BYTES = 2,              // network.flit_bytes
    parameter INJECTION_CYCLES = 2,        // network.injection_cycles
    parameter EJECTION_CYCLES = 2,         // network.ejection_cycles
    parameter INJECTION_BUFFER_FLITS = 4,  // network.injection_buffer_flits
    parameter EJECTION_BUFFER_FLITS = 4,   // network.ejection_buffer_flits
    parameter CREDIT_CYCLES = 1,           // network.injection_credit_cycles
    parameter HEADER_BYTES = 8,            // WEIR_HEADER_BYTES
    parameter QUEUE_BITS = 9,              // for a number of bytes in a queue
    parameter LENGTH_BITS = 16,            // for a message's number of bytes
    localparam FLIT_BITS = 8 * FLIT_BYTES,
    localparam BITS = FLIT_BITS + 2
) (
    input  logic clk,
    input  logic reset,
    // Output queue, and the message at its head.
    input  logic [QUEUE_BITS-1:0] out_bytes,    // bytes in the queue
    input  logic [LENGTH_BITS-1:0] out_length,  // length of the message, from its header word
    input  logic [FLIT_BITS-1:0] out_data,      // next bytes of the message
    output logic out_pop,  // FLIT_BYTES bytes leave the queue
    output logic out_end,  // and they are the message's last ones
    // Injection channel.
    output logic injection_put,
    output logic [BITS-1:0] injection_flit,
    input  logic injection_credit,
    // Ejection channel.
    input  logic ejection_put,
    input  logic [BITS-1:0] ejection_flit,
    output logic ejection_credit,
    // Input queue.
    input  logic [QUEUE_BITS-1:0] in_room,  // free bytes
    output logic in_push,                   // FLIT_BYTES bytes enter the queue
    output logic in_begin,                  // and they are a message's first ones
    output logic [FLIT_BITS-1:0] in_data,
    // Controller.
    output logic header_arrived
);
    localparam [QUEUE_BITS-1:0] FLIT_IN_QUEUE = QUEUE_BITS'(FLIT_BYTES);
    localparam [LENGTH_BITS-1:0] FLIT_IN_MESSAGE = LENGTH_BITS'(FLIT_BYTES);
    localparam HEADER_FLITS = (HEADER_BYTES + FLIT_BYTES - 1) / FLIT_BYTES;
    localparam COUNT_BITS = $clog2(HEADER_FLITS + 1);
    localparam [COUNT_BITS-1:0] LAST_OF_HEADER = COUNT_BITS'(HEADER_FLITS - 1);
    localparam HEADER = FLIT_BITS;
    localparam TAIL = FLIT_BITS + 1;

    // Injection.
    logic has_credit;
    logic unused_has_all;
    logic [LENGTH_BITS-1:0] sent_bytes;  // of the message at the head
    logic is_header;
    logic is_tail;
    channel_credits #(
        .CREDITS(INJECTION_BUFFER_FLITS + INJECTION_CYCLES - 1), .CREDIT_CYCLES(CREDIT_CYCLES)
    ) credits (
        .clk(clk), .reset(reset), .has_credit(has_credit), .has_all(unused_has_all),
        .send(injection_put), .returned(injection_credit)
    );
    assign injection_put = out_bytes >= FLIT_IN_QUEUE && has_credit;
    assign is_header = sent_bytes == '0;
    assign is_tail = sent_bytes + FLIT_IN_MESSAGE == out_length;
    assign injection_flit = injection_put ? {is_tail, is_header, out_data} : '0;
    assign out_pop = injection_put;
    assign out_end = injection_put && is_tail;
    always_ff @(posedge clk) begin
        if (reset || out_end) sent_bytes <= '0;
        else if (injection_put) sent_bytes <= sent_bytes + FLIT_IN_MESSAGE;
    end

    // Ejection.
    logic has_flit;
    logic [BITS-1:0] front_flit;
    flit_channel #(
        .FLIT_BITS(BITS), .LINK_CYCLES(EJECTION_CYCLES), .BUFFER_FLITS(EJECTION_BUFFER_FLITS)
    ) channel (
        .clk(clk), .reset(reset), .put(ejection_put), .put_flit(ejection_flit),
        .has_flit(has_flit), .front_flit(front_flit), .take(ejection_credit)
    );
    assign in_push = has_flit && in_room >= FLIT_IN_QUEUE;
    assign in_begin = in_push && front_flit[HEADER];
    assign in_data = in_push ? front_flit[FLIT_BITS-1:0] : '0;
    assign ejection_credit = in_push;

    // Header notice: flits of the arriving message, counted until its header is complete.
    logic [COUNT_BITS-1:0] received;
    assign header_arrived = in_push && received == LAST_OF_HEADER;
    always_ff @(posedge clk) begin
        if (reset || (in_push && front_flit[TAIL])) received <= '0;
        else if (in_push && received != COUNT_BITS'(HEADER_FLITS)) received <= received + 1'b1;
    end
endmodule
