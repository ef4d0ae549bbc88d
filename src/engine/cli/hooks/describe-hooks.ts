import { plainSentence, compose, type Sentence, sentence, t } from "../../base/language.ts";
import {
  type Policy,
  describeWithoutHttp,
  type RunStatus,
  type PlannedInstall,
  type InstallReason,
  type HookChoice,
  type ChangeReason,
  type HookChange,
  oldestNode,
  type FoundNode,
  type SkillPlan,
} from "../../hooks/install.ts";
import { agentNames } from "../../transcripts/agents.ts";
import type { HookProgram } from "../../hooks/program.ts";
import type { Ability } from "../../hooks/abilities.ts";

export function remedyFor(reason: InstallReason | ChangeReason | "no_node"): Sentence {
  switch (reason) {
    case "not_json":
    case "other_shape":
      return sentence("fix it first; nothing was changed");
    case "unsafe_edit":
      return sentence("nothing was changed; add the hooks by hand, or report the file to us");
    case "link_loop":
      return sentence("fix the link first");
    case "not_a_file":
      return sentence("replace it with a regular file first; nothing was changed");
    case "not_own":
      return sentence("its owner has to change it");
    case "too_large":
      return sentence("nothing was changed");
    case "unreadable":
    case "unwritable":
      return sentence("check its permissions and the disk");
    case "changed":
      return sentence("nothing was changed");
    case "no_such_scope":
      return sentence("choose another scope");
    case "outside_project":
      return sentence("nothing was changed; --scope user holds everywhere");
    case "no_node":
      return sentence("--anyway installs them anyway");
  }
}

export function describePolicy({ effect, file, setting, isManaged }: Policy, program: HookProgram): Sentence {
  const agent = agentNames.of(program);
  if (effect === "no_hooks")
    return isManaged
      ? sentence(
          "{0} will not run purser's hooks: {1} in {2}, set by your administrator",
          agent,
          setting,
          file,
        )
      : sentence("{0} will not run purser's hooks: {1} in {2}", agent, setting, file);
  return isManaged
    ? sentence("{0} may not post hooks: {1} in {2}, set by your administrator", agent, setting, file)
    : sentence("{0} may not post hooks: {1} in {2}", agent, setting, file);
}

export function skillNotes(skill: SkillPlan | null): Sentence[] {
  return skill?.state === "foreign"
    ? [sentence("{0} is not purser's or was changed, so it was left as it is.", skill.file)]
    : [];
}

export function notesOn(
  choice: HookChoice,
  { comments, trailingCommas }: PlannedInstall["leniencies"],
  elsewhere: PlannedInstall["elsewhere"] = [],
): Sentence[] {
  const { file, withoutHttp, hasSecret } = choice;
  const agent = agentNames.of(file.program);
  const notes = file.choice === null ? [] : [file.choice];
  if (choice.statusLine !== undefined)
    notes.push(
      sentence(
        "The status line passes the agent's own figures to purser and still shows what your own command shows; uninstalling restores yours.",
      ),
      ...(file.scope === "user" ? [describeMod(choice)] : []),
    );
  if (hasSecret)
    notes.push(
      compose`${whyPosted(choice)} ${sentence("A prompt, the start of a session and a compaction each start a process, which also restarts the service if it has ended.")}`,
      sentence(
        "The file will contain an access token for purser's local service; its permissions are set to owner-only.",
      ),
    );
  if (withoutHttp !== null) notes.push(describeWithoutHttp(withoutHttp));
  if (file.scope === "project")
    notes.push(
      sentence(
        "Others who work on the project get these hooks too, with a path of this machine; on machines without that path they do nothing. {0} is accessible only to you.",
        `--scope ${file.program === "claude-code" ? "local" : "user"}`,
      ),
    );
  if (file.program === "codex")
    notes.push(
      sentence(
        "Codex runs new or changed hooks only after you review them (/hooks in Codex). Updates of purser do not change them.",
      ),
    );
  const trust = projectTrust[file.program];
  if (file.scope === "project" && trust !== undefined) notes.push(trust);
  if (file.program === "copilot") notes.push(describeEditor(file.scope));
  if (comments || trailingCommas) notes.push(describeNotJson({ comments }, agent));
  for (const other of elsewhere)
    notes.push(
      sentence("{0} has purser's hooks too, so events in this project are reported twice.", other.file),
    );
  return notes;
}

