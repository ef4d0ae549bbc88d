import type { Result } from "../../engine/base/result.ts";
import type { HookProgram } from "../../engine/hooks/program.ts";
import {
  type HookScope,
  type Policy,
  type FoundNode,
  oldestNode,
  type WithoutHttp,
  type RunStatus,
  type PlannedInstall,
  type InstallReason,
  type HookChoice,
  type ChangeReason,
  type OtherPeople,
  skillName,
  type SkillPlan,
} from "../../engine/hooks/install.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";

/** Texts about hooks in settings files. Paths are untrusted text: callers clean them before showing them. */

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

/** The group of a place in the list: those that need the user come first. */
export const hookGroups = ["attention", "installed", "absent"] as const;
export type HookGroup = (typeof hookGroups)[number];

export function hookGroupOf(status: Result<Pick<RunStatus, "state" | "skipped">, InstallReason>): HookGroup {
  if (!status.ok || status.value.skipped !== null || status.value.state === "outdated") return "attention";
  return status.value.state;
}

export function describeHookGroup(group: HookGroup, t: Translate): string {
  switch (group) {
    case "attention":
      return t("Need attention");
    case "installed":
      return t("Installed");
    case "absent":
      return t("Not installed");
  }
}

export function describeState(
  { state, events, skipped }: Pick<RunStatus, "state" | "events" | "skipped">,
  t: Translate,
): string {
  if (skipped !== null) {
    const count = skipped.unreviewed.length + skipped.changed.length + skipped.off.length;
    if (skipped.isProjectUntrusted) return t("not run · Codex does not trust the project");
    return t("{0} of {1} events not run · review them in Codex: /hooks", count, events.length);
  }
  switch (state) {
    case "absent":
      return t("not installed");
    case "installed":
      return t("installed · {0} events", events.length);
    case "outdated":
      return t("not up to date · {0} events", events.length);
  }
}

/** The editor's own settings of hooks. Undefined if the editor has none and so runs no hooks. */
export interface EditorHooks {
  readonly useHooks: unknown;
  /** Whether hooks are loaded from each place. The usual places are loaded unless switched off here. */
  readonly locations: unknown;
}

/** Whether VS Code's own chat runs the hooks of Copilot CLI in a scope. */
export function describeInEditor(
  { useHooks, locations }: EditorHooks,
  scope: HookScope,
  t: Translate,
): string {
  if (useHooks === undefined) return t("VS Code's chat runs none in this version");
  if (useHooks !== true) return t("not in VS Code's chat: {0} is off", "chat.useHooks");
  const place = scope === "user" ? "~/.copilot/hooks" : ".github/hooks";
  const isOff =
    typeof locations === "object" && locations !== null && Reflect.get(locations, place) === false;
  return isOff
    ? t("not in VS Code's chat: excluded by {0}", "chat.hookFilesLocations")
    : t("in VS Code's chat too");
}

