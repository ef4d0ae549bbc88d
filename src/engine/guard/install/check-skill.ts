import path from "node:path";
import { anyShell, type Shim } from "./shim-command.ts";

/** The skill by which an agent looks how much of its context is left. */
export const skillName = "check-tokens";

/**
 * The text of the skill. It names the CLI by its path, as the hooks name the shim: `purser` need not be in anybody's `PATH`. The agent
 * puts its session's id in.
 */
export function skillText({ path: shim, runtime }: Shim): string {
  const program = anyShell(cliBeside(shim));
  const command = `${runtime} ${program} status --session \${CLAUDE_SESSION_ID} --json`;
  // A rule of permissions ends at a bracket.
  const allowed = /[()[\]*:]/u.test(program) ? "" : `allowed-tools: Bash(${runtime} ${program} status *)\n`;
  return `---
name: ${skillName}
description: Tells how many tokens of this session's context are used and left, and whether to go on, wrap up or end the turn. Use it before a large step, or when asked how full the context is.
${allowed}---

<!-- Written by Context Purser. \`purser hooks uninstall\` removes it, unless it was changed. -->

Run this and read the JSON that it prints:

\`\`\`sh
${command}
\`\`\`

- \`tokensUsed\`, \`tokensRemaining\`, \`percentUsed\` and \`percentRemaining\` are of \`tokenLimit\`, the context window.
- \`tokensUntilCompaction\` is what is left until the context is compacted by itself.
- \`recommendation\`: \`CONTINUE\`, \`WRAP_UP\` (finish the step in hand) or \`END_TURN\` (leave the rest to a new session).
- What is \`null\` is not known: say so, and do not guess.

Tell the figures in a sentence. If the command is not there, say that purser is not installed on this machine.
`;
}

/** The CLI's program: it stands beside the shim's, or where it is written. */
function cliBeside(shim: string): string {
  const { dir, ext } = path.parse(shim);
  return ext === ".ts" ? path.join(dir, "..", "cli", "main.ts") : path.join(dir, "cli.cjs");
}
