// Twin of virtual_channel_router.h: a router of a mesh with virtual channels, with the links and
// buffers of its inputs and the credits of its outputs. Routing is by dimension order, lowest
// dimension first, and a header may take any virtual channel of its output. Both allocators are
// output first (iSLIP, one iteration).
//
// Ports, and the bits of a flit, are those of wormhole_router.sv. A port has VIRTUAL_CHANNELS
// virtual channels, which share its link. The port to the node has only virtual channel 0. Virtual
// channels are numbered port by port.
//
// In a cycle:
//  1. Each header at the front of its virtual channel requests all free output virtual channels of
//     its route. With NEEDS_TAIL_CREDIT such a channel must also be empty.
//  2. Each requested output virtual channel grants one input; each input accepts one grant. The
//     input holds the output until the tail has passed.
//  3. Input virtual channels that hold an output, and have a flit and a credit, request the switch:
//     one for each pair of input and output port. Each output port grants one input port, and each
//     input port accepts one output port.
//  4. The accepted flits leave.
// A flit leaves in the cycle in which its header is granted an output: all outputs depend on
// registers alone. An arbiter's order moves on only if its grant is accepted.

module virtual_channel_router #(
    parameter DIMENSIONS = 2,              // number of extents in network.dimensions
    parameter COORDINATE_BITS = 3,         // for the longest extent
    parameter FLIT_BITS = 16,              // 8 * network.flit_bytes
    parameter BUFFER_FLITS = 4,            // network.buffer_flits
    parameter HOP_CYCLES = 1,              // network.hop_cycles + switch_allocation_cycles
    parameter INJECTION_CYCLES = 2,        // network.injection_cycles
    parameter EJECTION_CYCLES = 2,         // network.ejection_cycles + switch_allocation_cycles
    parameter INJECTION_BUFFER_FLITS = 4,  // network.injection_buffer_flits
    parameter EJECTION_BUFFER_FLITS = 4,   // network.ejection_buffer_flits
    parameter CREDIT_CYCLES = 1,           // network.credit_cycles
    parameter VIRTUAL_CHANNELS = 2,        // network.virtual_channels
    parameter ARBITRATION = 0,             // network.arbitration; see arbiter.sv
    parameter NEEDS_TAIL_CREDIT = 0,       // 1: network.vc_reallocation = "tail_credit"
    localparam PORTS = 2 * DIMENSIONS + 1,
    localparam CHANNELS = PORTS * VIRTUAL_CHANNELS,
    localparam BITS = FLIT_BITS + 2
) (
    input  logic clk,
    input  logic reset,
    input  logic [DIMENSIONS*COORDINATE_BITS-1:0] place,  // this router's coordinates
    // Inputs: a flit enters the link, for one of the virtual channels; a flit leaves a buffer.
    input  logic [CHANNELS-1:0] in_put,
    input  logic [PORTS*BITS-1:0] in_flit,
    output logic [CHANNELS-1:0] in_credit,
    // Outputs: a flit is sent, for one of the virtual channels; a flit leaves a buffer.
    output logic [CHANNELS-1:0] out_put,
    output logic [PORTS*BITS-1:0] out_flit,
    input  logic [CHANNELS-1:0] out_credit
);
    localparam VCS = VIRTUAL_CHANNELS;
    localparam NODE = PORTS - 1;
    localparam HEADER = FLIT_BITS;
    localparam TAIL = FLIT_BITS + 1;

    genvar p, q, v;

    // Inputs: buffers and routes.
    logic [CHANNELS-1:0] has_flit;
    logic [CHANNELS-1:0] has_header;
    logic [CHANNELS-1:0] has_tail;
    logic [CHANNELS*BITS-1:0] front_flit;
    logic [CHANNELS*PORTS-1:0] route;  // a set of one output port per input
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : input_ports
            for (v = 0; v < VCS; v = v + 1) begin : channels
                localparam i = p * VCS + v;
                if (p == NODE && v > 0) begin : none
                    assign has_flit[i] = 1'b0;
                    assign front_flit[i*BITS +: BITS] = '0;
                end else begin : some
                    flit_channel #(
                        .FLIT_BITS(BITS),
                        .LINK_CYCLES(p == NODE ? INJECTION_CYCLES : HOP_CYCLES),
                        .BUFFER_FLITS(p == NODE ? INJECTION_BUFFER_FLITS : BUFFER_FLITS)
                    ) channel (
                        .clk(clk), .reset(reset), .put(in_put[i]), .put_flit(in_flit[p*BITS +: BITS]),
                        .has_flit(has_flit[i]), .front_flit(front_flit[i*BITS +: BITS]), .take(in_credit[i])
                    );
                end
                logic [BITS-1:0] flit;
                assign flit = front_flit[i*BITS +: BITS];
                assign has_header[i] = has_flit[i] && flit[HEADER];
                assign has_tail[i] = has_flit[i] && flit[TAIL];

                dimension_order #(.DIMENSIONS(DIMENSIONS), .COORDINATE_BITS(COORDINATE_BITS)) router_of_header (
                    .place(place), .destination(flit[DIMENSIONS*COORDINATE_BITS-1:0]), .route(route[i*PORTS +: PORTS])
                );
            end
        end
    endgenerate

    // Allocation of virtual channels. Bit o * CHANNELS + i of a set by output is input i at output
    // o; a set by input is numbered the other way round.
    logic [CHANNELS*CHANNELS-1:0] owner;  // by output: empty or a set of one
    logic [CHANNELS*CHANNELS-1:0] requests;
    logic [CHANNELS*CHANNELS-1:0] grants;
    logic [CHANNELS*CHANNELS-1:0] grants_by_input;
    logic [CHANNELS*CHANNELS-1:0] accepted_by_input;
    logic [CHANNELS*CHANNELS-1:0] accepted;
    logic [CHANNELS*CHANNELS-1:0] holder;  // owner, or the input that has accepted
    logic [CHANNELS-1:0] holds;            // inputs that hold an output
    logic [CHANNELS-1:0] is_free;          // outputs
    always_comb begin
        holds = '0;
        for (int o = 0; o < CHANNELS; o++) holds = holds | owner[o*CHANNELS +: CHANNELS];
    end
    always_comb begin
        for (int o = 0; o < CHANNELS; o++) begin
            for (int i = 0; i < CHANNELS; i++) begin
                requests[o*CHANNELS+i] = has_header[i] && !holds[i] && is_free[o] && route[i*PORTS+o/VCS];
            end
        end
    end
    always_comb begin
        for (int o = 0; o < CHANNELS; o++) begin
            for (int i = 0; i < CHANNELS; i++) begin
                grants_by_input[i*CHANNELS+o] = grants[o*CHANNELS+i];
            end
        end
    end
    always_comb begin
        for (int o = 0; o < CHANNELS; o++) begin
            for (int i = 0; i < CHANNELS; i++) begin
                accepted[o*CHANNELS+i] = accepted_by_input[i*CHANNELS+o];
            end
        end
    end
    assign holder = owner | accepted;

    // Allocation of the switch. Bit q * PORTS + p is input port p at output port q.
    logic [CHANNELS-1:0] has_credit;       // outputs
    logic [CHANNELS*PORTS-1:0] wanted;     // output ports that an input virtual channel asks for
    logic [PORTS*PORTS*VCS-1:0] chosen;    // a virtual channel of input port p, for output port q
    logic [PORTS*PORTS*VCS-1:0] moving;
    logic [PORTS*PORTS-1:0] asking;
    logic [PORTS*PORTS-1:0] granted;
    logic [PORTS*PORTS-1:0] asking_by_input;
    logic [PORTS*PORTS-1:0] taken_by_input;
    logic [PORTS*PORTS-1:0] taken;
    logic [CHANNELS-1:0] moves;            // inputs whose flit leaves
    always_comb begin
        wanted = '0;
        for (int i = 0; i < CHANNELS; i++) begin
            for (int o = 0; o < CHANNELS; o++) begin
                if (holder[o*CHANNELS+i] && has_credit[o] && has_flit[i]) wanted[i*PORTS+o/VCS] = 1'b1;
            end
        end
    end
    always_comb begin
        for (int out = 0; out < PORTS; out++) begin
            for (int in = 0; in < PORTS; in++) begin
                asking[out*PORTS+in] = chosen[(out*PORTS+in)*VCS +: VCS] != '0;
            end
        end
    end
    always_comb begin
        for (int out = 0; out < PORTS; out++) begin
            for (int in = 0; in < PORTS; in++) begin
                asking_by_input[in*PORTS+out] = granted[out*PORTS+in];
            end
        end
    end
    always_comb begin
        for (int out = 0; out < PORTS; out++) begin
            for (int in = 0; in < PORTS; in++) begin
                taken[out*PORTS+in] = taken_by_input[in*PORTS+out];
                moving[(out*PORTS+in)*VCS +: VCS] = taken_by_input[in*PORTS+out] ? chosen[(out*PORTS+in)*VCS +: VCS] : '0;
            end
        end
    end
    always_comb begin
        moves = '0;
        for (int out = 0; out < PORTS; out++) begin
            for (int in = 0; in < PORTS; in++) begin
                moves[in*VCS +: VCS] = moves[in*VCS +: VCS] | moving[(out*PORTS+in)*VCS +: VCS];
            end
        end
    end
    assign in_credit = moves;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : switch_inputs
            logic [VCS-1:0] last_moved;
            assign last_moved = moves[p*VCS +: VCS];
            for (q = 0; q < PORTS; q = q + 1) begin : pairs
                logic [VCS-1:0] wants;
                for (v = 0; v < VCS; v = v + 1) begin : channels
                    assign wants[v] = wanted[(p*VCS+v)*PORTS+q];
                end
                arbiter #(.INPUTS(VCS), .ARBITRATION(ARBITRATION)) choice_of_channel (
                    .clk(clk), .reset(reset), .requests(wants),
                    .winner(chosen[(q*PORTS+p)*VCS +: VCS]), .accepted(last_moved)
                );
            end
            arbiter #(.INPUTS(PORTS), .ARBITRATION(ARBITRATION)) choice_of_output (
                .clk(clk), .reset(reset), .requests(asking_by_input[p*PORTS +: PORTS]),
                .winner(taken_by_input[p*PORTS +: PORTS]), .accepted(taken_by_input[p*PORTS +: PORTS])
            );
            for (v = 0; v < VCS; v = v + 1) begin : channels
                localparam i = p * VCS + v;
                arbiter #(.INPUTS(CHANNELS), .ARBITRATION(ARBITRATION)) choice_of_grant (
                    .clk(clk), .reset(reset), .requests(grants_by_input[i*CHANNELS +: CHANNELS]),
                    .winner(accepted_by_input[i*CHANNELS +: CHANNELS]),
                    .accepted(accepted_by_input[i*CHANNELS +: CHANNELS])
                );
            end
        end
        for (q = 0; q < PORTS; q = q + 1) begin : switch_outputs
            arbiter #(.INPUTS(PORTS), .ARBITRATION(ARBITRATION)) choice_of_input (
                .clk(clk), .reset(reset), .requests(asking[q*PORTS +: PORTS]),
                .winner(granted[q*PORTS +: PORTS]), .accepted(taken[q*PORTS +: PORTS])
            );

            // The crossbar. Without a flit its output is 0.
            logic [BITS-1:0] crossed;
            logic [CHANNELS-1:0] mover;
            assign mover = moving[q*CHANNELS +: CHANNELS];
            always_comb begin
                crossed = '0;
                for (int i = 0; i < CHANNELS; i++) begin
                    if (mover[i]) crossed = crossed | front_flit[i*BITS +: BITS];
                end
            end
            assign out_flit[q*BITS +: BITS] = crossed;

            for (v = 0; v < VCS; v = v + 1) begin : channels
                localparam o = q * VCS + v;
                logic [CHANNELS-1:0] sender;
                assign sender = holder[o*CHANNELS +: CHANNELS] & mover;
                assign out_put[o] = sender != '0;
                arbiter #(.INPUTS(CHANNELS), .ARBITRATION(ARBITRATION)) choice_of_request (
                    .clk(clk), .reset(reset), .requests(requests[o*CHANNELS +: CHANNELS]),
                    .winner(grants[o*CHANNELS +: CHANNELS]), .accepted(accepted[o*CHANNELS +: CHANNELS])
                );
                if (q == NODE && v > 0) begin : none
                    assign has_credit[o] = 1'b0;
                    assign is_free[o] = 1'b0;
                end else begin : some
                    logic has_all;
                    channel_credits #(
                        .CREDITS(q == NODE ? EJECTION_BUFFER_FLITS + EJECTION_CYCLES - 1
                                           : BUFFER_FLITS + HOP_CYCLES - 1),
                        .CREDIT_CYCLES(CREDIT_CYCLES)
                    ) credits (
                        .clk(clk), .reset(reset), .has_credit(has_credit[o]), .has_all(has_all),
                        .send(out_put[o]), .returned(out_credit[o])
                    );
                    assign is_free[o] = owner[o*CHANNELS +: CHANNELS] == '0 &&
                                        (NEEDS_TAIL_CREDIT == 0 || has_all);
                end
                always_ff @(posedge clk) begin
                    if (reset) owner[o*CHANNELS +: CHANNELS] <= '0;
                    else owner[o*CHANNELS +: CHANNELS] <=
                        (sender & has_tail) != '0 ? '0 : holder[o*CHANNELS +: CHANNELS];
                end
            end
        end
    endgenerate
endmodule
