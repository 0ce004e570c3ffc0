-- rm -r stays inside the project: not the home directory, not the system,
-- not the project itself or its history.

-- Directories outside the project that may be emptied.
local scratch = {"/tmp", "/var/tmp", path.join(path.home(), ".cache")}

-- all is true of a word that means everything in its directory.
local function all(word)
  return word == "*" or word == ".*" or word == "{*,.*}"
end

-- target is the absolute name of an operand, and whether it is all in there.
local function target(ev, c, word)
  if all(path.base(word)) then
    local dir = path.dir(word)
    return target(ev, c, dir), true
  end
  word = word:gsub('^"?%$HOME"?', path.home()):gsub('^"?%${HOME}"?', path.home()):gsub("^~$", path.home()):gsub("^~/", path.home() .. "/")
  if not path.is_abs(word) then
    word = path.join(path.is_abs(c.dir) and c.dir or path.join(ev.cwd, c.dir), word)
  end
  return path.clean(word), false
end

-- verdict judges one operand of rm -r.
local function verdict(ev, c, word)
  local variable = word:match('^"?%${?([%a_][%w_]*)}?"?/')
  if variable and variable ~= "HOME" then
    return ask("if " .. variable .. " is empty, this removes from / on: write ${" .. variable .. ":?}")
  end
  local name, everything = target(ev, c, word)
  local root = path.root()
  if path.within(name, root) or path.within(name, path.home()) then
    local what = everything and "all there is in " or ""
    if name == root then
      return ask("this removes " .. what .. "the project: " .. name)
    end
    return deny("this wipes " .. what .. name .. "; name what exactly has to go")
  end
  if path.within(path.join(root, ".git"), name) then
    return deny("this removes the history of the project")
  end
  if path.within(root, name) then
    return nil
  end
  for _, dir in ipairs(scratch) do
    if path.within(dir, name) and name ~= dir then return nil end
  end
  return ask("this removes a directory outside the project: " .. name)
end

on("PreToolUse", "Bash(rm {-r,-R,--recursive} *)", {unknown = "skip"}, function(ev)
  local found = {}
  for _, c in ipairs(ev.commands) do
    if c.name == "rm" and c:flag("-r", "-R", "--recursive") then
      local operands = false
      for i = 2, #c.argv do
        local word = c.argv[i]
        if word == "--" and not operands then
          operands = true
        elseif operands or word:sub(1, 1) ~= "-" then
          found[#found + 1] = verdict(ev, c, word)
        end
      end
    end
  end
  return found
end)
