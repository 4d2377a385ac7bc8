-- Model of one line at N caches, with the channels between each cache and the line's home. Channels keep order (REORDER = 1:
-- the second message may go first). models/check appends the file of a protocol, which has the home and its reactions.
const
  N: @N@;            -- caches
  P: @P@;            -- hardware pointers
  QD: @QD@;          -- capacity of a channel, in messages
  BLOCKING: @BLOCKING@;   -- 1: a sender waits for room; 0: no room is an error
  REORDER: @REORDER@;
  EVICTS: @EVICTS@;     -- 1: a reader without a free pointer takes that of another reader; 0: software handles it
  COUNTS: @COUNTS@;     -- 1: counts the requests that are served before a refused one, which adds states
  MOST: 2*N-2;       -- bound of that count: two requests of each other node
  FAULT: @FAULT@;    -- planted fault, or 0 for none.
                     -- 1: one INV too few. 2: the last ACKC is not awaited. 3: WREQ does not trap in Trap-On-Write.
                     -- 4: REPM is dropped while copies are taken. 5: requests are not answered BUSY while software runs.
                     -- 6: INV for an absent line is not acknowledged. 7: software forgets the known readers.
                     -- 9: the home forgets refused nodes.
type
  NODE: 0..N-1;
  DATA: 0..1;
  CSTATE: enum {CI, CRO, CRW};
  TXN: enum {TNone, TRead, TWrite, TReadAgain, TWriteAgain};
  CMD: enum {NoMsg, RREQ, WREQ, MREQ, REPM, UPDATE, ACKC, RDATA, WDATA, MODG, INV, BUSY};
  MSG: record cmd: CMD; data: DATA; end;
  FIFO: record n: 0..QD; m: array [0..QD-1] of MSG; end;
var
  cache: array [NODE] of record state: CSTATE; data: DATA; txn: TXN; end;
  up: array [NODE] of FIFO;
  down: array [NODE] of FIFO;
  latest: DATA;                   -- ghost: value of the last store
  first: array [NODE] of boolean;       -- refused nodes, in two groups
  second: array [NODE] of boolean;
  was_refused: array [NODE] of boolean; -- ghosts for COUNTS = 1: the node's request was refused and not served yet,
  passed: array [NODE] of 0..MOST+1;    -- and the number of others served since

procedure clear_msg(var m: MSG); begin m.cmd := NoMsg; m.data := 0; end;
procedure send(var f: FIFO; c: CMD; d: DATA);
begin
  assert "no room" f.n < QD;
  f.m[f.n].cmd := c; f.m[f.n].data := d; f.n := f.n + 1;
end;
procedure take(var f: FIFO; k: 0..QD-1);
begin
  for i := 0 to QD-2 do if i >= k & i < f.n - 1 then f.m[i] := f.m[i+1]; end; end;
  clear_msg(f.m[f.n-1]); f.n := f.n - 1;
end;
-- Refused nodes: only those of the first group are served, in any order; then the second group becomes the first.
procedure begin_group();
begin
  if forall j: NODE do !first[j] end then
    for j: NODE do first[j] := second[j]; second[j] := false; end;
  end;
end;
function may_serve(i: NODE): boolean; begin return first[i] | forall j: NODE do !first[j] end; end;
procedure remember(i: NODE);
begin if FAULT != 9 & !first[i] then second[i] := true; begin_group(); end; end;
procedure forget(i: NODE); begin first[i] := false; begin_group(); end;
procedure note_refused(i: NODE); begin if COUNTS = 1 then was_refused[i] := true; end; end;
procedure note_served(i: NODE);
begin
  was_refused[i] := false; passed[i] := 0;
  for j: NODE do if was_refused[j] & passed[j] <= MOST then passed[j] := passed[j] + 1; end; end;
end;
procedure refuse(i: NODE); begin remember(i); note_refused(i); send(down[i], BUSY, 0); end;
procedure serve(i: NODE); begin forget(i); note_served(i); end;
function is_request(c: CMD): boolean; begin return c = RREQ | c = WREQ | c = MREQ; end;
function room_down(): boolean;
begin return BLOCKING = 0 | forall i: NODE do down[i].n < QD end; end;
function room_up(i: NODE): boolean; begin return BLOCKING = 0 | up[i].n < QD; end;

