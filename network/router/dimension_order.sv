// Route of a header in a mesh by dimension order, lowest dimension first; part of the twins of
// routers. Outputs are numbered as in wormhole_router.sv: 2d leads to the next higher coordinate of
// dimension d, 2d + 1 to the next lower one, and the last output to the node.

module dimension_order #(
    parameter DIMENSIONS = 2,
    parameter COORDINATE_BITS = 3
) (
    input  logic [DIMENSIONS*COORDINATE_BITS-1:0] place,        // the router's coordinates
    input  logic [DIMENSIONS*COORDINATE_BITS-1:0] destination,  // lowest dimension in the lowest bits
    output logic [2*DIMENSIONS:0] route                         // a set of one output
);
    // The first dimension whose coordinates differ.
    always_comb begin
        route = '0;
        route[2*DIMENSIONS] = 1'b1;
        for (int d = DIMENSIONS - 1; d >= 0; d--) begin
            if (destination[d*COORDINATE_BITS +: COORDINATE_BITS] > place[d*COORDINATE_BITS +: COORDINATE_BITS]) begin
                route = '0;
                route[2*d] = 1'b1;
            end else if (destination[d*COORDINATE_BITS +: COORDINATE_BITS] < place[d*COORDINATE_BITS +: COORDINATE_BITS]) begin
                route = '0;
                route[2*d+1] = 1'b1;
            end
        end
    end
endmodule
