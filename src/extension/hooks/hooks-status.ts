import * as vscode from "vscode";
import type { InstallerContext, HookRow } from "./hooks-context.ts";
import { installHooks, uninstallHooks } from "./install.ts";
import { rowItem } from "./pick-hooks.ts";
import { openSettingsFile } from "./refusal.ts";
import { describeHookGroup, hookGroupOf, hookGroups, type HookGroup } from "./describe-hooks.ts";
import { pickOne } from "../editor/pick.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import { shortPath } from "../editor/describe-editor.ts";
import { inWords, t } from "../../engine/base/language.ts";
const maxDetailLength = 200;

interface HookItem extends vscode.QuickPickItem {
  /** Absent for a heading. */
  readonly row?: HookRow;
}

/** Shows the status of hooks in every settings file. Choosing one installs or updates its hooks. */
export async function showHooks(installer: InstallerContext): Promise<void> {
  const rows = await installer.rows();
  const openFile = { iconPath: new vscode.ThemeIcon("go-to-file"), tooltip: t("Open File") };
  const takeOut = { iconPath: new vscode.ThemeIcon("trash"), tooltip: t("Uninstall…") };
  const buttonsOf = ({ status }: HookRow) => {
    if (!status.ok) return [openFile];
    return status.value.state === "absent" ? [] : [openFile, takeOut];
  };
  const items = hookGroups.flatMap((group) => {
    const own = rows.filter((row) => hookGroupOf(row.status) === group);
    if (own.length === 0) return [];
    const heading = { label: describeHookGroup(group, t), kind: vscode.QuickPickItemKind.Separator };
    return [heading, ...own.map((row): HookItem => ({ ...lineOf(row), row, buttons: buttonsOf(row) }))];
  });
  const picked = await pickOne<HookItem>({
    title: t("Set Up Hooks"),
    placeholder: t("Choose where to install or update hooks"),
    items,
    onButton: ({ row }, button) => {
      if (row === undefined) return;
      const job = button === openFile ? openSettingsFile(row.file) : uninstallHooks(installer, row);
      job.catch((error: unknown) => installer.services.log.error(String(error)));
    },
  });
  if (picked?.row !== undefined) await installHooks(installer, picked.row);
}

const iconOf: Readonly<Record<HookGroup, string>> = {
  attention: "warning",
  installed: "pass",
  absent: "circle-outline",
};

function lineOf(row: HookRow): vscode.QuickPickItem {
  const { status } = row;
  const item = { ...rowItem(row, true), detail: withoutIcons(shortPath(row.file), maxDetailLength) };
  if (!status.ok) {
    const why = inWords(status.detail).replaceAll(row.file, shortPath(row.file));
    return { ...item, iconPath: new vscode.ThemeIcon("error"), detail: withoutIcons(why, maxDetailLength) };
  }
  const group = hookGroupOf(row.status);
  const iconPath = new vscode.ThemeIcon(iconOf[group]);
  // The heading says it already.
  return group === "absent" ? { ...item, iconPath, description: "" } : { ...item, iconPath };
}
