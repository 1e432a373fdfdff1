import { LAST_WRITE_KEPT_MS } from '../../domain/foundation/last-writes.ts';

/** A Lua script and the name that the client knows it by. Keys and arguments are those of one run. */
export interface Script {
  name: string;
  /** Whether the texts of the answer are bytes. */
  isBinary?: true;
  lua: string;
}

/** Keys and arguments of one run of a script; all keys must share a hash slot. */
export interface ScriptRun {
  keys: string[];
  args: (string | number | Buffer)[];
}

/** Redis deletes an expired record this long after its expiry; until then our clock alone decides what is visible. */
const GRACE_MS = 60_000;

/** Expired records that one write deletes, and that one list deletes before it counts ranks. */
const WRITE_SWEEP = 10;
const LIST_SWEEP = 500;

const COMMON = `
local function head(text)
  local r, c, u, x, at = string.match(text, '^(%S+) (%S+) (%S+) (%S+) ()')
  return { r = r, c = c, u = u, x = x, body = string.sub(text, at) }
end
local function dead(record, now)
  return record.x ~= '-' and tonumber(record.x) <= now
end
local function ttl(expiry, now)
  return string.format('%d', math.max(math.ceil(expiry - now), 0) + ${GRACE_MS})
end
local function successor(record, at, expiry)
  if expiry ~= '' then record.x = expiry end
  if at > tonumber(record.u) then record.u = string.format('%.17g', at) end
  record.r = string.format('%d', record.r + 1)
  return record.r .. ' ' .. record.c .. ' ' .. record.u .. ' ' .. record.x
end
local now = tonumber(ARGV[1])
`;

const KEEP_SINGLE = `
local function keep(text, x)
  if x == '-' then redis.call('SET', KEYS[1], text)
  else redis.call('SET', KEYS[1], text, 'PX', ttl(tonumber(x), now)) end
end
`;
const SINGLE = `${COMMON}${KEEP_SINGLE}
local old = redis.call('GET', KEYS[1])
if old then old = head(old) end
`;

/** KEYS record; ARGV now, expiry or -, text. 1 when inserted, 0 when a live record is there. */
export const INSERT_SINGLE: Script = {
  name: 'insertSingle',
  lua: `${SINGLE}
if old and not dead(old, now) then return 0 end
keep(ARGV[3], ARGV[2])
return 1`,
};

/** KEYS record; ARGV now, revision, expiry or '', body. The new head, or nil when the revision differs or the record does not exist. */
export const REPLACE_SINGLE: Script = {
  name: 'replaceSingle',
  lua: `${SINGLE}
if not old or dead(old, now) or old.r ~= ARGV[2] then return false end
local new = successor(old, now, ARGV[3])
keep(new .. ' ' .. ARGV[4], old.x)
return new`,
};

/** KEYS record; ARGV now, expiry or -, text. Stores a record unchanged; 1 when that changed the database. */
export const PUT_SINGLE: Script = {
  name: 'putSingle',
  lua: `${COMMON}${KEEP_SINGLE}
if redis.call('GET', KEYS[1]) == ARGV[3] then return 0 end
keep(ARGV[3], ARGV[2])
return 1`,
};

