/** Makes a live row final. The caller has checked the lease, or found that it ran out. */
export const endTurn = `
local function answer_parent(session, turn)
  if session.waiting == 0 or not turn.parent then return end
  local parent = load_turn(turn.parent)
  if parent and parent.ordinal == turn.parent_ordinal and parent.waiting then
    parent.waiting = false
    session.waiting = session.waiting - 1
    save_turn(parent)
  end
end
local function leave_session(session, turn)
  if session.active == turn.id then session.active = false end
  for index, ordinal in ipairs(session.live) do
    if ordinal == turn.ordinal then return table.remove(session.live, index) end
  end
end
local function become_resumable(session, turn)
  turn.resumable = true
  if turn.trunk ~= session.head then session.forked = true end
  if not session.head or session.head_ordinal < turn.ordinal then
    session.head, session.head_ordinal = turn.id, turn.ordinal
  end
end
local function keep_outcome(turn, outcome)
  if turn.kind then del('p' .. turn.slot) end
  if outcome.kind == '-' then
    turn.kind, turn.figures = false, false
    -- The input: only a claim asks for it.
    del('s' .. turn.slot)
  else
    turn.kind, turn.figures = outcome.kind, outcome.figures
    set('s' .. turn.slot, outcome.json)
    set_link(turn, outcome.kind)
  end
end
local function end_turn(session, turn, outcome, heads, epoch)
  turn.epoch, turn.status, turn.result = epoch, outcome.status, outcome.result
  turn.heartbeat_at, turn.writer, turn.replaced = false, false, false
  keep_outcome(turn, outcome)
  add_events(turn, outcome.list, outcome.before, outcome.count)
  turn.waiting = outcome.waiting
  if turn.waiting then session.waiting = session.waiting + 1 end
  if turn.status == 'c' then answer_parent(session, turn) end
  leave_session(session, turn)
  local newest = NEWEST[turn.status]
  if session[newest] < turn.ordinal then session[newest] = turn.ordinal end
  if string.find(heads, turn.status, 1, true) then become_resumable(session, turn) end
  touch(turn)
  changed_session = session
end
`;
