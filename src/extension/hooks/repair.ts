import * as vscode from "vscode";
import { repairHooks, type Repair } from "../../engine/hooks/install/repair/repair.ts";
import type { HookDesk } from "./context.ts";
import { installHooks } from "./install.ts";
import { agentNames, withoutHttpInWords } from "./words.ts";
import { openSettingsFile } from "./refusal.ts";
import { inMessage } from "../editor/outside-text.ts";

const { t } = vscode.l10n;
const longestDetail = 240;

/**
 * Repairs hooks broken by an update of purser or a change of its port. Silent unless a repair fails, or hooks are of
 * another kind from now on.
 */
export async function repairInWindow(desk: HookDesk): Promise<void> {
  desk.noteThis();
  const failed: Repair[] = [];
  const changed: Repair[] = [];
  for (const folder of desk.folders.length === 0 ? [null] : desk.folders)
    for (const repair of await repairHooks(await desk.world(folder))) {
      desk.log(`${repair.file}: ${repair.outcome} (${repair.detail})`);
      const isKnown = failed.some(({ file }) => file === repair.file);
      if (repair.outcome === "failed" && !isKnown) failed.push(repair);
      if (repair.outcome === "repaired" && repair.becameCommands !== null) changed.push(repair);
    }
  for (const repair of changed) await sayChanged(repair);
  for (const repair of failed) await sayFailed(repair, desk);
}

async function sayChanged({ program, file, becameCommands }: Repair): Promise<void> {
  if (becameCommands === null) return;
  const openIt = t("Open File");
  const message = t(
    "The hooks of {0} were posted and are commands from now on. {1}",
    agentNames[program],
    withoutHttpInWords(becameCommands, t),
  );
  const said = await vscode.window.showInformationMessage(inMessage(message, longestDetail), openIt);
  if (said === openIt) await openSettingsFile(file);
}

async function sayFailed({ program, scope, file, detail }: Repair, desk: HookDesk): Promise<void> {
  const openIt = t("Open File");
  const install = t("Install Again…");
  const message = t(
    "The hooks of {0} are out of date and could not be mended: {1}",
    agentNames[program],
    detail,
  );
  const said = await vscode.window.showWarningMessage(inMessage(message, longestDetail), openIt, install);
  if (said === openIt) await openSettingsFile(file);
  if (said === install) await installHooks(desk, { program, scope, folder: desk.folders[0] ?? null });
}
