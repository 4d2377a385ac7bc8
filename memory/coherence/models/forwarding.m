-- Model of one line at N caches, and at a home that forwards requests to the cache with the only copy (the owner). Channels
-- between a cache and the home, and between two caches, keep order (REORDER = 1: the second message may go first). There is no
-- order between channels. The owner answers the requester, and informs the home, which answers BUSY until then. A writer
-- receives the acknowledgements of invalidated copies itself, and waits for the number in its grant.
const
  N: @N@;            -- caches
  QD: @QD@;          -- capacity of a channel, in messages
  REORDER: @REORDER@;
  COUNTS: @COUNTS@;     -- 1: counts the requests that are served before a refused one, which adds states
  MOST: 2*N-2;       -- bound of that count: two requests of each other node
  FAULT: @FAULT@;    -- planted fault, or 0 for none.
                     -- 1: one INVR too few. 2: acknowledgements are not awaited. 3: a reply overtaken by its INVR is used.
                     -- 4: REPM is dropped while a request is forwarded. 5: requests are forwarded while another is open.
                     -- 6: INVR for an absent line is not acknowledged. 7: the line is given away before all acknowledgements.
                     -- 9: the home forgets refused nodes.
type
  NODE: 0..N-1;
  DATA: 0..1;
  CSTATE: enum {CI, CRO, CRW};
  TXN: enum {TNone, TRead, TWrite, TReadAgain, TWriteAgain, TOvertaken, TAcknowledged};
  CMD: enum {NoMsg, RREQ, WREQ, MREQ, REPM, SHARE, XFER, NACK, RDATA, WDATA, MODG, BUSY, FREAD, FWRITE, INVR, ACKR};
  MSG: record cmd: CMD; data: DATA; operand: 0..N; end; -- operand: the requester, or the number of acknowledgements
  FIFO: record n: 0..QD; m: array [0..QD-1] of MSG; end;
  HSTATE: enum {HRO, HRW, HForwardedRead, HForwardedWrite, HReturned};
var
  cache: array [NODE] of record state: CSTATE; data: DATA; txn: TXN; acks: -N..N; end;
  up: array [NODE] of FIFO;
  down: array [NODE] of FIFO;
  side: array [NODE] of array [NODE] of FIFO; -- channels between caches, by sender and receiver
  home: record state: HSTATE; data: DATA; requester: NODE; end;
  known: array [NODE] of boolean;  -- the home's pointers, one for each cache
  latest: DATA;                    -- ghost: value of the last store
  first: array [NODE] of boolean;       -- refused nodes, in two groups
  second: array [NODE] of boolean;
  is_forwarded: array [NODE] of boolean;   -- member of the first group whose request was forwarded
  was_refused: array [NODE] of boolean; -- ghosts for COUNTS = 1: the node's request was refused and not served yet,
  passed: array [NODE] of 0..MOST+1;    -- and the number of others served since

procedure clear_msg(var m: MSG); begin m.cmd := NoMsg; m.data := 0; m.operand := 0; end;
procedure send(var f: FIFO; c: CMD; d: DATA; o: 0..N);
begin
  assert "no room" f.n < QD;
  f.m[f.n].cmd := c; f.m[f.n].data := d; f.m[f.n].operand := o; f.n := f.n + 1;
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
begin if FAULT != 9 & (!first[i] | is_forwarded[i]) then second[i] := true; begin_group(); end; end;
procedure forget(i: NODE); begin first[i] := false; is_forwarded[i] := false; begin_group(); end;
procedure note_refused(i: NODE); begin if COUNTS = 1 then was_refused[i] := true; end; end;
procedure note_served(i: NODE);
begin
  was_refused[i] := false; passed[i] := 0;
  for j: NODE do if was_refused[j] & passed[j] <= MOST then passed[j] := passed[j] + 1; end; end;
end;
procedure serve(i: NODE); begin forget(i); note_served(i); end;
procedure refuse(i: NODE); begin remember(i); note_refused(i); send(down[i], BUSY, 0, 0); end;
function is_request(c: CMD): boolean; begin return c = RREQ | c = WREQ | c = MREQ; end;