/** Explains that an agent ignores a settings file with comments or trailing commas. */
export function describeNotJson({ comments }: { readonly comments: boolean }, agent: string): Sentence {
  return comments
    ? sentence("The file has comments: {0} does not accept it as JSON, so nothing in it takes effect.", agent)
    : sentence(
        "The file has trailing commas: {0} does not accept it as JSON, so nothing in it takes effect.",
        agent,
      );
}

const projectTrust: Readonly<Partial<Record<HookProgram, Sentence>>> = {
  copilot: sentence(
    "Copilot CLI runs a project's hooks only in folders that it trusts; without a terminal (-p) it needs --trust-folder.",
  ),
  gemini: sentence(
    "Gemini CLI runs a project's hooks only in folders that it trusts, and lists them the first time.",
  ),
};

function describeEditor(scope: HookChoice["file"]["scope"]): Sentence {
  const where = scope === "user" ? "~/.copilot/hooks" : ".github/hooks";
  return sentence(
    "VS Code's own chat runs them too, unless its settings chat.useHooks or chat.hookFilesLocations keep it from {0}.",
    where,
  );
}

/** Hooks that an agent skips until its user acts. */
export function describeSkipped(
  skipped: RunStatus["skipped"],
  { events, file }: HookChoice & RunStatus,
): Sentence[] {
  if (skipped === null) return [];
  const { unreviewed, changed, off, isProjectUntrusted } = skipped;
  const those = (names: readonly string[]) =>
    names.length === events.length
      ? sentence("all of these hooks")
      : sentence("the hooks of {0}", listed(names));
  return [
    ...(isProjectUntrusted
      ? [
          sentence(
            "Codex runs none of the hooks in {0}: it does not trust the project. Start Codex there and trust it.",
            file.file,
          ),
        ]
      : []),
    ...(unreviewed.length === 0
      ? []
      : [
          sentence(
            "Codex skips {0}, which have not been reviewed; review them: /hooks in Codex.",
            those(unreviewed),
          ),
        ]),
    ...(changed.length === 0
      ? []
      : [
          sentence(
            "Codex skips {0}, which changed since the review; review them: /hooks in Codex.",
            those(changed),
          ),
        ]),
    ...(off.length === 0 ? [] : [sentence("Codex skips {0}, which you switched off there.", those(off))]),
  ];
}

/** In the order of the table of `purser hooks status`. */
export const abilityWords: Readonly<Record<Ability, string>> = {
  warnings: t("warnings in its context"),
  prompt_limits: t("prompts held to budgets"),
  tool_limits: t("tools held to budgets"),
  turn_limits: t("turns ended by budgets"),
  stop_gate: t("the “done?” check"),
  notices: t("notices to you"),
  questions: t("questions to you"),
  compactions: t("compactions"),
  kept_facts: t("facts named before a compaction"),
  lost_facts: t("lost facts told after a compaction"),
  subagents: t("subagents told apart"),
};

