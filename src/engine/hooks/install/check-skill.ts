import path from "node:path";
import { anyShell, type Shim } from "./settings/shim-command.ts";

/** The skill by which an agent checks how much of its context and of its budgets is left. */
export const skillName = "check-tokens";

/** Text of the skill. It refers to the CLI by path, as the hooks refer to the shim: `purser` need not be in the `PATH`. The agent fills in its session id. */
export function skillText({ path: shim, runtime }: Shim): string {
  const program = anyShell(cliBeside(shim));
  const ofSession = "--session ${CLAUDE_SESSION_ID}";
  const status = `${runtime} ${program} status ${ofSession} --json`;
  const budget = `${runtime} ${program} budget check ${ofSession} --tokens 0 --json`;
  const rules = ["status", "budget check"].map((words) => `Bash(${runtime} ${program} ${words} *)`);
  // A permission rule would end at a bracket.
  const allowed = /[()[\]*:]/u.test(program) ? "" : `allowed-tools: ${rules.join(", ")}\n`;
  return `---
name: ${skillName}
description: Tells how many tokens of this session's context are used and left, what is left of its budgets, and whether to go on, wrap up or end the turn. Use it before a large step, or when asked how full the context is or what is left of a budget.
${allowed}---

<!-- Written by Context Purser. \`purser hooks uninstall\` removes it, unless it was changed. -->

Run each of these and read the JSON that it prints. The first is of the context:

\`\`\`sh
${status}
\`\`\`

- \`tokensUsed\`, \`tokensRemaining\`, \`percentUsed\` and \`percentRemaining\` are of \`tokenLimit\`, the context window.
- \`tokensUntilCompaction\` is what is left until the context is compacted by itself.
- \`recommendation\`: \`CONTINUE\`, \`WRAP_UP\` (finish the step in hand) or \`END_TURN\` (leave the rest to a new session).
- What is \`null\` is not known: say so, and do not guess.

The second is of the budgets. It ends with exit code 3, which is no error, where no call is allowed any more:

\`\`\`sh
${budget}
\`\`\`

- \`remainingTokens\` is what is left of the budget that runs out first, and \`level\` says which that is; both are \`null\` where no budget holds this session.
- \`levels\` has every limit that holds it, with \`used\` of \`limit\`, and \`remaining\`.
- \`allowed: false\`: begin nothing more, say what is done and what is left to do, and end the turn. \`text\` says what the user can do.

Tell the figures in a sentence or two. If the command is not there, say that purser is not installed on this machine.
`;
}

/** Path of the CLI: beside the shim in a build, or at its source. */
function cliBeside(shim: string): string {
  const { dir, ext } = path.parse(shim);
  return ext === ".ts" ? path.join(dir, "..", "cli", "main.ts") : path.join(dir, "cli.cjs");
}
