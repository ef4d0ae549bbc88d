import path from "node:path";
import * as vscode from "vscode";
import {
  type FoundNode,
  chooseHooks,
  type InstallContext,
  type Policy,
  type ChangeReason,
  makeChange,
  type WholeInstall,
  planWholeUninstall,
  planWholeInstall,
  type InstallReason,
  type HookChange,
  type SkillPlan,
} from "../../engine/hooks/install.ts";
import type { InstallerContext, HookTarget } from "./hooks-context.ts";
import { pickWhereToInstall } from "./pick-hooks.ts";
import { openSettingsFile, showRefusal } from "./refusal.ts";
import { installNotes, describeNode, describePolicy } from "./describe-hooks.ts";
import { cleanText } from "../../engine/base/text.ts";
import { inMessage } from "../editor/outside-text.ts";
import { shortPath } from "../editor/describe-editor.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import { inform } from "../editor/notices.ts";
import { succeed, type Result } from "../../engine/base/result.ts";
import { t } from "../../engine/base/language.ts";
const maxPathLength = 100;

/**
 * Installs hooks: asks for agent and scope, shows the change, asks for confirmation, applies it, and offers to
 * undo it.
 */
export async function installHooks(installer: InstallerContext, chosen?: HookTarget): Promise<void> {
  const target = chosen ?? (await pickWhereToInstall(installer));
  if (target === undefined) return;
  const { program } = target;
  const context = await installer.repairContext(target.folder);
  const planned = await planToInstall(target, context, installer.wishes);
  const again = () => installHooks(installer, target);
  if (!planned.ok) {
    await showRefusal(planned, await fileOf(target, context), again);
    return;
  }
  const { choice, changes, elsewhere, node } = planned.value;
  const { file } = choice.file;
  const agent = agentNames.of(program);
  if (node.kind !== "found" && !(await isInstalledWithoutNode(node))) return;
  for (const policy of choice.policies)
    if (policy.effect === "no_hooks" && !(await isInstalledAnyway(policy, target))) return;
  if (changes.length === 0) {
    await showNothingToDo(t("{0} has purser's hooks already.", agent), file);
    return;
  }
  const forbidden = choice.policies.filter(({ effect }) => effect === "no_http");
  const notes = [
    ...forbidden.map((policy) => describePolicy(policy, program, t)),
    ...installNotes({ ...planned.value, elsewhere: elsewhere.map((other) => shortPath(other.file)) }, t),
  ];
  const isAccepted = await installer.ask(changes, {
    question: t("Install purser's hooks for {0}?", agent),
    benefit: t(
      "Warnings and budgets reach the agent. Everything else in {0} stays as it is.",
      inMessage(path.basename(file), maxPathLength),
    ),
    notes: notes.map(cleanText),
    yes: t("Install"),
  });
  if (!isAccepted) return;
  const made = await makeChanges(changes, context);
  if (!made.ok) {
    await showRefusal(made, file, again);
    return;
  }
  installer.noteThis();
  installer.log(`installed for ${program} in ${file}`);
  const undo = t("Undo");
  const openIt = t("Open File");
  const done = t("Hooks installed. They take effect in the next session of {0}.", agent);
  const { backup } = made.value;
  const copy = backup === null ? "" : ` ${t("The previous file is kept in {0}.", named(backup))}`;
  const next = await vscode.window.showInformationMessage(`${done}${copy}`, openIt, undo);
  if (next === undo) await undoInstall(installer, target);
  if (next === openIt) await openSettingsFile(file);
}

/** Uninstalls hooks, after showing the change. */
export async function uninstallHooks(installer: InstallerContext, target: HookTarget): Promise<void> {
  const context = await installer.repairContext(target.folder);
  const planned = await planToUninstall(target, context);
  const again = () => uninstallHooks(installer, target);
  if (!planned.ok) {
    await showRefusal(planned, await fileOf(target, context), again);
    return;
  }
  const { changes, file, isRestored } = planned.value;
  const agent = agentNames.of(target.program);
  if (changes.length === 0) {
    await showNothingToDo(t("{0} has no purser hooks there.", agent), file);
    return;
  }
  const isAccepted = await installer.ask(changes, {
    question: t("Remove purser's hooks from {0}'s settings?", agent),
    benefit: isRestored
      ? t("{0} is restored byte for byte.", named(file))
      : t("{0} was changed since then: purser's hooks are removed, everything else stays.", named(file)),
    notes: [],
    yes: t("Uninstall"),
  });
  if (!isAccepted) return;
  const made = await makeChanges(changes, context);
  if (!made.ok) {
    await showRefusal(made, file, again);
    return;
  }
  installer.log(`taken out for ${target.program} of ${file}`);
  const undo = t("Undo");
  const done = t("Hooks removed. {0} no longer reports to purser.", agent);
  if ((await vscode.window.showInformationMessage(done, undo)) === undo) await putBack(installer, target);
}

