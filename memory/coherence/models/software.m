-- Home of a line without hardware pointers; follows caches.m. The last cache is the home's own. The home's hardware serves the
-- line until another node requests it. After that all packets go to software, in order, one by one. Hardware only answers BUSY,
-- while a request is in software and while copies are being taken.
const
  HOME: N-1;
  TQ: N+2;                        -- capacity of the queue of packets that wait for software
type
  HSTATE: enum {HHomeReads, HHomeWrites, HInSoftware, HTrapAlways, HTransaction};
var
  home: record state: HSTATE; data: DATA; has_copy: boolean; end;
  traps: record n: 0..TQ; cmd: array [0..TQ-1] of CMD; from: array [0..TQ-1] of NODE; end;
  -- state of software: nodes with copies, whether the one copy may be written, and requester and request of a transaction
  sw: array [NODE] of boolean;
  owned: boolean;
  asking: NODE;
  asks: CMD;
  acks: 0..N;

procedure trap(c: CMD; i: NODE);
begin
  assert "no room for a trap" traps.n < TQ;
  traps.cmd[traps.n] := c; traps.from[traps.n] := i; traps.n := traps.n + 1;
end;
procedure no_readers(); begin for j: NODE do sw[j] := false; end; end;

-- software's answer to a request
procedure answer(c: CMD; r: NODE);
begin
  if FAULT != 7 then sw[r] := true; end;
  owned := c != RREQ;
  if c = RREQ then send(down[r], RDATA, home.data);
  elsif c = MREQ then send(down[r], MODG, 0);
  else send(down[r], WDATA, home.data); end;
  home.state := HTrapAlways;
end;

-- software's reaction to a request; a line that only the home had may have been written by the home
procedure begin_request(c: CMD; r: NODE);
var n: 0..N; spared: boolean;
begin
  if home.has_copy then sw[HOME] := true; owned := true; home.has_copy := false; end;
  n := 0; spared := false;
  if owned | c != RREQ then
    for j: NODE do
      if j != r & sw[j] then
        if FAULT = 1 & !spared then spared := true;
        else send(down[j], INV, 0); n := n + 1; end;
      end;
    end;
    no_readers();
  end;
  if n = 0 | FAULT = 2 then answer(c, r);
  else owned := false; asking := r; asks := c; acks := n; home.state := HTransaction; end;
end;

-- reaction of the directory to a packet
ruleset i: NODE; k: 0..1 do
  rule "home packet" k < QD & k < up[i].n & (k = 0 | REORDER = 1) & room_down() ==>
  var m: MSG;
  begin
    m := up[i].m[k]; take(up[i], k);
    if is_request(m.cmd) & home.state = HInSoftware & FAULT = 5 then -- planted fault: queued behind the packet in software
    elsif is_request(m.cmd) & (home.state = HInSoftware | home.state = HTransaction | !may_serve(i)) then refuse(i);
    else
    if is_request(m.cmd) then serve(i); end;
    switch home.state
    case HHomeReads:
      switch m.cmd
        case RREQ:
          if i = HOME then home.has_copy := true; send(down[i], RDATA, home.data);
          else home.state := HInSoftware; trap(RREQ, i); end;
        case WREQ:
          if i = HOME then home.has_copy := true; home.state := HHomeWrites; send(down[i], WDATA, home.data);
          else home.state := HInSoftware; trap(WREQ, i); end;
        case MREQ: assert "MREQ of a reader" i = HOME & home.has_copy;
          home.state := HHomeWrites; send(down[i], MODG, 0);
        else assert "unexpected while the home reads" false;
      end;
    case HHomeWrites:
      switch m.cmd
        case RREQ: assert "owner asks" i != HOME; home.state := HInSoftware; trap(RREQ, i);
        case WREQ: assert "owner asks" i != HOME; home.state := HInSoftware; trap(WREQ, i);
        case REPM: assert "owner replaces" i = HOME;
          home.data := m.data; home.has_copy := false; home.state := HHomeReads;
        else assert "unexpected while the home writes" false;
      end;
    case HInSoftware:
      switch m.cmd
        case REPM: home.data := m.data; trap(REPM, i);
        else assert "unexpected in software" false;
      end;
    case HTrapAlways:
      switch m.cmd
        case RREQ: home.state := HInSoftware; trap(RREQ, i);
        case WREQ: home.state := HInSoftware; trap(WREQ, i);
        case MREQ: home.state := HInSoftware; trap(MREQ, i);
        case REPM: home.data := m.data; trap(REPM, i);
        else assert "unexpected in Trap-Always" false;
      end;
    case HTransaction:
      switch m.cmd
        case REPM: if FAULT != 4 then home.data := m.data; trap(REPM, i); end;
        case UPDATE: home.data := m.data; trap(UPDATE, i);
        case ACKC: trap(ACKC, i);
        else assert "unexpected in the software's transaction" false;
      end;
    end;
    end;
  end;
end;

-- software handles the packet that came first
rule "software" traps.n > 0 & room_down() ==>
var c: CMD; i: NODE; r: NODE; a: CMD;
begin
  c := traps.cmd[0]; i := traps.from[0];
  for k := 0 to TQ-2 do if k < traps.n - 1 then traps.cmd[k] := traps.cmd[k+1]; traps.from[k] := traps.from[k+1]; end; end;
  traps.n := traps.n - 1; traps.cmd[traps.n] := NoMsg; traps.from[traps.n] := 0;
  switch c
    case REPM: -- if the copy is being taken, the following ACKC counts instead
      if acks = 0 then assert "owner replaces" owned & sw[i]; owned := false; sw[i] := false; end;
    case ACKC, UPDATE: assert "an answer that software waits for" acks > 0;
      acks := acks - 1;
      if acks = 0 then r := asking; a := asks; asking := 0; asks := NoMsg; answer(a, r); end;
    else assert "the owner does not ask" acks = 0 & !(owned & sw[i]); begin_request(c, i);
  end;
end;

startstate
  no_copies(); no_readers();
  home.state := HHomeReads; home.data := 0; home.has_copy := false;
  traps.n := 0; for k := 0 to TQ-1 do traps.cmd[k] := NoMsg; traps.from[k] := 0; end;
  owned := false; asking := 0; asks := NoMsg; acks := 0;
end;

invariant "every copy is known to the home"
  forall i: NODE do cache[i].state = CI | sw[i] | (i = HOME & home.has_copy) | home.state = HTransaction end;
liveness "the software can end" traps.n = 0;
