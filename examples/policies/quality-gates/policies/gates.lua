-- A prompt brings its context along; a turn ends when the tests have passed
-- since the last change.

-- Files whose change asks for a test run, and what such a run looks like.
local sources = {"*.go", "*.py", "*.js", "*.jsx", "*.ts", "*.tsx", "*.rs", "*.java", "*.rb", "*.c", "*.cc", "*.h"}
local tests = "Bash(go test *)|Bash(make test *)|Bash(make check *)|Bash(npm test *)|Bash(npm run test*)|Bash(bun test *)|Bash(pytest *)|Bash(python -m pytest *)|Bash(cargo test *)|Bash(mvn test *)|Bash(gradle test *)"

local function is_source(name)
  for _, pattern in ipairs(sources) do
    if glob.match(pattern, name) then return true end
  end
  return false
end

-- Prompts.

on("UserPromptSubmit", {name = "no keys in prompts"}, function(ev)
  if re.test([[-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}]], ev.prompt) then
    return deny("the prompt holds a key, and would go to the model with it: take it out, and replace the key")
  end
end)

on("UserPromptSubmit", {name = "house rules"}, function(ev)
  local texts = {}
  if re.test([[(?i)\b(fix|bug|broken|fails?|crash(es)?|regression)\b]], ev.prompt) then
    texts[#texts + 1] = "Reproduce the fault with a test before you change anything."
  end
  if re.test([[(?i)\b(refactor|rename|clean ?up|restructure)\b]], ev.prompt) then
    texts[#texts + 1] = "Behaviour stays as it is: run the tests before and after."
  end
  if #texts > 0 then return context(table.concat(texts, "\n")) end
end)

-- Tests: changed since they last passed?

on("PostToolUse", "Edit|Write|MultiEdit", {name = "changed"}, function(ev)
  if not is_source(ev.file_path) then return end
  local before = state.get("changed")
  state.set("changed", ev.file_path)
  if not before then return context("Run the tests before you end: " .. ev.file_path .. " has changed.") end
end)

on("PostToolUse", tests, {name = "passed", unknown = "skip"}, function(ev)
  if state.get("changed") then
    state.delete("changed")
    return notice("the tests have passed since the last change")
  end
end)

on("PostToolUseFailure", tests, {name = "failed", unknown = "skip"}, function(ev)
  state.set("changed", "the tests failed")
  return context("Mend what the tests found, not the tests.")
end)

on({"Stop", "SubagentStop", "TaskCompleted"}, {name = "tested"}, function(ev)
  if ev.stop_hook_active then return end -- told once; whoever cannot mend it may stop
  local changed = state.get("changed")
  if changed then
    return deny("run the tests before you end: no run has passed since " .. changed)
  end
end)

-- A turn that ends with a promise has not ended.
on("Stop", {name = "promises"}, function(ev)
  if ev.stop_hook_active then return end
  local promise = re.match([[(?i)\b(I'll|I will|let me|next,? I)\b[^.!?\n]{0,80}$]], ev.message:sub(-200))
  if promise then
    return deny("you end with something still to do: do it, or say why you cannot")
  end
end)