/** Undoes an installation shown a moment ago, without showing it again. */
async function undoInstall(installer: InstallerContext, target: HookTarget): Promise<void> {
  const context = await installer.repairContext(target.folder);
  const planned = await planToUninstall(target, context);
  const made = planned.ok ? await makeChanges(planned.value.changes, context) : planned;
  if (!planned.ok || !made.ok) {
    const refused = planned.ok ? made : planned;
    if (!refused.ok)
      await showRefusal(refused, await fileOf(target, context), () => undoInstall(installer, target));
    return;
  }
  const { isRestored, file } = planned.value;
  installer.log(`taken back for ${target.program} in ${file}`);
  const what = isRestored
    ? t("{0} is restored byte for byte.", named(file))
    : t("Purser's hooks are removed from {0}; other changes stay.", named(file));
  await inform(what);
}

async function putBack(installer: InstallerContext, target: HookTarget): Promise<void> {
  const context = await installer.repairContext(target.folder);
  const planned = await planToInstall(target, context, installer.wishes);
  const made = planned.ok ? await makeChanges(planned.value.changes, context) : planned;
  if (!made.ok) {
    await showRefusal(made, await fileOf(target, context), () => putBack(installer, target));
    return;
  }
  installer.log(`put back for ${target.program}`);
  await inform(t("{0} has purser's hooks again.", agentNames.of(target.program)));
}

/**
 * Asks whether to install although a policy blocks the hooks. The user may know, for example, that the policy
 * will soon be removed.
 */
async function isInstalledAnyway(policy: Policy, { program }: HookTarget): Promise<boolean> {
  const openIt = t("Open File");
  const anyway = t("Install Anyway");
  const detail = policy.isManaged
    ? t("Set in {0}. Only an administrator of this machine or account can change it.", named(policy.file))
    : t("Set in {0}. Remove it there first.", named(policy.file));
  const choice = await vscode.window.showWarningMessage(
    describePolicy(policy, program, t),
    { modal: true, detail },
    openIt,
    anyway,
  );
  if (choice === openIt) await openSettingsFile(policy.file);
  return choice === anyway;
}

/**
 * Asks whether to install although no suitable Node was found. The agent may be started where there is one.
 */
async function isInstalledWithoutNode(node: FoundNode): Promise<boolean> {
  const anyway = t("Install Anyway");
  const detail = t("Without it the agent works as before, but reports nothing to purser.");
  const choice = await vscode.window.showWarningMessage(
    describeNode(node, t),
    { modal: true, detail },
    anyway,
  );
  return choice === anyway;
}

async function showNothingToDo(what: string, file: string): Promise<void> {
  const openIt = t("Open File");
  const choice = await vscode.window.showInformationMessage(`${what} ${t("Nothing was changed.")}`, openIt);
  if (choice === openIt) await openSettingsFile(file);
}

async function fileOf({ program, scope }: HookTarget, context: InstallContext): Promise<string> {
  const choice = await chooseHooks(program, scope, context);
  if (choice.ok) return choice.value.file.file;
  return /^(?<file>.+?\.json)\b/u.exec(choice.detail.text)?.groups?.["file"] ?? "";
}

function named(file: string): string {
  return inMessage(shortPath(file), maxPathLength);
}

/** Plans an installation, with only the changes that are needed. */
async function planToInstall(
  target: HookTarget,
  context: InstallContext,
  more: { readonly statusLine: boolean },
): Promise<Result<WholeInstall, InstallReason>> {
  const planned = await planWholeInstall(target, context, more);
  if (!planned.ok) return planned;
  return succeed({ ...planned.value, changes: needed(planned.value.changes) });
}

/** The changes of an uninstallation. */
interface UninstallPlan {
  readonly file: string;
  readonly skill: SkillPlan | null;
  /** The changes that are needed, to be made in this order. */
  readonly changes: readonly HookChange[];
  /** Whether the settings will be restored to before the first hook, byte for byte. */
  readonly isRestored: boolean;
}

async function planToUninstall(
  target: HookTarget,
  context: InstallContext,
): Promise<Result<UninstallPlan, InstallReason>> {
  const planned = await planWholeUninstall(target, context);
  if (!planned.ok) return planned;
  const { file, change, changes, skill } = planned.value;
  // A settings file without our hooks is already as it was.
  const isRestored = change.isRestored || !change.isNeeded;
  return succeed({ file: file.file, skill, changes: needed(changes), isRestored });
}

/** Makes changes in order, stopping at the first that fails. Returns the backup of the settings. */
async function makeChanges(
  changes: readonly HookChange[],
  context: InstallContext,
): Promise<Result<{ readonly backup: string | null }, ChangeReason>> {
  let backup: string | null = null;
  for (const change of changes) {
    const made = await makeChange(change, context);
    if (!made.ok) return made;
    backup ??= made.value.backup;
  }
  return succeed({ backup });
}

function needed(changes: readonly HookChange[]): HookChange[] {
  return changes.filter(({ isNeeded }) => isNeeded);
}
