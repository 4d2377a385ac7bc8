// Twin of wormhole_router.h: a wormhole router of a mesh, with the links and buffers of its inputs
// and the credits of its outputs. Routing is by dimension order, lowest dimension first.
//
// Ports are numbered as in the model: 2d leads to the next higher coordinate of dimension d, 2d + 1
// to the next lower one, and the last port to the node. Input p comes from the neighbour to which
// output p leads. Ports at the mesh's edge stay unconnected, with inputs 0.
//
// A flit is, from the highest bit: the mark of a tail, the mark of a header, FLIT_BITS of data. A
// header's lowest data bits are the destination's coordinates, lowest dimension first.
//
// In a cycle:
//  1. Each header at the front of an input buffer requests the output of its route.
//  2. Each free output with requests is granted to one input, round robin from the one after the
//     last winner. It stays with this input until the tail has passed.
//  3. Each input that holds an output sends a flit if it has a flit and a credit.
// A flit leaves in the cycle in which it is granted: all outputs depend on registers alone.

module wormhole_router #(
    parameter DIMENSIONS = 2,        // number of extents in network.dimensions
    parameter COORDINATE_BITS = 3,   // for the longest extent
    parameter FLIT_BITS = 16,        // 8 * network.flit_bytes
    parameter BUFFER_FLITS = 4,      // network.buffer_flits
    parameter HOP_CYCLES = 1,        // network.hop_cycles
    parameter INJECTION_CYCLES = 2,  // network.injection_cycles
    parameter EJECTION_CYCLES = 2,   // network.ejection_cycles
    localparam PORTS = 2 * DIMENSIONS + 1,
    localparam BITS = FLIT_BITS + 2
) (
    input  logic clk,
    input  logic reset,
    input  logic [DIMENSIONS*COORDINATE_BITS-1:0] place,  // this router's coordinates
    // Inputs: a flit enters the link; a flit leaves the buffer, which is a credit for the sender.
    input  logic [PORTS-1:0] in_put,
    input  logic [PORTS*BITS-1:0] in_flit,
    output logic [PORTS-1:0] in_credit,
    // Outputs: a flit is sent; a flit leaves the buffer at the link's end.
    output logic [PORTS-1:0] out_put,
    output logic [PORTS*BITS-1:0] out_flit,
    input  logic [PORTS-1:0] out_credit
);
    localparam NODE = PORTS - 1;
    localparam HEADER = FLIT_BITS;
    localparam TAIL = FLIT_BITS + 1;

    // Inputs.
    logic [PORTS-1:0] has_flit;
    logic [PORTS-1:0] has_header;
    logic [PORTS-1:0] has_tail;
    logic [PORTS*BITS-1:0] front_flit;
    logic [PORTS*PORTS-1:0] route;  // a set of one output per input
    genvar i, o;
    generate
        for (i = 0; i < PORTS; i = i + 1) begin : inputs
            flit_channel #(
                .FLIT_BITS(BITS),
                .LINK_CYCLES(i == NODE ? INJECTION_CYCLES : HOP_CYCLES),
                .BUFFER_FLITS(BUFFER_FLITS)
            ) channel (
                .clk(clk), .reset(reset), .put(in_put[i]), .put_flit(in_flit[i*BITS +: BITS]),
                .has_flit(has_flit[i]), .front_flit(front_flit[i*BITS +: BITS]), .take(in_credit[i])
            );
            logic [BITS-1:0] flit;
            assign flit = front_flit[i*BITS +: BITS];
            assign has_header[i] = has_flit[i] && flit[HEADER];
            assign has_tail[i] = has_flit[i] && flit[TAIL];

            dimension_order #(.DIMENSIONS(DIMENSIONS), .COORDINATE_BITS(COORDINATE_BITS)) router_of_header (
                .place(place), .destination(flit[DIMENSIONS*COORDINATE_BITS-1:0]), .route(route[i*PORTS +: PORTS])
            );
        end
    endgenerate

    // Outputs. Sets of inputs are numbered by output: bit o * PORTS + i is input i at output o.
    logic [PORTS*PORTS-1:0] owner;  // empty or a set of one
    logic [PORTS*PORTS-1:0] requests;
    logic [PORTS*PORTS-1:0] moves;
    logic [PORTS-1:0] holds;  // inputs that hold an output
    always_comb begin
        holds = '0;
        in_credit = '0;
        for (int output_port = 0; output_port < PORTS; output_port++) begin
            holds = holds | owner[output_port*PORTS +: PORTS];
            in_credit = in_credit | moves[output_port*PORTS +: PORTS];
        end
    end
    always_comb begin
        for (int output_port = 0; output_port < PORTS; output_port++) begin
            for (int input_port = 0; input_port < PORTS; input_port++) begin
                requests[output_port*PORTS+input_port] =
                    has_header[input_port] && !holds[input_port] && route[input_port*PORTS+output_port];
            end
        end
    end
    generate
        for (o = 0; o < PORTS; o = o + 1) begin : outputs
            localparam LINK_CYCLES = o == NODE ? EJECTION_CYCLES : HOP_CYCLES;
            logic has_credit;
            logic unused_has_all;
            logic [PORTS-1:0] winner;
            logic [PORTS-1:0] granted;
            logic [PORTS-1:0] holder;
            logic [PORTS-1:0] sender;
            logic is_free;
            channel_credits #(
                .CREDITS(BUFFER_FLITS + LINK_CYCLES - 1), .CREDIT_CYCLES(1)
            ) credits (
                .clk(clk), .reset(reset), .has_credit(has_credit), .has_all(unused_has_all),
                .send(out_put[o]), .returned(out_credit[o])
            );
            arbiter #(.INPUTS(PORTS), .ARBITRATION(0)) choice (
                .clk(clk), .reset(reset), .requests(requests[o*PORTS +: PORTS]), .winner(winner),
                .accepted(granted)
            );
            assign is_free = owner[o*PORTS +: PORTS] == '0;
            assign granted = is_free ? winner : '0;
            assign holder = is_free ? winner : owner[o*PORTS +: PORTS];
            assign sender = has_credit ? holder & has_flit : '0;
            assign moves[o*PORTS +: PORTS] = sender;
            always_ff @(posedge clk) begin
                if (reset) owner[o*PORTS +: PORTS] <= '0;
                else owner[o*PORTS +: PORTS] <= (sender & has_tail) != '0 ? '0 : holder;
            end

            // The crossbar. Without a flit its output is 0.
            logic [BITS-1:0] crossed;
            always_comb begin
                crossed = '0;
                for (int input_port = 0; input_port < PORTS; input_port++) begin
                    if (sender[input_port]) crossed = crossed | front_flit[input_port*BITS +: BITS];
                end
            end
            assign out_put[o] = sender != '0;
            assign out_flit[o*BITS +: BITS] = crossed;
        end
    endgenerate
endmodule
