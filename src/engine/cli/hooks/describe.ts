import { oldestNode, type FoundNode } from "../../hooks/install/found-node.ts";
import { describeWithoutHttp } from "../../hooks/install/describe.ts";
import { agentNames } from "../../transcripts/agents.ts";
import type { Ability } from "../../hooks/abilities.ts";
import type { HookChoice, InstallReason, PlannedInstall, RunStatus } from "../../hooks/install/installer.ts";
import type { SkillPlan } from "../../hooks/install/skill-change.ts";
import type { Policy } from "../../hooks/install/policies.ts";
import type { ChangeReason } from "../../hooks/install/make-change.ts";
import type { HookProgram } from "../../hooks/program.ts";
import type { HooksJson } from "./schema.ts";

/** Messages about hooks in settings files, and what they can do. */

/** Returns the remedy for a refused file. */
export function remedyFor(reason: InstallReason | ChangeReason | "no_node"): string {
  switch (reason) {
    case "not_json":
    case "other_shape":
      return "fix it first; nothing was changed";
    case "unsafe_edit":
      return "nothing was changed; add the hooks by hand, or report the file to us";
    case "link_loop":
      return "fix the link first";
    case "not_a_file":
      return "replace it with a regular file first; nothing was changed";
    case "not_own":
      return "its owner has to change it";
    case "too_large":
      return "nothing was changed";
    case "unreadable":
    case "unwritable":
      return "check its permissions and the disk";
    case "changed":
      return "nothing was changed";
    case "no_such_scope":
      return "choose another scope";
    case "no_node":
      return "--anyway installs them anyway";
  }
}

export function describePolicy({ effect, file, setting, isManaged }: Policy, program: HookProgram): string {
  const agent = agentNames.of(program);
  const what = effect === "no_hooks" ? `${agent} will not run purser's hooks` : `${agent} may not post hooks`;
  return `${what}: ${setting} in ${file}${isManaged ? ", set by your administrator" : ""}`;
}

/** Returns notes about the skill by which an agent inspects its own context. */
export function skillNotes(skill: SkillPlan | null): string[] {
  return skill?.state === "foreign"
    ? [`${skill.file} is not purser's or was changed, so it was left as it is.`]
    : [];
}

/** Returns notes about hooks to be installed, or already installed. */
export function notesOn(
  choice: HookChoice,
  { comments, trailingCommas }: PlannedInstall["leniencies"],
  elsewhere: PlannedInstall["elsewhere"] = [],
): string[] {
  const { file, withoutHttp, hasSecret } = choice;
  const agent = agentNames.of(file.program);
  const notes = file.choice === null ? [] : [file.choice];
  if (choice.statusLine !== undefined)
    notes.push(
      "The status line passes the agent's own figures to purser and still shows what your own command shows; uninstalling restores yours.",
      ...(file.scope === "user" ? [describeMod(choice)] : []),
    );
  if (hasSecret)
    notes.push(
      `${whyPosted(choice)} A prompt, the start of a session and a change of model each start a process (about 50 ms), which also restarts the service if it has ended.`,
      "The file will contain an access token for purser's local service; its permissions are set to owner-only.",
    );
  if (withoutHttp !== null) notes.push(describeWithoutHttp(withoutHttp));
  if (file.scope === "project")
    notes.push(
      `Others who work on the project get these hooks too, with a path of this machine; on machines without that path they do nothing. --scope ${file.program === "claude-code" ? "local" : "user"} is accessible only to you.`,
    );
  if (file.program === "codex")
    notes.push(
      "Codex runs new or changed hooks only after you review them (/hooks in Codex). Updates of purser do not change them.",
    );
  const trust = projectTrust[file.program];
  if (file.scope === "project" && trust !== undefined) notes.push(trust);
  if (file.program === "copilot") notes.push(`${describeEditor(file.scope)}.`);
  if (comments || trailingCommas)
    notes.push(
      `The file has ${comments ? "comments" : "trailing commas"}: ${agent} does not accept it as JSON, so nothing in it takes effect.`,
    );
  for (const other of elsewhere)
    notes.push(`${other.file} has purser's hooks too, so events in this project are reported twice.`);
  return notes;
}

