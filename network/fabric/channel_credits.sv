// Twin of flit_channel.h at the sender's side: the count of its credits. The credit of a flit that
// the receiver takes in cycle t can be used from t + CREDIT_CYCLES on.

module channel_credits #(
    parameter CREDITS = 4,       // slots and link registers of the channel
    parameter CREDIT_CYCLES = 1  // network.credit_cycles
) (
    input  logic clk,
    input  logic reset,
    output logic has_credit,
    output logic has_all,  // the channel is empty, and all its credits have come back
    input  logic send,     // a flit enters the link in this cycle
    input  logic returned  // a flit leaves the buffer in this cycle
);
    localparam COUNT_BITS = $clog2(CREDITS + 1);

    logic comes_back;
    generate
        if (CREDIT_CYCLES == 1) begin : wires
            assign comes_back = returned;
        end else begin : way_back
            logic [CREDIT_CYCLES-2:0] registers;
            always_ff @(posedge clk) begin
                if (reset) registers <= '0;
                else registers <= (CREDIT_CYCLES-1)'({registers, returned});
            end
            assign comes_back = registers[CREDIT_CYCLES-2];
        end
    endgenerate

    logic [COUNT_BITS-1:0] count;
    assign has_credit = count != '0;
    assign has_all = count == COUNT_BITS'(CREDITS);
    always_ff @(posedge clk) begin
        if (reset) count <= COUNT_BITS'(CREDITS);
        else if (comes_back && !send) count <= count + 1'b1;
        else if (send && !comes_back) count <= count - 1'b1;
    end
endmodule
