-- Budgets: how often calls that fit a pattern may happen. A count ends with
-- its ttl (seconds from the first call), with the next prompt, or with the
-- session; scope = "all" counts over all sessions of the user.

local minute, hour, day = 60, 3600, 24 * 3600

local budgets = {
  {name = "calls without a prompt", match = "*",                   most = 300, answer = ask,  per_prompt = true},
  {name = "shell commands a minute", match = "Bash",               most = 40,  answer = deny, ttl = minute, advice = "wait a little, or do more in one command"},
  {name = "fetches a minute",       match = "WebFetch|WebSearch",  most = 10,  answer = deny, ttl = minute, advice = "work with what you have read"},
  {name = "subagents a prompt",     match = "Agent",               most = 5,   answer = ask,  per_prompt = true},
  {name = "pull requests an hour",  match = "Bash(gh pr create *)", most = 3,  answer = ask,  ttl = hour, scope = "all"},
  {name = "cloud changes a day",    match = "Bash(terraform apply *)|Bash(kubectl apply *)", most = 5, answer = ask, ttl = day, scope = "all"},
}

local function store(budget)
  return {ttl = budget.ttl, scope = budget.scope}
end

for _, budget in ipairs(budgets) do
  on("PreToolUse", budget.match, {name = budget.name, unknown = "skip"}, function(ev)
    if ev.final then return end -- the same call once more, after a rewrite
    local n = state.incr(budget.name, 1, store(budget))
    if n > budget.most then
      return budget.answer("call " .. n .. " of " .. budget.most .. " " .. budget.name .. (budget.advice and ": " .. budget.advice or ""))
    elseif n == budget.most then
      return context("That was the last of " .. budget.most .. " " .. budget.name .. ".")
    end
  end)
end

on("UserPromptSubmit", {name = "a new prompt"}, function(ev)
  local fresh = {}
  for _, budget in ipairs(budgets) do
    if budget.per_prompt then
      state.delete(budget.name)
      fresh[#fresh + 1] = budget.most .. " " .. budget.name
    end
  end
  return context("Your budget: " .. table.concat(fresh, ", ") .. ".")
end)

-- The same command that fails again and again is a loop.
local loop = 3

local function failures(ev) return "failed " .. ev.command:sub(1, 200) end

on("PostToolUseFailure", "Bash", {name = "count failures"}, function(ev)
  local n = state.incr(failures(ev), 1, {ttl = hour})
  if n == loop - 1 then
    return context("This command has failed " .. n .. " times: look for the cause before you run it again.")
  end
end)

on("PostToolUse", "Bash", {name = "forget failures"}, function(ev)
  local n = state.get(failures(ev)) or 0
  state.delete(failures(ev))
  if n >= loop - 1 then return context("It works after " .. n .. " failures: say what the cause was.") end
end)

on("PreToolUse", "Bash", {name = "no loops"}, function(ev)
  local n = state.get(failures(ev)) or 0
  if n >= loop then
    return deny("this command has failed " .. n .. " times in this hour: change something first, or ask the user")
  end
end)
