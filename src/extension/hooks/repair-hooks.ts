import * as vscode from "vscode";
import { repairHooks, type Repair } from "../../engine/hooks/repair-hooks.ts";
import type { InstallerContext } from "./hooks-context.ts";
import { installHooks } from "./install.ts";
import { describeWithoutHttp } from "./describe-hooks.ts";
import { openSettingsFile } from "./refusal.ts";
import { inWords, t } from "../../engine/base/language.ts";
import { inMessage } from "../editor/outside-text.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
const maxDetailLength = 240;

/**
 * Repairs hooks broken by an update of purser or a change of its port. Silent unless a repair fails, or hooks are of
 * another kind from now on.
 */
export async function repairInWindow(installer: InstallerContext): Promise<void> {
  installer.noteThis();
  const failed: Repair[] = [];
  const changed: Repair[] = [];
  for (const folder of installer.folders.length === 0 ? [null] : installer.folders)
    for (const repair of await repairHooks(await installer.repairContext(folder))) {
      installer.log(`${repair.file}: ${repair.outcome} (${repair.detail.text})`);
      const isKnown = failed.some(({ file }) => file === repair.file);
      if (repair.outcome === "failed" && !isKnown) failed.push(repair);
      if (repair.outcome === "repaired" && repair.becameCommands !== null) changed.push(repair);
    }
  for (const repair of changed) await showChanged(repair);
  for (const repair of failed) await showFailed(repair, installer);
}

async function showChanged({ program, file, becameCommands }: Repair): Promise<void> {
  if (becameCommands === null) return;
  const openIt = t("Open File");
  const message = t(
    "The hooks of {0} are run as commands from now on instead of being posted. {1}",
    agentNames.of(program),
    describeWithoutHttp(becameCommands, t),
  );
  const choice = await vscode.window.showInformationMessage(inMessage(message, maxDetailLength), openIt);
  if (choice === openIt) await openSettingsFile(file);
}

async function showFailed(
  { program, scope, file, detail }: Repair,
  installer: InstallerContext,
): Promise<void> {
  const openIt = t("Open File");
  const install = t("Install Again…");
  const message = t(
    "The hooks of {0} are out of date and could not be repaired: {1}",
    agentNames.of(program),
    inWords(detail),
  );
  const choice = await vscode.window.showWarningMessage(inMessage(message, maxDetailLength), openIt, install);
  if (choice === openIt) await openSettingsFile(file);
  if (choice === install)
    await installHooks(installer, { program, scope, folder: installer.folders[0] ?? null });
}
