// Package command is the hook type that runs a command: a shell text, or a
// program with its arguments.
//
//	shell form  command alone: bash --noprofile --norc -c TEXT, or pwsh -Command TEXT
//	exec form   command and args (also an empty list): no shell; in both,
//	            ${CLAUDE_PROJECT_DIR} ${CLAUDE_PLUGIN_ROOT} ${SKILL_DIR} are replaced
//	stdin       the event on one line, with "unknown" if the text cannot be told
//	place       working directory: project root; of a skill or plugin, its own
//	variables   what the event is in the environment, one variable a fact
//	overflow    an INPUT_JSON that is too large for a variable
//	files       the scripts that a command names, and those that these name
//	copies      of files that are not what was accepted any more
//	sandbox     what a confined command may reach: true, or
//	            {network: false, read: [paths], write: [paths]}
//
// The variables: INPUT_JSON (the event, the keys of tool_input also beside
// it), CLAUDE_OUTPUT (last text of the assistant), CLAUDE_PROJECT_DIR,
// SKILL_DIR (outside a skill the directory of the settings file),
// CLAUDE_PLUGIN_ROOT (hooks of plugins), SESSION_ID, HOOK_EVENT, CWD. They
// come on top of the inherited environment without what injects code.
//
// Promises:
//
//  1. The text of the shell form reaches the shell as it was written, but for 6.
//  2. A variable larger than 96 KiB is left out, and so is an older one of
//     its name. Nothing is cut.
//  3. The agent picks the size of an event, so it must gain nothing by it: a
//     hook that had to run without INPUT_JSON blocks unless it asks, denies or
//     halts, if it says INPUT_JSON anywhere (in its text, in a script that
//     this names, or in one that the script names), or names a script in a
//     way that cannot be told. So does an event that is too large for the
//     system to start the command.
//  4. A missing shell, program or directory and an end by a signal are
//     failures that say so, never answers.
//  5. In a sandbox a command sees the system and the project, to read, a /tmp
//     of its own and no home directory; it has no network and no processes but
//     its own, and nothing of it goes on when it has ended. What only root may
//     read or set is not there for root either. It can connect to a socket that
//     is a file in a directory which it sees. A path of the
//     project that leads out of it, or that is not there to be written to,
//     blocks; so does a system without bwrap. The agent may make the first two.
//  6. Where files are to be kept, no other bytes of them run than those
//     accepted, as far as the words of the command tell them: copies take their
//     place, which may change the text of the command. Where that is not certain,
//     or a copy fails, the hook blocks.
//  7. An Action may be run by any number of goroutines and keeps nothing.
package command