export function describePolicy(
  { effect, setting, isManaged }: Policy,
  program: HookProgram,
  t: Translate,
): string {
  const agent = agentNames.of(program);
  const what =
    effect === "no_hooks"
      ? t("{0} will not run purser's hooks: blocked by {1}.", agent, setting)
      : t(
          "{0} may not post hooks (blocked by {1}). Each hook starts a small process instead.",
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

/** Notes shown before hooks are installed, most important first. */
export function installNotes({ choice, skill, leniencies, elsewhere }: Planned, t: Translate): string[] {
  const { file, withoutHttp, hasSecret } = choice;
  const agent = agentNames.of(file.program);
  const notes: string[] = [];
  if (leniencies.comments || leniencies.trailingCommas) {
    const what = leniencies.comments ? t("comments") : t("trailing commas");
    notes.push(t("The file has {0}, which {1} does not read: nothing in it is in effect.", what, agent));
  }
  for (const other of elsewhere)
    notes.push(t("{0} has purser's hooks too: events here are reported twice.", other));
  if (file.scope === "project")
    notes.push(t("Everybody who shares the project gets them; without purser they do nothing."));
  if (file.program === "codex") notes.push(t("Codex runs them once you have reviewed them there: /hooks."));
  if (file.program === "copilot") notes.push(t("VS Code's own chat runs them too."));
  if (skill?.state === "absent")
    notes.push(
      t(
        "They come with the skill {0}, which lets the agent check what is left of its context and budgets.",
        skillName,
      ),
    );
  if (skill?.state === "foreign")
    notes.push(t("The skill {0} is not purser's and stays as it is.", skillName));
  if (choice.statusLine !== undefined)
    notes.push(
      t("The status line reports the agent's own figures to purser and still shows what it did before."),
    );
  if (hasSecret)
    notes.push(
      choice.isInsistedOn
        ? t("Hooks are posted, as you set it; each prompt starts a small process.")
        : t(
            "Hooks are posted, since nobody else can log in to this machine; each prompt starts a small process.",
          ),
      t(
        "The file will contain an access token for purser's local service; its permissions are set to owner-only.",
      ),
    );
  if (withoutHttp !== null) notes.push(describeWithoutHttp(withoutHttp, t));
  notes.push(...describeLacks(choice, t));
  return notes;
}

/** Why every hook is a command although some could be posted. */
export function describeWithoutHttp(why: WithoutHttp, t: Translate): string {
  switch (why.kind) {
    case "in_repository":
      return t(
        "The file is under version control, so it gets no access token: each hook starts a small process.",
      );
    case "not_wanted":
      return t("By your setting no hook is posted: each starts a small process.");
    case "too_old":
      return t("This version of Claude Code posts no hooks: each starts a small process.");
    case "no_address":
      return t("Purser's service is not running: each hook starts a small process until you install again.");
    case "forbidden":
      return t("Claude Code may not post hooks: each starts a small process.");
    case "not_alone":
      return t(
        "{0}, and could read what is posted: each hook starts a small process.",
        describePeople(why.people, t),
      );
  }
}

function describePeople(people: OtherPeople, t: Translate): string {
  switch (people.kind) {
    case "nobody":
      return t("Nobody else can log in to this machine");
    case "account":
      return t("The account {0} can log in to this machine", people.name);
    case "directory":
      return t("Others listed in {0} can log in to this machine", people.name);
    case "host":
      return t("Others can log in to the machine that this one shares its ports with");
    case "unknown":
      return t("Purser cannot tell whether others can log in to this machine");
  }
}

/** What the agent's version does not support of the installed hooks. */
function describeLacks({ lacks, file }: HookChoice, t: Translate): string[] {
  if (lacks === null) return [];
  const { version, events, tried } = lacks;
  const agent = `${agentNames.of(file.program)} ${version}`;
  return [
    ...(events.length === 0 ? [] : [t("{0} does not report {1}.", agent, events.join(", "))]),
    ...(tried === null
      ? []
      : [t("{0} is older than {1}, the version purser's hooks were tested with.", agent, tried)]),
  ];
}

/** Why command hooks could not run. */
export function describeNode(node: FoundNode, t: Translate): string {
  return node.kind === "old"
    ? t("Purser's hooks need Node {0} or newer; agents find {1} here.", oldestNode, node.version)
    : t("Purser's hooks need Node {0} or newer, and agents find none here.", oldestNode);
}

/** Why a file was not changed, and what to do. The detail names the file. */
export function describeRefusal(reason: InstallReason | ChangeReason, detail: string, t: Translate): string {
  switch (reason) {
    case "not_json":
    case "other_shape":
      return t("{0}. Nothing was changed. Fix the file, then try again.", detail);
    case "unsafe_edit":
      return t("{0}. Nothing was changed. Add the hooks by hand, or report the file to us.", detail);
    case "link_loop":
      return t("{0}. Fix the link, then try again.", detail);
    case "not_a_file":
      return t("{0}. Put a plain file there, then try again.", detail);
    case "not_own":
      return t("{0}. Only its owner can do this.", detail);
    case "too_large":
    case "outside_project":
      return t("{0}. Nothing was changed.", detail);
    case "unreadable":
    case "unwritable":
      return t("{0}. Check its permissions and the disk, then try again.", detail);
    case "changed":
      return t("{0} Nothing was changed by purser.", `${detail}.`);
    case "no_such_scope":
      return t("{0}. Choose another place.", detail);
  }
}
