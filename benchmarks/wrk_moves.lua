-- Moves in stored matches: every thread has a connection and a file of its own (MOVES followed by its number), a request
-- a line (address, token and body, by tabs), sent in that order; at the end, the counts as one line of JSON.
dofile(os.getenv("CLOCK"))

function init()
  lines, at = {}, 0
  for line in io.lines(os.getenv("MOVES") .. number) do
    table.insert(lines, line)
  end
end

local function written(line)
  local path, token, body = line:match("^(.-)\t(.-)\t(.*)$")
  return wrk.format("POST", path, {["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. token}, body)
end

function request()
  if not sends() then
    return written(lines[1])
  end
  at = at + 1
  return written(lines[at] or error("the moves have run out"))
end

function done(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  print(string.format('{"requests": %d, "errors": %d, "seconds": %f}', summary.requests, failed, lasted()))
end
