-- Secrets in what an agent writes: the content of files, and shell texts.

-- Forms that are a secret for certain; RE2 expressions.
local known = {
  {"a private key",         [[-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----]]},
  {"an AWS access key",     [[\b(AKIA|ASIA)[0-9A-Z]{16}\b]]},
  {"a GitHub token",        [[\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})]]},
  {"a GitLab token",        [[\bglpat-[A-Za-z0-9_-]{20,}]]},
  {"a Slack token",         [[\bxox[abeprs]-[A-Za-z0-9-]{10,}]]},
  {"a Google API key",      [[\bAIza[0-9A-Za-z_-]{35}]]},
  {"a Stripe key",          [[\b[rs]k_live_[0-9A-Za-z]{20,}]]},
  {"a model provider's key", [[\bsk-(ant-|proj-|or-)?[A-Za-z0-9_-]{32,}]]},
  {"an npm token",          [[\bnpm_[A-Za-z0-9]{36}]]},
  {"a password in a URL",   [[\b[a-z][a-z0-9+.-]*://[^/\s:@"'$<{]+:[^/\s:@"'$<{]{6,}@]]},
}

-- A name that sounds like a secret, and a literal given to it.
local assigned = [=[(?i)\b[a-z_.-]*(?:password|passwd|secret|api_?key|access_?key|auth_?token|private_?key)["']?\s*(?:=|:|:=|=>)\s*["']([^"'\s]{8,})["']]=]

-- … unless the literal is a stand-in.
local standin = [[(?i)example|change.?me|placeholder|dummy|fake|sample|your|secret$|password$|x{4,}|\*{4,}|\.\.\.|^[$<{%]|process\.env|os\.environ|vault:]]

-- Files in which look-alikes are expected.
local lenient = {"*_test.*", "*.test.*", "*.spec.*", "*/testdata/*", "*/fixtures/*", "*.example", "*.sample", "*.md"}

-- written is every text that the call puts somewhere.
local function written(ev)
  local input, texts = ev.input, {}
  for _, name in ipairs({"content", "new_string", "new_source", "command"}) do
    if type(input[name]) == "string" then table.insert(texts, input[name]) end
  end
  if type(input.edits) == "table" then
    for _, edit in ipairs(input.edits) do
      if type(edit.new_string) == "string" then table.insert(texts, edit.new_string) end
    end
  end
  return texts
end

local function is_lenient(name)
  for _, pattern in ipairs(lenient) do
    if glob.match(pattern, "/" .. name) then return true end
  end
  return false
end

-- shown is as much of a secret as may stand in a reason.
local function shown(text)
  return text:sub(1, 6) .. "…"
end

on("PreToolUse", "Write|Edit|MultiEdit|NotebookEdit|Bash", {name = "secrets"}, function(ev)
  for _, text in ipairs(written(ev)) do
    for _, form in ipairs(known) do
      local from, to = re.find(form[2], text)
      if from then
        return deny("this holds " .. form[1] .. " (" .. shown(text:sub(from, to)) ..
          "): read it from the environment or a secret store, and tell the user if it was real")
      end
    end
    local literal = not is_lenient(ev.file_path) and re.match(assigned, text)
    if literal and not re.test(standin, literal) then
      return ask("this looks like a password or key (" .. shown(literal) .. ")")
    end
  end
end)