/** KEYS record; ARGV the text as it was read, text. 1 when the record had that text and has the new one; its expiry remains. */
export const SWAP_SINGLE: Script = {
  name: 'swapSingle',
  lua: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1`,
};

/** KEYS records of a group; ARGV id, the text as it was read, text. 1 when the record had that text and has the new one. */
export const SWAP_LISTED: Script = {
  name: 'swapListed',
  lua: `if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`,
};

const GROUP = `${COMMON}
local records, byId, byCreated, byUpdated, byExpiry, lastWrite = unpack(KEYS)
local function drop(...)
  redis.call('HDEL', records, ...)
  for index = 2, 5 do redis.call('ZREM', KEYS[index], ...) end
end
local function sweep(count)
  local due = redis.call('ZRANGE', byExpiry, '-inf', string.format('%.17g', now), 'BYSCORE', 'LIMIT', 0, count)
  if #due > 0 then drop(unpack(due)) end
  return #due
end
-- The keys of a parent whose every record expires get an expiry themselves, since no later write may delete them.
local function settle()
  local expiring = redis.call('ZCARD', byExpiry)
  if expiring > 0 and expiring == redis.call('ZCARD', byId) then
    local last = redis.call('ZRANGE', byExpiry, -1, -1, 'WITHSCORES')[2]
    for index = 1, 5 do redis.call('PEXPIRE', KEYS[index], ttl(tonumber(last), now)) end
  elseif redis.call('PTTL', byId) >= 0 then
    for index = 1, 5 do redis.call('PERSIST', KEYS[index]) end
  end
end
local function keep(id, text, x)
  redis.call('HSET', records, id, text)
  if x == '-' then redis.call('ZREM', byExpiry, id) else redis.call('ZADD', byExpiry, x, id) end
end
local function find(id)
  local text = redis.call('HGET', records, id)
  return text and head(text)
end
`;

/** `stamp` returns the time of a write: later than all other writes to the parent, removed records included. */
const STAMP = `
local function stamp()
  local at = now
  local newest = redis.call('ZRANGE', byUpdated, -1, -1, 'WITHSCORES')[2]
  if newest then at = math.max(at, newest + 1) end
  local last = redis.call('GET', lastWrite)
  if last then at = math.max(at, head(last).u + 1) end
  local expiry = at + ${LAST_WRITE_KEPT_MS}
  local text = string.format('1 %.17g %.17g %.17g %.17g', at, at, expiry, at)
  redis.call('SET', lastWrite, text, 'PX', ttl(expiry, now))
  return at
end
`;

const ADD = `
local function add(id, x, text, created, updated)
  keep(id, text, x)
  redis.call('ZADD', byId, 0, id)
  redis.call('ZADD', byCreated, created, id)
  redis.call('ZADD', byUpdated, updated, id)
  settle()
end
`;

/** KEYS group; ARGV now, id, expiry or -, body. The time of the record, or nil when a live record is there. */
export const INSERT_LISTED: Script = {
  name: 'insertListed',
  lua: `${GROUP}${STAMP}${ADD}
local id, x = ARGV[2], ARGV[3]
local old = find(id)
if old and not dead(old, now) then return false end
local at = string.format('%.17g', stamp())
sweep(${WRITE_SWEEP})
add(id, x, '1 ' .. at .. ' ' .. at .. ' ' .. x .. ' ' .. ARGV[4], at, at)
return at`,
};

/** KEYS group; ARGV now, id, expiry or -, text, created, updated. Stores a record unchanged; 1 when that changed the database. */
export const PUT_LISTED: Script = {
  name: 'putListed',
  lua: `${GROUP}${ADD}
if redis.call('HGET', records, ARGV[2]) == ARGV[4] then return 0 end
add(unpack(ARGV, 2, 6))
return 1`,
};

/** KEYS group; ARGV now, id, revision, expiry or '', body. The new head, or nil when the revision differs or the record does not exist. */
export const REPLACE_LISTED: Script = {
  name: 'replaceListed',
  lua: `${GROUP}${STAMP}
local id = ARGV[2]
local old = find(id)
if not old or dead(old, now) or old.r ~= ARGV[3] then return false end
local new = successor(old, stamp(), ARGV[4])
keep(id, new .. ' ' .. ARGV[5], old.x)
redis.call('ZADD', byUpdated, old.u, id)
sweep(${WRITE_SWEEP})
settle()
return new`,
};

/** KEYS group; ARGV now, id. Deletes the record and returns its bytes. */
export const TAKE_LISTED: Script = {
  name: 'takeListed',
  isBinary: true,
  lua: `${GROUP}
local id = ARGV[2]
local text = redis.call('HGET', records, id)
if text then drop(id) end
sweep(${WRITE_SWEEP})
settle()
return text`,
};

/**
 * KEYS group; ARGV now, number of the index's key, offset, limit, REV or '', 1 with bodies. For a page after an id or a time also that and BYLEX
 * or BYSCORE.
 * The ids and records of a page, or nil when more expired records must be deleted first: then it is called again.
 */
export const LIST: Script = {
  name: 'listPage',
  isBinary: true,
  lua: `${GROUP}
if sweep(${LIST_SWEEP}) == ${LIST_SWEEP} then return false end
local index, offset, limit, reverse, after, by = KEYS[tonumber(ARGV[2])], ARGV[3], ARGV[4], ARGV[5] ~= '', ARGV[7], ARGV[8]
local page = { 'ZRANGE', index, offset, string.format('%d', offset + limit - 1) }
if after then page = { 'ZRANGE', index, '(' .. after, (reverse and '-' or '+') .. (by == 'BYSCORE' and 'inf' or ''), by } end
if reverse then page[#page + 1] = 'REV' end
if after then for _, part in ipairs({ 'LIMIT', offset, limit }) do page[#page + 1] = part end end
local ids = redis.call(unpack(page))
local texts = {}
if ARGV[6] == '1' then
  for from = 1, #ids, 1000 do
    local part = redis.call('HMGET', records, unpack(ids, from, math.min(from + 999, #ids)))
    for _, text in ipairs(part) do texts[#texts + 1] = text end
  end
end
return { ids, texts }`,
};
