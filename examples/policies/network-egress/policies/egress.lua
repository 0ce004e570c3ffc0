-- Egress by domain: a domain stands for itself and all below it.

local allowed = {
  "github.com", "githubusercontent.com", "pkg.go.dev", "proxy.golang.org", "go.dev", "npmjs.org", "pypi.org", "pythonhosted.org",
  "crates.io", "docs.rs", "developer.mozilla.org", "stackoverflow.com", "wikipedia.org", "localhost", "127.0.0.1",
}
local denied = {
  "169.254.169.254", "metadata.google.internal", -- where clouds hand out credentials
  "internal", "local",
  "pastebin.com", "transfer.sh", "webhook.site", "requestbin.com",
}

-- Programs that fetch from, or send to, the addresses among their words.
local clients = {}
for name in ("curl wget http https xh aria2c lynx w3m git rsync"):gmatch("%S+") do clients[name] = true end

-- Flags with which curl and wget send something, and not only fetch it.
local sends = {"-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "-F", "--form", "-T", "--upload-file", "--post-data", "--post-file", "--body-data", "--body-file"}

-- Flags that lead elsewhere than the address says, or read addresses from a file.
local indirect = {
  curl = {"-K", "--config", "--connect-to", "--resolve", "-x", "--proxy", "--preproxy", "--socks5", "--socks5-hostname"},
  wget = {"-i", "--input-file", "-e", "--execute"},
}

local function listed(list, host)
  for _, domain in ipairs(list) do
    if host == domain or host:sub(-#domain - 1) == "." .. domain then return true end
  end
  return false
end

-- judge says what follows from a host; sending is to allowed hosts only.
local function judge(host, sending)
  host = host:lower():gsub("%.$", "")
  if listed(denied, host) then
    return deny(host .. " is not to be talked to")
  elseif listed(allowed, host) then
    return nil
  elseif sending then
    return deny("nothing is sent to " .. host .. ": it is not on the list of domains")
  end
  return ask(host .. " is not on the list of domains")
end

-- host_of is the host in a word: https://user@host:1/x, git@host:x, host/x.
local function host_of(word)
  local rest = word:match("^%a[%w+.-]*://(.*)$")
  local authority = (rest or word):match("^[^/?#]*")
  authority = authority:match("([^@]*)$")
  local host = authority:match("^%[(.-)%]") or authority:match("^[^:]*")
  if rest or word:find("^[%w_.-]+@[%w.-]+:") then return host end
end

on("PreToolUse", "WebFetch", {name = "fetch"}, function(ev)
  if ev.host == "" then return ask("cannot tell the host of " .. ev.url) end
  return judge(ev.host, false)
end)

on("PreToolUse", "Bash", {name = "egress"}, function(ev)
  local found = {}
  for _, c in ipairs(ev.commands) do
    if clients[c.name] then
      local sending, doubt = c:flag(unpack(sends))
      sending = sending and not doubt and c.name ~= "git" -- a word that cannot be told is asked about below
      if indirect[c.name] and c:flag(unpack(indirect[c.name])) then
        found[#found + 1] = ask("cannot tell where this goes: " .. c.text)
      end
      for i = 2, #c.argv do
        local host = host_of(c.argv[i])
        if host then
          found[#found + 1] = judge(host, sending)
        elseif c.name ~= "git" and c.name ~= "rsync" and c.argv[i]:find("^[\"']?[$`]") then
          found[#found + 1] = ask("cannot tell where " .. c.argv[i] .. " is")
        elseif c.name ~= "git" and c.argv[i]:find("^[%w-]+%.[%w.-]*%a%a[/:]?") and not c.argv[i - 1]:find("^%-%-?%a") then
          found[#found + 1] = judge(c.argv[i]:match("^[^/:?]*"), sending) -- curl example.com/x
        end
      end
    end
  end
  return found
end)
