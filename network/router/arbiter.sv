// Twin of arbiter.h: chooses the winner among the requests of a cycle.
//
//   ARBITRATION  network.arbitration    first request
//   0            round_robin            the next one after the last winner
//   1            skewed_round_robin     the next but one after the last winner
//   2            fixed                  the lowest one
//
// Sets have a bit per input, and a winner is a set of one. In a cycle the winner depends on the
// requests and the register. At the clock edge the register takes the input that its user has
// accepted, if any: a winner that is not accepted does not move the order. At first the last winner
// is input 0; for skewed_round_robin it is the last input.

module arbiter #(
    parameter INPUTS = 5,
    parameter ARBITRATION = 0
) (
    input  logic clk,
    input  logic reset,
    input  logic [INPUTS-1:0] requests,
    output logic [INPUTS-1:0] winner,   // empty without requests
    input  logic [INPUTS-1:0] accepted  // in this cycle; empty or a set of one
);
    localparam [INPUTS-1:0] ONE = INPUTS'(1);

    logic [INPUTS-1:0] preferred;
    logic [INPUTS-1:0] chosen;
    assign chosen = preferred != '0 ? preferred : requests;
    assign winner = chosen & (~chosen + ONE);
    generate
        if (ARBITRATION == 2) begin : fixed
            logic unused;
            assign unused = &{1'b0, clk, reset, accepted};
            assign preferred = requests;
        end else begin : in_turn
            logic [INPUTS-1:0] last;  // the input before the first one
            assign preferred = requests & ~(last | (last - ONE));
            always_ff @(posedge clk) begin
                if (reset) last <= ONE;
                else if (accepted != '0)
                    last <= ARBITRATION == 1 ? INPUTS'({accepted, accepted[INPUTS-1]}) : accepted;
            end
        end
    endgenerate
endmodule
