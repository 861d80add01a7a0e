-- How long a load lasted, for the scripts of wrk. Its own clock begins when the last of its threads has been made, and the
-- first have been sending by then: where they leave the machine little, for longer than a short load lasts from then on.
local ffi = require("ffi")
ffi.cdef("typedef struct { long s; long ns; } moment; int clock_gettime(int clock, moment *now);")
local MONOTONIC, now = 1, ffi.new("moment")
local threads, shown = {}, false

local function seconds()
  ffi.C.clock_gettime(MONOTONIC, now)
  return tonumber(now.s) + tonumber(now.ns) / 1e9
end

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

-- Whether the request that is asked for will be sent: wrk asks the first thread for one beforehand, to see how many it is
-- given at a time. The first that will be begins the load.
function sends()
  if tonumber(number) == 0 and not shown then
    shown = true
    return false
  end
  began = began or seconds()
  return true
end

-- Seconds since the first thread began.
function lasted()
  local first = math.huge
  for _, thread in ipairs(threads) do
    first = math.min(first, tonumber(thread:get("began")) or math.huge)
  end
  return seconds() - first
end
