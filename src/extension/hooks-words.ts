import type { HookProgram } from "../engine/guard/hook-program.ts";
import type { HookScope } from "../engine/guard/install/hook-file.ts";
import type { HookChoice, InstallReason, PlannedInstall } from "../engine/guard/install/installer.ts";
import type { ChangeReason } from "../engine/guard/install/make-change.ts";
import { skillName } from "../engine/guard/install/check-skill.ts";
import type { SkillPlan } from "../engine/guard/install/skill-change.ts";
import type { HookStatus } from "../engine/guard/install/hook-status.ts";
import type { Policy } from "../engine/guard/install/policies.ts";
import type { Translate } from "./words.ts";

/** What a person reads in the editor about hooks in settings files. Paths are outside text: whoever shows them cleans them. */

export const agentNames: Readonly<Record<HookProgram, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  copilot: "Copilot CLI",
};

export function scopeName(scope: HookScope, t: Translate): string {
  switch (scope) {
    case "user":
      return t("Everywhere");
    case "project":
      return t("This project, shared");
    case "local":
      return t("This project, only me");
  }
}

export function scopeDetail(scope: HookScope, t: Translate): string {
  switch (scope) {
    case "user":
      return t("Your own settings, on this machine.");
    case "project":
      return t("Settings that everybody who works on the project has.");
    case "local":
      return t("Your own settings for this project.");
  }
}

export function stateInWords({ state, events }: Pick<HookStatus, "state" | "events">, t: Translate): string {
  switch (state) {
    case "absent":
      return t("not installed");
    case "installed":
      return t("installed · {0} events", events.length);
    case "outdated":
      return t("not up to date · {0} events", events.length);
  }
}

export function policyInWords(
  { effect, setting, isManaged }: Policy,
  program: HookProgram,
  t: Translate,
): string {
  const agent = agentNames[program];
  const what =
    effect === "no_hooks"
      ? t("{0} will not run purser's hooks: {1} keeps it from that.", agent, setting)
      : t(
          "{0} may not post hooks: {1} keeps it from that. Each starts a small process instead.",
          agent,
          setting,
        );
  return isManaged ? `${what} ${t("An administrator set it.")}` : what;
}

export interface Planned {
  readonly choice: HookChoice;
  readonly skill: SkillPlan | null;
  readonly leniencies: PlannedInstall["leniencies"];
  readonly elsewhere: readonly string[];
}

/** What to know before hooks are installed, the most important first. */
export function installNotes({ choice, skill, leniencies, elsewhere }: Planned, t: Translate): string[] {
  const { file, withoutHttp, hasSecret } = choice;
  const agent = agentNames[file.program];
  const notes: string[] = [];
  if (leniencies.comments || leniencies.trailingCommas) {
    const what = leniencies.comments ? t("comments") : t("trailing commas");
    notes.push(t("The file has {0}, which {1} does not read: nothing in it is in effect.", what, agent));
  }
  for (const other of elsewhere)
    notes.push(t("{0} has purser's hooks too: what happens here is told twice.", other));
  if (file.scope === "project")
    notes.push(t("Everybody who shares the project gets them; where purser is not, they do nothing."));
  if (file.program === "codex") notes.push(t("Codex runs them once you have reviewed them there: /hooks."));
  if (skill?.state === "absent")
    notes.push(
      t(
        "With them comes the skill {0}: the agent can look what is left of its context and its budgets.",
        skillName,
      ),
    );
  if (skill?.state === "foreign")
    notes.push(t("The skill {0} is somebody else's and stays as it is.", skillName));
  if (choice.statusLine !== undefined)
    notes.push(t("The status line tells purser the agent's own figures and shows what it showed."));
  if (hasSecret) notes.push(t("The file gets the key of purser's service and is closed to other users."));
  if (withoutHttp === "in_repository")
    notes.push(
      t("The file is under version control, so no key goes into it: each hook starts a small process."),
    );
  if (withoutHttp === "no_address")
    notes.push(
      t("Purser's service is not running: each hook starts a small process until you install again."),
    );
  return notes;
}

/** Why a file was left alone, and what can be done. The detail names the file. */
export function refusalInWords(reason: InstallReason | ChangeReason, detail: string, t: Translate): string {
  switch (reason) {
    case "not_json":
    case "other_shape":
      return t("{0}. Nothing was changed. Mend the file, then try again.", detail);
    case "unsafe_edit":
      return t("{0}. Nothing was changed. Put the hooks in by hand, or tell us of the file.", detail);
    case "link_loop":
      return t("{0}. Mend the link, then try again.", detail);
    case "not_a_file":
      return t("{0}. Put a plain file there, then try again.", detail);
    case "not_own":
      return t("{0}. Only its owner can do this.", detail);
    case "too_large":
      return t("{0}. Nothing was changed.", detail);
    case "unreadable":
    case "unwritable":
      return t("{0}. Look at its permissions and at the disk, then try again.", detail);
    case "changed":
      return t("{0} Nothing was changed by purser.", `${detail}.`);
    case "no_such_scope":
      return t("{0}. Choose another place.", detail);
  }
}
