package settings

import "testing"

// The examples of echo-agent and of the Claude Code book, as they are written.
func TestSeeds(t *testing.T) {
	run(t, []row{
		{"echo-agent.yaml", "echo-agent.yaml", `model: qwen3-max
hooks:
  PreToolUse:
    - matcher: "Bash"
      hooks:
        - type: command
          command: "${SKILL_DIR}/validate.sh"
          timeout: 5
    - matcher: "Write"
      hooks:
        - type: prompt
          prompt: "写入前检查文件权限"
  PostToolUse:
    - matcher: "Edit|Write"
      hooks:
        - type: command
          command: "jq -r '.tool_input.file_path' | xargs prettier --write"
  Stop:
    - hooks:
        - type: command
          command: "osascript -e 'display notification \"完成\"'"
  SessionStart:
    - matcher: "startup"
      hooks:
        - type: prompt
          prompt: "记住使用 bun，不要用 npm。"
  PermissionRequest:
    - matcher: "shell"
      hooks:
        - type: permission
          decision: "allow"
`, `
hooks.PreToolUse[0].hooks[0] PreToolUse 6:11 type=command matcher="Bash"@4:16 timeout=5s command="${SKILL_DIR}/validate.sh"@7:20
hooks.PreToolUse[1].hooks[0] PreToolUse 11:11 type=prompt matcher="Write"@9:16 prompt="写入前检查文件权限"@12:19
hooks.PostToolUse[0].hooks[0] PostToolUse 16:11 type=command matcher="Edit|Write"@14:16 command="jq -r '.tool_input.file_path' | xargs prettier --write"@17:20
hooks.Stop[0].hooks[0] Stop 20:11 type=command command="osascript -e 'display notification \"完成\"'"@21:20
hooks.SessionStart[0].hooks[0] SessionStart 25:11 type=prompt matcher="startup"@23:16 prompt="记住使用 bun，不要用 npm。"@26:19
hooks.PermissionRequest[0].hooks[0] PermissionRequest 30:11 type=permission matcher="shell"@28:16 decision="allow"@31:21
`},
		{"settings.json", "settings.json", `{
  "hooks": {
    "SessionStart": [{
      "hooks": [{
        "type": "command",
        "command": "python3 scripts/session_init.py --report-env",
        "message": "Initializing security audit session..."
      }]
    }],
    "PreToolUse": [
      {
        "matcher": "Bash(rm *)",
        "hooks": [{
          "type": "command",
          "command": "python3 scripts/validate_delete.py",
          "timeout": 3000,
          "message": "Validating delete operation..."
        }]
      },
      {
        "matcher": "Write",
        "hooks": [{
          "type": "prompt",
          "prompt": "return {\"decision\": \"block\"}. File content: $ARGUMENTS"
        }]
      }
    ],
    "PostToolUse": [{
      "matcher": "Bash",
      "hooks": [{
        "type": "http",
        "url": "https://audit.internal.company.com/api/log",
        "headers": {
          "Authorization": "Bearer $AUDIT_TOKEN"
        },
        "allowedEnvVars": ["AUDIT_TOKEN"],
        "async": true
      }]
    }],
    "Stop": [{
      "hooks": [{
        "type": "command",
        "command": "python3 scripts/check_completion.py",
        "asyncRewake": true
      }]
    }],
    "SessionEnd": [{
      "hooks": [{
        "type": "command",
        "command": "python3 scripts/session_summary.py",
        "timeout": 1500
      }]
    }]
  }
}`, `
hooks.SessionStart[0].hooks[0] SessionStart 4:17 type=command message="Initializing security audit session..." command="python3 scripts/session_init.py --report-env"@6:20
hooks.PreToolUse[0].hooks[0] PreToolUse 13:19 type=command matcher="Bash(rm *)"@12:20 timeout=3s message="Validating delete operation..." command="python3 scripts/validate_delete.py"@15:22
hooks.PreToolUse[1].hooks[0] PreToolUse 22:19 type=prompt matcher="Write"@21:20 prompt="return {\"decision\": \"block\"}. File content: $ARGUMENTS"@24:21
hooks.PostToolUse[0].hooks[0] PostToolUse 30:17 type=http matcher="Bash"@29:18 async url="https://audit.internal.company.com/api/log"@32:16 headers=map[string]interface {}{"Authorization":"Bearer $AUDIT_TOKEN"}@33:20 allowedEnvVars=[]interface {}{"AUDIT_TOKEN"}@36:27
hooks.Stop[0].hooks[0] Stop 41:17 type=command async rewake command="python3 scripts/check_completion.py"@43:20
hooks.SessionEnd[0].hooks[0] SessionEnd 48:17 type=command timeout=1.5s command="python3 scripts/session_summary.py"@50:20
note: f:16:22: hooks.PreToolUse[0].hooks[0].timeout: 3000 is read as milliseconds: 3s (numbers below 1000 are seconds)
note: f:51:20: hooks.SessionEnd[0].hooks[0].timeout: 1500 is read as milliseconds: 1.5s (numbers below 1000 are seconds)
`},
		{"bare event map with a comment", "settings.json", `// 反模式：在每次工具调用前执行完整的代码审查
{
  "PreToolUse": [{
    "hooks": [{
      "type": "command",
      "command": "npm run full-code-review", // slow
      "timeout": 300000
    }]
  }]
}`, `
PreToolUse[0].hooks[0] PreToolUse 4:15 type=command timeout=5m0s command="npm run full-code-review"@6:18
note: f:7:18: PreToolUse[0].hooks[0].timeout: 300000 is read as milliseconds: 5m0s (numbers below 1000 are seconds)
`},
		{"a command full of quotes", "settings.json", `// x
{
  "PreToolUse": [{
    "matcher": "Bash",
    "hooks": [{
      "type": "command",
      "command": "echo $INPUT_JSON | jq '.tool_input.command |= \"sudo \" + .' // y"
    }]
  }]
}`, `
PreToolUse[0].hooks[0] PreToolUse 5:15 type=command matcher="Bash"@4:16 command="echo $INPUT_JSON | jq '.tool_input.command |= \"sudo \" + .' // y"@7:18
`},
		{"the native file", "pawl.yaml", `
hooks:                       # exactly the seeds' shape
  PreToolUse:
    - matcher: "Bash(rm *)"
      hooks:
        - {type: permission, decision: deny, reason: "use trash-put"}
        - {type: lua, script: policies/rm.lua}
        - {type: expr, when: 'input.command contains "prod"', decision: ask}
rules:                       # the short form of an expr hook; what README shows first
  - name: no-prod-writes
    on: PreToolUse
    match: Edit|Write
    when: path("//srv/prod/**") and permission_mode != "plan"
    decision: deny
    reason: "production is read-only: ${tool_input.file_path}"
policies: [policies/]        # Lua files that register hooks themselves
permissions: {deny: ["Bash(git push --force *)"], ask: [], allow: []}
failClosed: false
`, `
hooks.PreToolUse[0].hooks[0] PreToolUse 6:11 type=permission matcher="Bash(rm *)"@4:16 decision="deny"@6:40 reason="use trash-put"@6:54
hooks.PreToolUse[0].hooks[1] PreToolUse 7:11 type=lua matcher="Bash(rm *)"@4:16 script="policies/rm.lua"@7:31
hooks.PreToolUse[0].hooks[2] PreToolUse 8:11 type=expr matcher="Bash(rm *)"@4:16 when="input.command contains \"prod\""@8:30 decision="ask"@8:73
rules.no-prod-writes PreToolUse 10:5 type=expr matcher="Edit|Write"@12:12 when="path(\"//srv/prod/**\") and permission_mode != \"plan\""@13:11 decision="deny"@14:15 reason="production is read-only: ${tool_input.file_path}"@15:13
permissions.deny[0] deny "Bash(git push --force *)"@17:22
policy "policies/"@16:12
`},
	})
}
