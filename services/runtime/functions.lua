#!lua name=baccarat

-- commit_v1: one step of one service in one pit, whole or not at all.
--
-- A function never rolls back, so everything that could fail midway is checked before the first write: the version, the
-- entries that cursors land on, the types of the keys, the caller's right to each command used below, and that the two
-- streams have ids left for all that is added. What is used before the first write needs no check of its own: the cursor
-- hash, the right to read it, the right to add to the own stream.
--
-- KEYS  1 cursor hash · 2 state hash · 3 the service's own stream · 4 rejects · 5… the streams it reads
-- ARGV  expected version ('' where none is stored), new version, then six counted lists, each led by its length:
--         landings  number of a key, entry id           each must exist in that stream
--         cursors   field, value                        written to the cursor hash with the new version
--         facts     number of values, name, value, …    added to the service's own stream
--         rejects   number of values, name, value, …    added to rejects
--         records   name, value                         written to the state hash with the new version
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

-- A stream whose last id is the last one possible takes no further entry. Ids go to 2^64 - 1 and Lua's numbers to 2^53, so
-- they are compared as text. The bound is 10,000 below the end: more than any step adds.
local function demand_room(stream, added)
  if added == 0 or redis.call('TYPE', stream).ok == 'none' then
    return
  end
  local info = redis.call('XINFO', 'STREAM', stream)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then
      local milliseconds, count = string.match(info[i + 1], '(%d+)-(%d+)')
      if milliseconds == '18446744073709551615' and #count == 20 and count > '18446744073709541615' then
        error({ err = 'ERR ' .. stream .. ' has no ids left behind ' .. info[i + 1] })
      end
    end
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

  demand_right('HSET', cursor, 'version', version)
  demand_right('HSET', state, 'version', version)
  demand_right('HDEL', state, 'record')
  demand_right('XADD', rejects_stream, '*', 'name', 'value')
  demand_type(state, 'hash')
  demand_type(own, 'stream')
  demand_type(rejects_stream, 'stream')
  demand_room(own, #facts)
  demand_room(rejects_stream, #rejects)

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
  redis.call('HSET', state, 'version', version)
  for i = records_from, records_to, CHUNK do
    redis.call('HSET', state, unpack(args, i, math.min(i + CHUNK - 1, records_to)))
  end
  for i = removed_from, removed_to, CHUNK do
    redis.call('HDEL', state, unpack(args, i, math.min(i + CHUNK - 1, removed_to)))
  end
  redis.call('HSET', cursor, 'version', version, unpack(args, cursors_from, cursors_to))
  return { 'OK' }
end

-- oversize_v1: the next entry of each stream, where it is larger than a service reads.
--
-- A client cannot ask how large an entry is, and one of hundreds of megabytes kills who reads it. What this costs the
-- server is no more than taking the entry cost it.
--
-- KEYS  the streams
-- ARGV  the position in each, then the size up to which entries are read, in bytes; each field counts 16 more
-- Reply for each stream whose next entry is larger: number of the key, entry id, the entry's type (cut), bytes.

local function oversize_v1(keys, args)
  local found = {}
  local size_max = tonumber(args[#keys + 1])
  for number, stream in ipairs(keys) do
    local reply = redis.call('XREAD', 'COUNT', 1, 'STREAMS', stream, args[number])
    local entry = reply and reply[1] and reply[1][2][1]
    if entry then
      local size, event_type = 0, ''
      for i, part in ipairs(entry[2]) do
        size = size + #part + 16
        if part == 'type' and i % 2 == 1 then
          event_type = string.sub(entry[2][i + 1], 1, 256)
        end
      end
      if size > size_max then
        found[#found + 1] = { number, entry[1], event_type, size }
      end
    end
  end
  return found
end

-- lost_v1: whether entries of request streams were removed before they were read.
--
-- XADD cannot be limited to adding: who may write may trim by it, and an administrator may delete. A stream counts the
-- entries that were ever added to it; a reader counts those that it has taken.
--
-- KEYS  the streams
-- ARGV  for each: the position, how many entries were taken, and its length when nothing was lost ('' looks anew)
-- Reply for each stream: its length, then 'kept' and 0, or 'removed' and how many more were added than taken (below 0:
--       it was deleted), or 'begun_again' and 0: its ids lie below the position, so that nothing of it would be read.

local function later(one, other)
  local one_time, one_count = string.match(one, '(%d+)-(%d+)')
  local time, count = string.match(other, '(%d+)-(%d+)')
  if one_time == time then
    one_time, time = one_count, count
  end
  if #one_time ~= #time then
    return #one_time > #time
  end
  return one_time > time
end

local function lost_of(stream, position, taken, kept_length)
  local length = redis.call('XLEN', stream)
  if tostring(length) == kept_length then
    return { length, 'kept', 0 }
  end
  if redis.call('TYPE', stream).ok == 'none' then
    return position == '0-0' and { 0, 'kept', 0 } or { 0, 'begun_again', 0 }
  end
  local info, named = redis.call('XINFO', 'STREAM', stream), {}
  for i = 1, #info, 2 do
    named[info[i]] = info[i + 1]
  end
  if later(position, named['last-generated-id']) then
    return { length, 'begun_again', 0 }
  end
  local unread = redis.call('XREAD', 'COUNT', 1, 'STREAMS', stream, position)
  if unread and unread[1] then
    return { length, 'kept', 0 }
  end
  local more = named['entries-added'] - taken
  return { length, more == 0 and 'kept' or 'removed', more }
end

local function lost_v1(keys, args)
  local found = {}
  for i, stream in ipairs(keys) do
    found[i] = lost_of(stream, args[3 * i - 2], tonumber(args[3 * i - 1]), args[3 * i])
  end
  return found
end

-- last_id_v1: the id of a stream's last entry, without the entry.
--
-- KEYS  1 the stream
-- Reply the id, '0-0' where the stream is empty.

local function last_id_v1(keys, args)
  local last = redis.call('XREVRANGE', keys[1], '+', '-', 'COUNT', 1)[1]
  return last and last[1] or '0-0'
end

-- mend_v1: a stream whose ids are used up, or lie far ahead, is copied to ids of today. For an administrator.
--
-- KEYS  1 the stream · 2 a key for the copy, of the same pit · then cursor hash and state hash of each service that reads it
-- ARGV  the stream's name in the cursor hashes, a new version
-- Reply how many entries the stream has, and how many of them have a new id: those of more than a day ahead.

local DAY_MILLISECONDS = 86400000

local function mend_v1(keys, args)
  local stream, copy, name, version = keys[1], keys[2], args[1], args[2]
  local time = redis.call('TIME')
  local horizon = tonumber(time[1]) * 1000 + DAY_MILLISECONDS
  local new_ids, count, renamed, last, from = {}, 0, 0, '0-0', '-'
  redis.call('DEL', copy)
  while true do
    local entries = redis.call('XRANGE', stream, from, '+', 'COUNT', CHUNK)
    for _, entry in ipairs(entries) do
      local milliseconds = string.match(entry[1], '(%d+)-')
      local id = entry[1]
      if #milliseconds > 15 or tonumber(milliseconds) > horizon then
        id, renamed = '*', renamed + 1
      end
      last = redis.call('XADD', copy, id, unpack(entry[2]))
      new_ids[entry[1]] = last
      count = count + 1
    end
    if #entries < CHUNK then
      break
    end
    from = '(' .. entries[#entries][1]
  end
  if renamed == 0 then
    redis.call('DEL', copy)
    return { count, 0 }
  end
  local info = redis.call('XINFO', 'STREAM', stream)
  for i = 1, #info, 2 do
    if info[i] == 'entries-added' then
      redis.call('XSETID', copy, last, 'ENTRIESADDED', info[i + 1], 'MAXDELETEDID', '0-0')
    end
  end
  redis.call('RENAME', copy, stream)
  for i = 3, #keys, 2 do
    local position = redis.call('HGET', keys[i], name)
    if position and new_ids[position] then
      redis.call('HSET', keys[i], name, new_ids[position], 'version', version)
      redis.call('HSET', keys[i + 1], 'version', version)
    end
  end
  return { count, renamed }
end

-- alive_v1: one beat of one replica of a service.
--
-- KEYS  1 the service's replicas, a sorted set of names by the server's millisecond at which each is gone
-- ARGV  name, 'stay' or 'leave'
-- Reply the names of the live replicas.

local STAY_MILLISECONDS = 2000

local function alive_v1(keys, args)
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  if args[2] == 'leave' then
    redis.call('ZREM', keys[1], args[1])
  else
    redis.call('ZADD', keys[1], now + STAY_MILLISECONDS, args[1])
  end
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', now)
  -- Nobody stays longer than this: a later mark was made before the server's clock was set back.
  redis.call('ZREMRANGEBYSCORE', keys[1], '(' .. now + STAY_MILLISECONDS, '+inf')
  return redis.call('ZRANGE', keys[1], 0, -1)
end

redis.register_function('commit_v1', commit_v1)
redis.register_function({ function_name = 'oversize_v1', callback = oversize_v1, flags = { 'no-writes' } })
redis.register_function({ function_name = 'lost_v1', callback = lost_v1, flags = { 'no-writes' } })
redis.register_function({ function_name = 'last_id_v1', callback = last_id_v1, flags = { 'no-writes' } })
redis.register_function('mend_v1', mend_v1)
redis.register_function('alive_v1', alive_v1)