-- processor side
ruleset i: NODE do
  -- between a miss and its request to the home, packets may arrive
  rule "load miss" cache[i].state = CI & cache[i].txn = TNone ==> cache[i].txn := TReadAgain; end;
  rule "store miss" cache[i].state != CRW & cache[i].txn = TNone ==> cache[i].txn := TWriteAgain; end;
  rule "ask" cache[i].txn = TReadAgain | cache[i].txn = TWriteAgain ==>
    if cache[i].txn = TReadAgain then send(up[i], RREQ, 0, 0); cache[i].txn := TRead;
    else if cache[i].state = CRO then send(up[i], MREQ, 0, 0); else send(up[i], WREQ, 0, 0); end; cache[i].txn := TWrite; end; end;
  rule "store hit" cache[i].state = CRW ==>
    latest := 1 - latest; cache[i].data := latest; end;
  rule "replace read-only" cache[i].state = CRO & cache[i].txn = TNone ==>
    cache[i].state := CI; cache[i].data := 0; end;
  rule "replace read-write" cache[i].state = CRW ==>
    send(up[i], REPM, cache[i].data, 0); cache[i].state := CI; cache[i].data := 0; end;
end;

-- the line may be written when all acknowledgements have arrived, some possibly before the grant
procedure granted(i: NODE; n: 0..N);
begin
  cache[i].acks := cache[i].acks + n;
  if cache[i].acks = 0 | FAULT = 2 then cache[i].acks := 0; cache[i].state := CRW; cache[i].txn := TNone;
  else cache[i].state := CRO; cache[i].txn := TAcknowledged; end;
end;
-- a forwarded request for this cache's only copy, which may have gone home, or not have arrived yet
procedure forwarded(i: NODE; r: NODE; writes: boolean);
begin
  if cache[i].state = CRW | (FAULT = 7 & cache[i].txn = TAcknowledged) then
    if writes then send(side[i][r], WDATA, cache[i].data, 0); send(up[i], XFER, 0, 0); cache[i].state := CI; cache[i].data := 0;
    else send(side[i][r], RDATA, cache[i].data, 0); send(up[i], SHARE, cache[i].data, 0); cache[i].state := CRO; end;
  else send(side[i][r], BUSY, 0, 0); send(up[i], NACK, 0, 0); end;
end;
procedure at_cache(i: NODE; m: MSG);
begin
  switch m.cmd
    case RDATA: assert "RDATA asked for" cache[i].txn = TRead | cache[i].txn = TOvertaken;
      if cache[i].txn = TOvertaken & FAULT != 3 then cache[i].txn := TReadAgain;
      else cache[i].state := CRO; cache[i].data := m.data; cache[i].txn := TNone; end;
    case WDATA: assert "WDATA asked for" cache[i].txn = TWrite; assert "no copy besides" cache[i].state = CI;
      cache[i].data := m.data; granted(i, m.operand);
    case MODG: assert "MODG asked for" cache[i].txn = TWrite; assert "MODG finds the copy" cache[i].state = CRO;
      granted(i, m.operand);
    case BUSY: assert "BUSY asked for" cache[i].txn = TRead | cache[i].txn = TWrite | cache[i].txn = TOvertaken;
      if cache[i].txn = TWrite then cache[i].txn := TWriteAgain; else cache[i].txn := TReadAgain; end;
    case FREAD: forwarded(i, m.operand, false);
    case FWRITE: forwarded(i, m.operand, true);
    case INVR: assert "the only copy stays" cache[i].state != CRW & cache[i].txn != TAcknowledged;
      if FAULT != 6 | cache[i].state = CRO then send(side[i][m.operand], ACKR, 0, 0); end;
      cache[i].state := CI; cache[i].data := 0;
      if cache[i].txn = TRead then cache[i].txn := TOvertaken; end;
    case ACKR: assert "ACKR waited for" FAULT = 2 | cache[i].txn = TWrite | cache[i].txn = TAcknowledged;
      cache[i].acks := cache[i].acks - 1;
      if cache[i].txn = TAcknowledged & cache[i].acks = 0 then cache[i].state := CRW; cache[i].txn := TNone; end;
    else assert "unexpected at cache" false;
  end;
end;
ruleset i: NODE; k: 0..1 do
  rule "cache packet of the home" k < QD & k < down[i].n & (k = 0 | REORDER = 1) ==>
  var m: MSG; begin m := down[i].m[k]; take(down[i], k); at_cache(i, m); end;
end;
ruleset i: NODE; j: NODE; k: 0..1 do
  rule "cache packet of a cache" k < QD & k < side[j][i].n & (k = 0 | REORDER = 1) ==>
  var m: MSG; begin m := side[j][i].m[k]; take(side[j][i], k); at_cache(i, m); end;
end;

-- the home
procedure forward(r: NODE; c: CMD; s: HSTATE);
begin
  for j: NODE do if known[j] then assert "owner asks" j != r; send(down[j], c, 0, r); end; end;
  home.requester := r; home.state := s;
  if FAULT != 9 then first[r] := true; end; -- r stays in it until served, since the owner may not have the line
  is_forwarded[r] := true;
