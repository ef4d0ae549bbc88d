import type { HookChoice, InstallReason, PlannedInstall } from "../guard/install/installer.ts";
import type { SkillPlan } from "../guard/install/skill-change.ts";
import type { Policy } from "../guard/install/policies.ts";
import type { ChangeReason } from "../guard/install/make-change.ts";
import type { HookProgram } from "../guard/hook-program.ts";

/** What a person reads about hooks in settings files. */

export const agentNames: Readonly<Record<HookProgram, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  copilot: "Copilot CLI",
};

/** What can be done where a file was refused. */
export function remedyFor(reason: InstallReason | ChangeReason): string {
  switch (reason) {
    case "not_json":
    case "other_shape":
      return "mend it first; nothing was changed";
    case "unsafe_edit":
      return "nothing was changed; put the hooks in by hand, or tell us of the file";
    case "link_loop":
      return "mend the link first";
    case "not_a_file":
      return "put a plain file there first; nothing was changed";
    case "not_own":
      return "its owner has to do it";
    case "too_large":
      return "nothing was changed";
    case "unreadable":
    case "unwritable":
      return "look at its permissions and at the disk";
    case "changed":
      return "nothing was changed";
    case "no_such_scope":
      return "choose another scope";
  }
}

export function policyInWords({ effect, file, setting, isManaged }: Policy, program: HookProgram): string {
  const agent = agentNames[program];
  const what = effect === "no_hooks" ? `${agent} will not run purser's hooks` : `${agent} may not post hooks`;
  return `${what}: ${setting} in ${file}${isManaged ? ", which an administrator set" : ""}`;
}

/** What to know of the skill by which an agent looks at its own context. */
export function skillNotes(skill: SkillPlan | null): string[] {
  return skill?.state === "foreign"
    ? [`${skill.file} is not purser's, or was changed since: it stays as it is.`]
    : [];
}

/** What to know before hooks are installed, or of hooks that are. */
export function notesOn(
  choice: HookChoice,
  { comments, trailingCommas }: PlannedInstall["leniencies"],
  elsewhere: PlannedInstall["elsewhere"] = [],
): string[] {
  const { file, withoutHttp, hasSecret } = choice;
  const agent = agentNames[file.program];
  const notes = file.choice === null ? [] : [file.choice];
  if (choice.statusLine !== undefined)
    notes.push(
      "Its status line hands purser the agent's own figures, and shows what your own command shows; uninstalling puts that back.",
      ...(file.scope === "user"
        ? ["A mod does the same where no status line is shown; Claude Code before 2.1.287 passes it by."]
        : []),
    );
  if (hasSecret) notes.push("It holds the token of purser's service: the file is closed to other users.");
  if (withoutHttp === "in_repository")
    notes.push(
      "The file is under version control, so the token stays out of it: every hook starts a process (about 50 ms) instead of being posted.",
    );
  if (withoutHttp === "no_address")
    notes.push(
      "No service has answered hooks here yet: every hook starts a process until this is run again.",
    );
  if (file.scope === "project")
    notes.push(
      `Others who share the project get these hooks too, with this machine's path; where that is not, they do nothing. --scope ${file.program === "claude-code" ? "local" : "user"} is yours alone.`,
    );
  if (file.program === "codex")
    notes.push("Codex runs new or changed hooks after they were reviewed: /hooks in Codex.");
  if (comments || trailingCommas)
    notes.push(
      `The file has ${comments ? "comments" : "trailing commas"}: ${agent} does not take it for JSON, and nothing in it is in effect.`,
    );
  for (const other of elsewhere)
    notes.push(`${other.file} has purser's hooks too: events in this project are told twice.`);
  return notes;
}
