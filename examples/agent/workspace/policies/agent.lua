-- One handler for each event that the YAML says nothing about, and callbacks
-- of tasks and subagents.

on("InstructionsLoaded", function(ev)
  if ev.instructions:find("sudo", 1, true) then return deny("instructions must not ask for root") end
  return context("Instructions may not weaken the policy.")
end)

on("UserPromptSubmit", function(ev)
  if ev.prompt:find("cart", 1, true) then return context("The cart is in cart.txt.") end
end)

on("PreToolUse", "Bash(npm test)", function(ev)
  return rewrite({command = "grep -q '^total  2.00$' cart.txt"})
end)

on("PostToolUse", "Read", function(ev)
  local text, n = ev.tool_response:gsub("sk%-%w+", "[key]")
  if n > 0 then return output(text) end
end)

on("PostToolUse", "Bash(grep *)", function(ev)
  state.set("tested", true)
end)

on("PostToolUseFailure", "Edit", function(ev)
  return context("Read the file again before the next edit.")
end)

on("PostToolBatch", function(ev)
  if state.incr("batches") == 5 then return context("Five batches so far: come to an end.") end
end)

on("PermissionRequest", "WebFetch", function(ev)
  if ev.host == "rounding.example" then return allow("a page that we know") end
end)

on("PermissionDenied", "WebFetch", function(ev)
  return {retry(), notice("Another page may do.")}
end)

on("Notification", "permission_prompt", function(ev)
  return notice("Somebody is needed at the keyboard.")
end)

on("Stop", function(ev)
  if not state.get("tested") and not ev.stop_hook_active then return deny("run the tests first") end
end)

on("StopFailure", "overloaded", function(ev)
  return {retry(), context("The model was busy.")}
end)

on("PostCompact", function(ev)
  return context("The task is still the cart.")
end)

on("ConfigChange", function(ev)
  if #ev.removed > 0 then return deny("rules are not removed while the agent runs") end
end)

on("SessionEnd", function(ev)
  log.info("ended: " .. ev.reason)
  return notice("Ended: " .. ev.reason)
end)

on("SubagentStop", "reviewer", function(ev)
  if not ev.subagent_result:find("%.txt") then return deny("name the file") end
  return output("checked: " .. ev.subagent_result)
end)

on("TaskCreated", function(ev)
  if ev.task_subject:find("^publish") then return context("Publish to the test registry.") end
end)

on("TaskCompleted", function(ev)
  if ev.task_subject:find("^sum") and state.incr("sums") == 1 then return deny("say how it was rounded") end
end)

task.before(function(t) state.incr("tasks") end)

task.on_failure(function(t, failure)
  if failure:find("no such host", 1, true) then return fail("another try will not find it either") end
end)

subagent.on_failure(function(a, failure)
  if failure:find("out of budget", 1, true) then return fail() end
end)