end;
procedure grant(r: NODE; modifies: boolean);
var n: 0..N; spared: boolean; had: boolean;
begin
  n := 0; spared := false; had := known[r];
  for j: NODE do
    if j != r & known[j] then
      if FAULT = 1 & !spared then spared := true;
      else send(down[j], INVR, 0, r); n := n + 1; end;
    end;
    known[j] := j = r;
  end;
  if modifies & had then send(down[r], MODG, 0, n); else send(down[r], WDATA, home.data, n); end;
  home.state := HRW;
end;
procedure settle(s: HSTATE); begin home.state := s; home.requester := 0; end;
procedure nobody(); begin for j: NODE do known[j] := false; end; end;

ruleset i: NODE; k: 0..1 do
  rule "home packet" k < QD & k < up[i].n & (k = 0 | REORDER = 1) ==>
  var m: MSG;
  begin
    m := up[i].m[k]; take(up[i], k);
    if is_request(m.cmd) & ((home.state != HRO & home.state != HRW & (FAULT != 5 | m.cmd = MREQ)) | !may_serve(i)) then
      refuse(i);
    else
    switch home.state
    case HRO:
      switch m.cmd
        case RREQ: known[i] := true; send(down[i], RDATA, home.data, 0); serve(i);
        case WREQ: grant(i, false); serve(i);
        case MREQ: grant(i, true); serve(i);
        else assert "unexpected in Read-Only" false;
      end;
    case HRW:
      switch m.cmd
        case RREQ: forward(i, FREAD, HForwardedRead);
        case WREQ: forward(i, FWRITE, HForwardedWrite);
        case MREQ: forward(i, FWRITE, HForwardedWrite);
        case REPM: assert "owner replaces" known[i]; home.data := m.data; nobody(); home.state := HRO;
        else assert "unexpected in Read-Write" false;
      end;
    else
      switch m.cmd
        case RREQ: forward(i, FREAD, home.state);
        case WREQ: forward(i, FWRITE, home.state);
        case REPM: assert "one line comes back" home.state != HReturned;
          if FAULT != 4 then home.data := m.data; end; nobody(); home.state := HReturned;
        case SHARE: assert "SHARE for a reader" home.state = HForwardedRead;
          serve(home.requester); home.data := m.data; known[home.requester] := true; settle(HRO);
        case XFER: assert "XFER for a writer" home.state = HForwardedWrite | home.state = HReturned;
          serve(home.requester);
          if home.state = HReturned then settle(HRO);
          else nobody(); known[home.requester] := true; settle(HRW); end;
        case NACK: second[home.requester] := false; is_forwarded[home.requester] := false; note_refused(home.requester); settle(home.state = HReturned ? HRO : HRW);
        else assert "unexpected while forwarded" false;
      end;
    end;
    end;
  end;
end;

startstate
  for i: NODE do
    cache[i].state := CI; cache[i].data := 0; cache[i].txn := TNone; cache[i].acks := 0; known[i] := false;
    first[i] := false; second[i] := false; is_forwarded[i] := false; was_refused[i] := false; passed[i] := 0;
    up[i].n := 0; down[i].n := 0;
    for k := 0 to QD-1 do clear_msg(up[i].m[k]); clear_msg(down[i].m[k]); end;
    for j: NODE do side[i][j].n := 0; for k := 0 to QD-1 do clear_msg(side[i][j].m[k]); end; end;
  end;
  latest := 0; home.state := HRO; home.data := 0; home.requester := 0;
end;

invariant "one writer or many readers"
  forall i: NODE do forall j: NODE do i != j & cache[i].state = CRW -> cache[j].state = CI end end;
invariant "a copy holds what was stored last"
  forall i: NODE do cache[i].state != CI -> cache[i].data = latest end;
invariant "every copy is known to the home, or about to go"
  forall i: NODE do cache[i].state = CI | known[i] | (home.state != HRO & home.state != HRW)
    | exists k: 0..QD-1 do down[i].m[k].cmd = INVR end end;
invariant "no refused request sees too many others served"
  forall i: NODE do passed[i] <= MOST end;
invariant "the home remembers whom it has refused"
  forall i: NODE do forall k: 0..QD-1 do COUNTS = 0 & down[i].m[k].cmd = BUSY -> first[i] | second[i] end end;
liveness "every transaction can end" forall i: NODE do cache[i].txn = TNone end;
liveness "the home can go on" home.state = HRO | home.state = HRW;
