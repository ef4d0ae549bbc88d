import * as vscode from "vscode";
import type { InstallerContext, HookRow } from "./context.ts";
import { installHooks, uninstallHooks } from "./install.ts";
import { rowItem } from "./pick.ts";
import { openSettingsFile } from "./refusal.ts";
import { describeRefusal } from "./describe.ts";
import { pickOne } from "../editor/pick-one.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import { shortPath } from "../editor/short-path.ts";

const { t } = vscode.l10n;
const longestDetail = 200;

/** Shows the status of hooks in every settings file. Choosing one installs or updates its hooks. */
export async function showHooks(installer: InstallerContext): Promise<void> {
  const rows = await installer.rows();
  const openFile = { iconPath: new vscode.ThemeIcon("go-to-file"), tooltip: t("Open File") };
  const takeOut = { iconPath: new vscode.ThemeIcon("trash"), tooltip: t("Uninstall…") };
  const items = rows.map((row) => {
    const { status } = row;
    const isThere = status.ok && status.value.state !== "absent";
    return { ...lineOf(row), row, buttons: isThere ? [openFile, takeOut] : status.ok ? [] : [openFile] };
  });
  const picked = await pickOne({
    title: t("Hooks Status"),
    placeholder: t("Choose a place to install or update its hooks"),
    items,
    onButton: ({ row }, button) => {
      const job = button === openFile ? openSettingsFile(row.file) : uninstallHooks(installer, row);
      job.catch((error: unknown) => installer.services.log.error(String(error)));
    },
  });
  if (picked !== undefined) await installHooks(installer, picked.row);
}

function lineOf(row: HookRow): vscode.QuickPickItem {
  const { status } = row;
  const item = { ...rowItem(row, true), detail: withoutIcons(shortPath(row.file), longestDetail) };
  if (!status.ok) {
    const why = describeRefusal(status.reason, status.detail, t);
    return { ...item, iconPath: new vscode.ThemeIcon("error"), detail: withoutIcons(why, longestDetail) };
  }
  const { state, skipped } = status.value;
  const icon =
    skipped !== null
      ? "warning"
      : state === "installed"
        ? "pass"
        : state === "outdated"
          ? "warning"
          : "circle-outline";
  return { ...item, iconPath: new vscode.ThemeIcon(icon) };
}
