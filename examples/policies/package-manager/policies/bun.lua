-- npm, npx, yarn and pnpm become bun.

-- What the first word after the program becomes; "add" where packages are
-- named. false is left alone: it is about the registry or the account.
local verbs = {
  install = "install", i = "install", add = "add", ci = "install --frozen-lockfile",
  uninstall = "remove", remove = "remove", rm = "remove", un = "remove",
  run = "run", ["run-script"] = "run", test = "run test", t = "run test", start = "run start", build = "run build",
  exec = "x", dlx = "x", create = "create", init = "init", update = "update", up = "update", upgrade = "update",
  outdated = "outdated", link = "link",
  publish = false, login = false, logout = false, whoami = false, view = false, info = false, token = false,
  config = false, audit = false, version = false, pack = false, ["--version"] = false, ["-v"] = false, help = false,
}

-- Flags that bun spells otherwise; "" is left out.
local flags = {["--save-dev"] = "-d", ["-D"] = "-d", ["--save"] = "", ["-S"] = "", ["--save-exact"] = "--exact", ["-E"] = "--exact", ["--legacy-peer-deps"] = "", ["--"] = ""}

local function quoted(word)
  if re.test([[^[A-Za-z0-9_@%+=:,./^~-]+$]], word) then return word end
  return "'" .. word:gsub("'", [['\'']]) .. "'"
end

-- instead is the same call with bun, or nil where there is none.
local function instead(c)
  if c.name == "npx" or c.name == "pnpx" then
    local words = {"bunx"}
    for i = 2, #c.argv do
      if c.argv[i] ~= "-y" and c.argv[i] ~= "--yes" then table.insert(words, quoted(c.argv[i])) end
    end
    return table.concat(words, " ")
  end
  local first = c.argv[2] or "install"
  local verb = verbs[first]
  if verb == nil and c.name ~= "npm" and first:sub(1, 1) ~= "-" then
    verb = "run " .. quoted(first) -- yarn dev
  end
  if not verb then return nil end
  local words, named = {}, false
  for i = 3, #c.argv do
    local word = c.argv[i]
    named = named or word:sub(1, 1) ~= "-"
    word = flags[word] or word
    if word ~= "" then table.insert(words, quoted(word)) end
  end
  if verb == "install" and named then verb = "add" end
  return table.concat({"bun " .. verb, unpack(words)}, " ")
end

on("PreToolUse", "Bash(npm *)|Bash(npx *)|Bash(pnpm *)|Bash(pnpx *)|Bash(yarn *)", {name = "bun", unknown = "skip"}, function(ev)
  local commands = ev.commands
  for _, c in ipairs(commands) do
    if re.test("^(npm|npx|pnpm|pnpx|yarn)$", c.name) then
      local text = instead(c)
      -- Alone: nothing around it, every word literal. npx also runs its operand.
      local alone = c.known and #c.redirects == 0 and #c.wrappers == 0 and next(c.env) == nil and
        ev.command:gsub("^%s+", ""):gsub("%s+$", "") == c.raw
      if text and alone then
        local input = ev.input
        input.command = text
        return rewrite(input)
      elseif text or (c.argv[2] and verbs[c.argv[2]] == nil) then
        return deny("this project uses bun: write " .. (text or "the same with bun") .. " instead of " .. c.raw)
      end
    end
  end
end)