-- processor side
ruleset i: NODE do
  rule "load miss" cache[i].state = CI & cache[i].txn = TNone & room_up(i) ==>
    send(up[i], RREQ, 0); cache[i].txn := TRead; end;
  rule "store miss" cache[i].state != CRW & cache[i].txn = TNone & room_up(i) ==>
    if cache[i].state = CRO then send(up[i], MREQ, 0); else send(up[i], WREQ, 0); end; cache[i].txn := TWrite; end;
  rule "again" (cache[i].txn = TReadAgain | cache[i].txn = TWriteAgain) & room_up(i) ==>
    if cache[i].txn = TReadAgain then send(up[i], RREQ, 0); cache[i].txn := TRead;
    else if cache[i].state = CRO then send(up[i], MREQ, 0); else send(up[i], WREQ, 0); end; cache[i].txn := TWrite; end; end;
  rule "store hit" cache[i].state = CRW ==>
    latest := 1 - latest; cache[i].data := latest; end;
  rule "replace read-only" cache[i].state = CRO & cache[i].txn = TNone ==>
    cache[i].state := CI; cache[i].data := 0; end;
  rule "replace read-write" cache[i].state = CRW & room_up(i) ==>
    send(up[i], REPM, cache[i].data); cache[i].state := CI; cache[i].data := 0; end;
end;

-- reaction of a cache to the packet at the head of its channel
ruleset i: NODE; k: 0..1 do
  rule "cache packet" k < QD & k < down[i].n & (k = 0 | REORDER = 1)
      & (down[i].m[k].cmd != INV | room_up(i)) ==>
  var m: MSG;
  begin
    m := down[i].m[k]; take(down[i], k);
    switch m.cmd
      case RDATA: assert "RDATA asked for" cache[i].txn = TRead;
        cache[i].state := CRO; cache[i].data := m.data; cache[i].txn := TNone;
      case WDATA: assert "WDATA asked for" cache[i].txn = TWrite;
        cache[i].state := CRW; cache[i].data := m.data; cache[i].txn := TNone;
      case MODG: assert "MODG asked for" cache[i].txn = TWrite; assert "MODG finds the copy" cache[i].state = CRO;
        cache[i].state := CRW; cache[i].txn := TNone;
      case BUSY: assert "BUSY asked for" cache[i].txn = TRead | cache[i].txn = TWrite;
        if cache[i].txn = TRead then cache[i].txn := TReadAgain; else cache[i].txn := TWriteAgain; end;
      case INV:
        if cache[i].state = CRW then send(up[i], UPDATE, cache[i].data);
        elsif FAULT != 6 | cache[i].state = CRO then send(up[i], ACKC, 0); end;
        cache[i].state := CI; cache[i].data := 0;
      else assert "unexpected at cache" false;
    end;
  end;
end;

procedure no_copies();
begin
  for i: NODE do
    cache[i].state := CI; cache[i].data := 0; cache[i].txn := TNone;
    first[i] := false; second[i] := false; was_refused[i] := false; passed[i] := 0;
    up[i].n := 0; down[i].n := 0;
    for k := 0 to QD-1 do clear_msg(up[i].m[k]); clear_msg(down[i].m[k]); end;
  end;
  latest := 0;
end;

invariant "one writer or many readers"
  forall i: NODE do forall j: NODE do i != j & cache[i].state = CRW -> cache[j].state = CI end end;
invariant "a copy holds what was stored last"
  forall i: NODE do cache[i].state != CI -> cache[i].data = latest end;
invariant "no refused request sees too many others served"
  forall i: NODE do passed[i] <= MOST end;
invariant "the home remembers whom it has refused"
  forall i: NODE do forall k: 0..QD-1 do COUNTS = 0 & down[i].m[k].cmd = BUSY -> first[i] | second[i] end end;
liveness "every transaction can end" forall i: NODE do cache[i].txn = TNone end;
