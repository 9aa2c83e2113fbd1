#!lua name=baccarat

-- commit_v1: one step of one service in one pit, whole or not at all.
--
-- A function never rolls back, so everything that could fail midway is checked before the first write: the version, the
-- entries that cursors land on, the types of the keys, and the caller's right to each command used below.
--
-- KEYS  1 cursor hash · 2 state hash · 3 the service's own stream · 4 rejects · 5… the streams it reads
-- ARGV  expected version ('' where none is stored), new version, then six counted lists, each led by its length:
--         landings  number of a key, entry id           each must exist in that stream
--         cursors   field, value                        written to the cursor hash with the new version
--         facts     number of values, name, value, …    added to the service's own stream
--         rejects   number of values, name, value, …    added to rejects
--         records   name, value                         written to the state hash
--         removed   name                                taken out of the state hash
-- Reply 'OK', or 'CONFLICT' and why: another process committed, or the history is another one. Then nothing is written.

local CHUNK = 1000 -- unpack fails at 8,000 values

local function list_at(args, at, width)
  local count = tonumber(args[at])
  return at + 1, at + count * width, at + 1 + count * width
end

local function entries_at(args, at)
  local entries = {}
  local count = tonumber(args[at])
  at = at + 1
  for _ = 1, count do
    local size = tonumber(args[at])
    entries[#entries + 1] = { at + 1, at + size }
    at = at + 1 + size
  end
  return entries, at
end

local function demand_type(key, wanted)
  local found = redis.call('TYPE', key).ok
  if found ~= 'none' and found ~= wanted then
    error({ err = 'WRONGTYPE ' .. key .. ' is a ' .. found .. ' and not a ' .. wanted })
  end
end

local function demand_right(...)
  if not redis.acl_check_cmd(...) then
    error({ err = 'NOPERM no right to ' .. select(1, ...) .. ' ' .. select(2, ...) })
  end
end

local function commit_v1(keys, args)
  local cursor, state, own, rejects_stream = keys[1], keys[2], keys[3], keys[4]
  local expected, version = args[1], args[2]
  local landings_from, landings_to, at = list_at(args, 3, 2)
  local cursors_from, cursors_to
  cursors_from, cursors_to, at = list_at(args, at, 2)
  local facts, rejects
  facts, at = entries_at(args, at)
  rejects, at = entries_at(args, at)
  local records_from, records_to, removed_from, removed_to
  records_from, records_to, at = list_at(args, at, 2)
  removed_from, removed_to = list_at(args, at, 1)

  demand_right('HGET', cursor, 'version')
  demand_right('HSET', cursor, 'version', version)
  demand_right('HSET', state, 'record', 'value')
  demand_right('HDEL', state, 'record')
  demand_right('XADD', own, '*', 'name', 'value')
  demand_right('XADD', rejects_stream, '*', 'name', 'value')
  demand_type(cursor, 'hash')
  demand_type(state, 'hash')
  demand_type(own, 'stream')
  demand_type(rejects_stream, 'stream')

  if (redis.call('HGET', cursor, 'version') or '') ~= expected then
    return { 'CONFLICT', 'another process has committed' }
  end
  for i = landings_from, landings_to, 2 do
    local stream, id = keys[tonumber(args[i])], args[i + 1]
    if #redis.call('XRANGE', stream, id, id) == 0 then
      return { 'CONFLICT', stream .. ' has no entry ' .. id }
    end
  end

  for _, entry in ipairs(facts) do
    redis.call('XADD', own, '*', unpack(args, entry[1], entry[2]))
  end
  for _, entry in ipairs(rejects) do
    redis.call('XADD', rejects_stream, '*', unpack(args, entry[1], entry[2]))
  end
  for i = records_from, records_to, CHUNK do
    redis.call('HSET', state, unpack(args, i, math.min(i + CHUNK - 1, records_to)))
  end
  for i = removed_from, removed_to, CHUNK do
    redis.call('HDEL', state, unpack(args, i, math.min(i + CHUNK - 1, removed_to)))
  end
  redis.call('HSET', cursor, 'version', version, unpack(args, cursors_from, cursors_to))
  return { 'OK' }
end

-- alive_v1: one beat of one replica of a service.
--
-- KEYS  1 the service's replicas, a sorted set of names by the server's millisecond at which each is gone
-- ARGV  name, milliseconds it stays ('0': it leaves now)
-- Reply the names of the live replicas.

local function alive_v1(keys, args)
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  redis.call('ZADD', keys[1], now + tonumber(args[2]), args[1])
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', now)
  return redis.call('ZRANGE', keys[1], 0, -1)
end

redis.register_function('commit_v1', commit_v1)
redis.register_function('alive_v1', alive_v1)
