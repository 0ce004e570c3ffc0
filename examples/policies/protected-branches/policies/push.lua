-- Which branch a git push goes to, and which branch a git branch moves.

local protected = {"main", "master", "develop", "production", "release/*", "v[0-9]*"}

local function is_protected(branch)
  for _, pattern in ipairs(protected) do
    if glob.match(pattern, branch) then return true end
  end
  return false
end

-- Options of git and of git push whose value is a word of its own.
local takes_value = {}
for word in ("-C -c --git-dir --work-tree --namespace --exec-path -o --push-option --repo --receive-pack --exec"):gmatch("%S+") do
  takes_value[word] = true
end

-- operands are the words of a git command that are no options:
-- {"push", "origin", "HEAD:main"}.
local function operands(c)
  local words, i = {}, 2
  while i <= #c.argv do
    local word = c.argv[i]
    if takes_value[word] then
      i = i + 1
    elseif word:sub(1, 1) ~= "-" then
      table.insert(words, word)
    end
    i = i + 1
  end
  return words
end

-- destination is the branch that a refspec writes to.
local function destination(refspec)
  local to = refspec:gsub("^%+", ""):match("([^:]*)$")
  return (to:gsub("^refs/heads/", ""))
end

local function push(c, words)
  local every, doubt = c:flag("--all", "--branches", "--mirror") -- doubt: a word that may be one of these
  if every and not doubt then
    return deny("this pushes every branch: name the one that you mean")
  end
  if #words < 3 and not c:flag("--tags", "--dry-run", "-n") then
    return deny("name the branch: git push " .. (words[2] or "origin") .. " BRANCH")
  end
  for i = 3, #words do
    local branch = destination(words[i])
    if branch == "HEAD" or branch == "@" then
      return deny("name the branch instead of " .. branch)
    elseif is_protected(branch) then
      return deny("nobody pushes to " .. branch .. ": push a branch of your own and open a pull request")
    elseif branch:find("[$`*]") then
      return ask("cannot tell which branch " .. words[i] .. " is")
    end
  end
end

on("PreToolUse", "Bash(git push *)|Bash(git branch *)", {name = "push", unknown = "ask"}, function(ev)
  local found = {}
  for _, c in ipairs(ev.commands) do
    local words = c.name == "git" and operands(c) or {}
    if words[1] == "push" then
      found[#found + 1] = push(c, words)
    elseif words[1] == "branch" and c:flag("-D", "-d", "--delete", "-f", "--force", "-M", "-m", "--move") then
      for i = 2, #words do
        if is_protected(words[i]) then
          found[#found + 1] = deny(words[i] .. " is protected: it is neither moved nor deleted")
        end
      end
    end
  end
  return found
end)
