import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { HookFile } from "./settings/agent-file.ts";
import type { RecordPorts } from "./hooks-install-record.ts";
import { fileModes, planOwnedFile, type OwnedFileState } from "./settings/owned-file.ts";
import type { HookChange } from "./plan-change.ts";
import type { SettingsReason } from "./settings/disk.ts";
import { type Shim, anyShell, cliBeside } from "./settings/install-settings-entry.ts";

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

export interface SkillContext extends RecordPorts {
  readonly shim: Shim;
}

export interface SkillPlan {
  readonly file: string;
  readonly state: OwnedFileState;
  /** Changes in the order to make them; empty where the file is not ours to change. */
  readonly changes: readonly HookChange[];
}

/**
 * Plans installing or removing the skill. Null for an agent without skills. Writes nothing.
 * @param settings the settings file that contains the hooks
 */
export async function planSkill(
  act: HookChange["act"],
  { program, scope, file: settings }: Omit<HookFile, "choice">,
  context: SkillContext,
): Promise<Result<SkillPlan | null, SettingsReason>> {
  if (program !== "claude-code") return succeed(null);
  const folder = path.join(path.dirname(settings), "skills", skillName);
  const mode = scope === "project" ? fileModes.shared : fileModes.own;
  const skill = await planOwnedFile(
    act,
    { file: path.join(folder, "SKILL.md"), mode },
    skillText(context.shim),
    context,
  );
  if (!skill.ok) return skill;
  const { state, change } = skill.value;
  const plan = { file: change.settings.file, state };
  if (state === "foreign") return succeed({ ...plan, changes: [] });
  if (scope !== "local") return succeed({ ...plan, changes: [change] });
  // Skills have no local scope: a skill in the project's folder is excluded from version control instead.
  const ignore = await planOwnedFile(act, { file: path.join(folder, ".gitignore"), mode }, "*\n", context);
  if (!ignore.ok) return ignore;
  const both = ignore.value.state === "foreign" ? [change] : [ignore.value.change, change];
  return succeed({ ...plan, changes: act === "install" ? both : both.toReversed() });
}
