-- POST the lines of the file that BODIES names, one after the other, or GET where it names none; at the end, the counts
-- and the latencies (milliseconds) as one line of JSON.
dofile(os.getenv("CLOCK"))

local requests = {}
local at = 0

function init()
  local bodies = os.getenv("BODIES")
  if bodies == "" then
    requests = {wrk.format("GET")}
    return
  end
  for line in io.lines(bodies) do
    table.insert(requests, wrk.format("POST", nil, {["Content-Type"] = "application/json"}, line))
  end
end

function request()
  sends()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  local line = '{"requests": %d, "errors": %d, "p50": %f, "p99": %f, "seconds": %f}'
  local p50, p99 = latency:percentile(50) / 1e3, latency:percentile(99) / 1e3
  print(string.format(line, summary.requests, failed, p50, p99, lasted()))
end
