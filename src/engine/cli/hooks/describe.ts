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
    case "no_node":
      return "--anyway installs them all the same";
  }
}

export function describePolicy({ effect, file, setting, isManaged }: Policy, program: HookProgram): string {
  const agent = agentNames.of(program);
  const what = effect === "no_hooks" ? `${agent} will not run purser's hooks` : `${agent} may not post hooks`;
  return `${what}: ${setting} in ${file}${isManaged ? ", which an administrator set" : ""}`;
}

/** Returns notes about the skill by which an agent inspects its own context. */
export function skillNotes(skill: SkillPlan | null): string[] {
  return skill?.state === "foreign"
    ? [`${skill.file} is not purser's, or was changed since: it stays as it is.`]
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
      "Its status line hands purser the agent's own figures, and shows what your own command shows; uninstalling puts that back.",
      ...(file.scope === "user" ? [describeMod(choice)] : []),
    );
  if (hasSecret)
    notes.push(
      `${whyPosted(choice)} A prompt, a session's start and a change of model start a process each (about 50 ms), which begins the service again where it has ended.`,
      "It holds the token of purser's service: the file is closed to other users.",
    );
  if (withoutHttp !== null) notes.push(describeWithoutHttp(withoutHttp));
  if (file.scope === "project")
    notes.push(
      `Others who share the project get these hooks too, with this machine's path; where that is not, they do nothing. --scope ${file.program === "claude-code" ? "local" : "user"} is yours alone.`,
    );
  if (file.program === "codex")
    notes.push(
      "Codex runs new or changed hooks after they were reviewed: /hooks in Codex. Updates of purser change none.",
    );
  const trust = projectTrust[file.program];
  if (file.scope === "project" && trust !== undefined) notes.push(trust);
  if (file.program === "copilot") notes.push(`${describeEditor(file.scope)}.`);
  if (comments || trailingCommas)
    notes.push(
      `The file has ${comments ? "comments" : "trailing commas"}: ${agent} does not take it for JSON, and nothing in it is in effect.`,
    );
  for (const other of elsewhere)
    notes.push(`${other.file} has purser's hooks too: events in this project are told twice.`);
  return notes;
}

/** Further conditions of an agent for a project's hooks. */
const projectTrust: Readonly<Partial<Record<HookProgram, string>>> = {
  copilot:
    "Copilot CLI runs a project's hooks in folders that it trusts; without a terminal (-p) it needs --trust-folder.",
  gemini:
    "Gemini CLI runs a project's hooks in folders that it trusts, and lists them when it first meets them.",
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
          `Codex runs none of the hooks in ${file.file}: it does not trust the project. Begin Codex there and trust it.`,
        ]
      : []),
    ...(unreviewed.length === 0
      ? []
      : [`Codex skips ${those(unreviewed)}, which nobody has reviewed; ${review}.`]),
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
    ? `Hooks are posted to purser's service, as hookPosting is "always": whoever else logs in to this machine could take its port while it does not run.`
    : "Hooks are posted to purser's service, since nobody else can log in to this machine: nobody else could take its port.";
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
      : [`${agent} does not tell of ${listed(events)}: that is not known of its sessions.`];
  return tried === null
    ? silent
    : [
        ...silent,
        `${agent} is older than ${tried}, with which purser's hooks were tried: update it if they do nothing.`,
      ];
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** Explains why hooks that are commands could not run. */
export function describeNode(node: FoundNode): string {
  const needed = `hooks that are commands need Node ${oldestNode} or newer`;
  return node.kind === "old"
    ? `${needed}; the one in your PATH is ${node.version}`
    : `${needed}, and there is no "node" in your PATH`;
}