/** Further conditions of an agent for a project's hooks. */
const projectTrust: Readonly<Partial<Record<HookProgram, string>>> = {
  copilot:
    "Copilot CLI runs a project's hooks only in folders that it trusts; without a terminal (-p) it needs --trust-folder.",
  gemini: "Gemini CLI runs a project's hooks only in folders that it trusts, and lists them the first time.",
};

function describeEditor(scope: HookChoice["file"]["scope"]): string {
  const where = scope === "user" ? "~/.copilot/hooks" : ".github/hooks";
  return `VS Code's own chat runs them too, unless its settings chat.useHooks or chat.hookFilesLocations keep it from ${where}`;
}

/** Hooks that an agent skips until its user acts: these do not work. */
export function describeSkipped(
  skipped: RunStatus["skipped"],
  { events, file }: HookChoice & RunStatus,
): string[] {
  if (skipped === null) return [];
  const { unreviewed, changed, off, isProjectUntrusted } = skipped;
  const review = "review them: /hooks in Codex";
  const those = (names: readonly string[]) =>
    names.length === events.length ? "all of these hooks" : `the hooks of ${listed(names)}`;
  return [
    ...(isProjectUntrusted
      ? [
          `Codex runs none of the hooks in ${file.file}: it does not trust the project. Start Codex there and trust it.`,
        ]
      : []),
    ...(unreviewed.length === 0
      ? []
      : [`Codex skips ${those(unreviewed)}, which have not been reviewed; ${review}.`]),
    ...(changed.length === 0
      ? []
      : [`Codex skips ${those(changed)}, which changed since the review; ${review}.`]),
    ...(off.length === 0 ? [] : [`Codex skips ${those(off)}, which you switched off there.`]),
  ];
}

const abilityWords: Readonly<Record<Ability, string>> = {
  warnings: "warnings in its context",
  prompt_limits: "prompts held to budgets",
  tool_limits: "tools held to budgets",
  turn_limits: "turns ended by budgets",
  stop_gate: "the stop gate",
  notices: "notices to you",
  questions: "questions to you",
  compactions: "compactions",
  kept_facts: "facts named before a compaction",
  lost_facts: "lost facts told after a compaction",
  subagents: "subagents told apart",
};

/** Abilities and limits of hooks with an agent. */
export function describeAbilities({ works, lacks }: HooksJson["agents"][number]): string {
  const words = (those: readonly Ability[]) => those.map((ability) => abilityWords[ability]).join(", ");
  return lacks.length === 0 ? words(works) : `${words(works)}; not: ${words(lacks)}`;
}

function whyPosted({ isInsistedOn }: HookChoice): string {
  return isInsistedOn
    ? `Hooks are posted to purser's service because hookPosting is "always": other users of this machine could take its port while it is not running.`
    : "Hooks are posted to purser's service because nobody else can log in to this machine and take its port.";
}

/** The mod runs in the agent, and can only post. */
function describeMod({ hasSecret, lacks }: HookChoice): string {
  if (!hasSecret)
    return "There is no mod, which would tell them where no status line is shown: it would post them.";
  return lacks?.areModsUnknown === true
    ? `A mod does the same where no status line is shown, from Claude Code 2.1.287 on; ${lacks.version} passes it by.`
    : "A mod does the same where no status line is shown; Claude Code before 2.1.287 passes it by.";
}

/** Describes what the agent's version does not support of the hooks as installed. */
export function describeLacks({ lacks, file }: HookChoice): string[] {
  if (lacks === null) return [];
  const { version, events, tried } = lacks;
  const agent = `${agentNames.of(file.program)} ${version}`;
  const silent =
    events.length === 0
      ? []
      : [`${agent} does not report ${listed(events)}, so these are unknown for its sessions.`];
  return tried === null
    ? silent
    : [
        ...silent,
        `${agent} is older than ${tried}, the version purser's hooks were tested with; update it if they do nothing.`,
      ];
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** Explains why hooks that are commands could not run. */
export function describeNode(node: FoundNode): string {
  const needed = `command hooks need Node ${oldestNode} or newer`;
  return node.kind === "old"
    ? `${needed}; the one in your PATH is ${node.version}`
    : `${needed}, and there is no "node" in your PATH`;
}
