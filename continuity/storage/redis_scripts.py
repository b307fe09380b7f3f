"""The steps that compare and write at once, as Redis runs them."""

from __future__ import annotations

# Both compare the writer's epoch and write in one step: the stored epoch comes back where it is the later one, else nothing. Given are the
# epoch, the session's name, a score of its time, and the fields of its hash.
_COMPARE = """
local stored = redis.call('HGET', KEYS[1], 'epoch')
if stored and tonumber(stored) > tonumber(ARGV[1]) then return tonumber(stored) end
"""
_WRITE = """
redis.call('HSET', KEYS[1], unpack(ARGV, 4))
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
return false
"""

SAVE = _COMPARE + _WRITE
FENCE = f"""{_COMPARE}
if stored then
  redis.call('HSET', KEYS[1], 'epoch', ARGV[1])
  return false
end
{_WRITE}"""

SWAP = """
if redis.call('HGET', KEYS[1], 'body') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'body', ARGV[2], 'size', #ARGV[2])
return 1
"""
