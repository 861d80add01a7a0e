-- Moves in stored matches: every thread has a connection and a file of its own (MOVES followed by its number), a request
-- a line (address, token and body, by tabs), sent in that order; at the end, the counts as one line of JSON.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  requests, at = {}, 0
  for line in io.lines(os.getenv("MOVES") .. number) do
    local path, token, body = line:match("^(.-)\t(.-)\t(.*)$")
    local headers = {["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. token}
    table.insert(requests, wrk.format("POST", path, headers, body))
  end
end

-- wrk asks the first thread for one request that it never sends, to see how many it is given at a time
function request()
  if tonumber(number) == 0 and not shown then
    shown = true
    return requests[1]
  end
  at = at + 1
  return requests[at] or error("the moves have run out")
end

function done(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  print(string.format('{"requests": %d, "errors": %d, "seconds": %f}', summary.requests, failed, summary.duration / 1e6))
end