/** Why an event has a hook. Events that agents name differently have one reason. */
export const eventReasons: Readonly<Record<string, string>> = {
  SessionStart: t("starts the service, and hands over what an earlier session left"),
  ...each(["UserPromptSubmit", "BeforeAgent"], t("holds prompts to budgets, and gives advice")),
  ...each(["PreToolUse", "BeforeTool"], t("judges a call before it runs, and holds it to budgets")),
  PreSkillShellCommand: t("judges shell commands inside skills"),
  ...each(["PostToolUse", "AfterTool"], t("shortens outputs, and learns what a call did")),
  PostToolUseFailure: t("learns that a call failed"),
  PostToolBatch: t("gives advice after parallel calls, and stops at a budget"),
  PermissionRequest: t("lets you answer for a message between agents"),
  PermissionDenied: t("learns that a message was not sent"),
  SubagentStart: t("holds a subagent to its budget"),
  SubagentStop: t("learns that a subagent has ended"),
  ...each(["Stop", "AfterAgent"], t("asks whether the work is done, and shows that the turn has ended")),
  StopFailure: t("shows that a turn failed"),
  Interrupt: t("shows that you stopped a turn"),
  PreCompact: t("names what the summary must keep"),
  PostCompact: t("tells the agent what the summary lost"),
  PostModelSwitch: t("measures the context for the new model"),
  PostModelRequest: t("measures the context after each response"),
  SessionEnd: t("learns that the session has ended"),
};

function each(events: readonly string[], reason: string): Record<string, string> {
  return Object.fromEntries(events.map((event) => [event, reason]));
}

/** Describes the benefit of a change, then its effect on each file. Empty if nothing changes. */
export function describePreview(needed: readonly HookChange[], { file, wanted }: HookChoice): string[] {
  const [first] = needed;
  if (first === undefined) return [];
  const isInstalling = first.act === "install";
  const agent = agentNames.of(file.program);
  const files = needed.map(({ settings, after }) => {
    if (settings.file === file.file)
      return isInstalling
        ? t("{0} entries in {1}, each calls purser's hook", wanted.length, settings.file)
        : t("purser's entries are removed from {0}", settings.file);
    return after === null
      ? t("{0} is removed", settings.file)
      : t("{0} is written, which the hooks come with", settings.file);
  });
  return [
    isInstalling
      ? t("{0} will know how full its context is, and budgets can stop it in time.", agent)
      : t("{0} will no longer be warned, and budgets cannot stop it.", agent),
    ...files,
  ];
}

function whyPosted({ isInsistedOn }: HookChoice): Sentence {
  return isInsistedOn
    ? sentence(
        'Hooks are posted to purser\'s service because hookPosting is "always": other users of this machine could take its port while it is not running.',
      )
    : sentence(
        "Hooks are posted to purser's service because nobody else can log in to this machine and take its port.",
      );
}

/** The mod runs in the agent, and can only post. */
function describeMod({ hasSecret, lacks }: HookChoice): Sentence {
  if (!hasSecret)
    return sentence(
      "There is no mod, which would tell them where no status line is shown: it would post them.",
    );
  return lacks?.areModsUnknown === true
    ? sentence(
        "A mod does the same where no status line is shown, from Claude Code 2.1.287 on; {0} passes it by.",
        lacks.version,
      )
    : sentence("A mod does the same where no status line is shown; Claude Code before 2.1.287 passes it by.");
}

export function describeLacks({ lacks, file }: HookChoice): Sentence[] {
  if (lacks === null) return [];
  const { version, events, tried } = lacks;
  const agent = `${agentNames.of(file.program)} ${version}`;
  const silent =
    events.length === 0
      ? []
      : [sentence("{0} does not report {1}, so these are unknown for its sessions.", agent, listed(events))];
  return tried === null
    ? silent
    : [
        ...silent,
        sentence(
          "{0} is older than {1}, the version purser's hooks were tested with; update it if they do nothing.",
          agent,
          tried,
        ),
      ];
}

function listed(names: readonly string[]): Sentence {
  return names.length < 2
    ? plainSentence(names.join(""))
    : sentence("{0} and {1}", names.slice(0, -1).join(", "), names.at(-1) ?? "");
}

export function describeNode(node: FoundNode): Sentence {
  return node.kind === "old"
    ? sentence("command hooks need Node {0} or newer; the one in your PATH is {1}", oldestNode, node.version)
    : sentence('command hooks need Node {0} or newer, and there is no "node" in your PATH', oldestNode);
}
