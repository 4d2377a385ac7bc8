// A first-in first-out memory: a ring of items. Part of byte_queue.sv.
//
// In a cycle: it shows the POP oldest items. It takes up to PUSH items, and drops any number of
// them; both show from the next cycle on. The owner counts the items.
//
// Hardware: banks of rows. A push or a read of several items takes one cycle wherever it begins:
// the items are rotated to their banks, and each bank reads or writes one row.
module item_ring #(
    parameter ITEM_BITS = 8,
    parameter ITEMS = 256,  // most items
    parameter PUSH = 2,     // most items pushed in a cycle
    parameter POP = 2,      // items shown at the head
    parameter COUNT_BITS = 9
) (
    input  logic                      clk,
    input  logic                      reset,
    input  logic [COUNT_BITS-1:0]     push,  // number of items, at most PUSH
    input  logic [PUSH*ITEM_BITS-1:0] pushed,
    input  logic [COUNT_BITS-1:0]     pop,   // number of items
    output logic [POP*ITEM_BITS-1:0]  front
);
  localparam WIDEST = PUSH > POP ? PUSH : POP;
  localparam BANK_BITS = WIDEST > 2 ? $clog2(WIDEST) : 1;
  localparam BANKS = 1 << BANK_BITS;
  localparam ROWS = (ITEMS + BANKS - 1) / BANKS;
  localparam ROW_BITS = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam PLACE_BITS = $clog2(ROWS * BANKS);
  // Wide enough for a place plus a number of items.
  localparam SUM_BITS = (COUNT_BITS > PLACE_BITS ? COUNT_BITS : PLACE_BITS) + 1;
  localparam [SUM_BITS-1:0] PLACES = SUM_BITS'(ROWS * BANKS);
  localparam BITS = BANKS * ITEM_BITS;

  logic [PLACE_BITS-1:0] head, tail;

  function automatic [PLACE_BITS-1:0] advanced(input logic [PLACE_BITS-1:0] place,
                                               input logic [COUNT_BITS-1:0] count);
    logic [SUM_BITS-1:0] sum;
    sum = SUM_BITS'(place) + SUM_BITS'(count);
    advanced = PLACE_BITS'(sum >= PLACES ? sum - PLACES : sum);
  endfunction

  always_ff @(posedge clk) begin
    if (reset) begin
      head <= '0;
      tail <= '0;
    end else begin
      head <= advanced(head, pop);
      tail <= advanced(tail, push);
    end
  end

  wire [BANK_BITS-1:0] head_bank = head[BANK_BITS-1:0];
  wire [BANK_BITS-1:0] tail_bank = tail[BANK_BITS-1:0];
  wire [ROW_BITS-1:0] head_row = ROW_BITS'(head >> BANK_BITS);
  wire [ROW_BITS-1:0] tail_row = ROW_BITS'(tail >> BANK_BITS);
  wire [ROW_BITS-1:0] head_row_after = head_row == ROW_BITS'(ROWS - 1) ? '0 : head_row + 1'b1;
  wire [ROW_BITS-1:0] tail_row_after = tail_row == ROW_BITS'(ROWS - 1) ? '0 : tail_row + 1'b1;

  // Rotations by a number of banks, in stages of powers of two.
  logic [BITS-1:0] to_banks, from_banks;
  wire [BITS-1:0] rows_read;
  always_comb begin
    to_banks = BITS'(pushed);
    from_banks = rows_read;
    for (int s = 0; s < BANK_BITS; s = s + 1) begin
      if (tail_bank[s])
        to_banks = to_banks << (ITEM_BITS << s) | to_banks >> (BITS - (ITEM_BITS << s));
      if (head_bank[s])
        from_banks = from_banks >> (ITEM_BITS << s) | from_banks << (BITS - (ITEM_BITS << s));
    end
  end
  assign front = from_banks[POP*ITEM_BITS-1:0];

  for (genvar b = 0; b < BANKS; b = b + 1) begin : bank
    logic [ITEM_BITS-1:0] rows [0:ROWS-1];
    // Distance of this bank from the bank of the tail, or of the head; the highest bit says that
    // the bank's turn is one row later.
    wire [BANK_BITS:0] from_tail = (BANK_BITS+1)'(b) - {1'b0, tail_bank};
    wire [BANK_BITS:0] from_head = (BANK_BITS+1)'(b) - {1'b0, head_bank};
    wire [ROW_BITS-1:0] row = from_tail[BANK_BITS] ? tail_row_after : tail_row;
    always_ff @(posedge clk) begin
      if (COUNT_BITS'(from_tail[BANK_BITS-1:0]) < push)
        rows[row] <= to_banks[b*ITEM_BITS +: ITEM_BITS];
    end
    assign rows_read[b*ITEM_BITS +: ITEM_BITS] =
        rows[from_head[BANK_BITS] ? head_row_after : head_row];
  end
endmodule
