-- POST the lines of the file that BODIES names, one after the other; at the end, the counts as one line of JSON.
local requests = {}
local at = 0

function init()
  for line in io.lines(os.getenv("BODIES")) do
    table.insert(requests, wrk.format("POST", nil, {["Content-Type"] = "application/json"}, line))
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  print(string.format('{"requests": %d, "errors": %d}', summary.requests, failed))
end
