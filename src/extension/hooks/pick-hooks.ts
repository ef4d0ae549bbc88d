import * as vscode from "vscode";
import { hookPrograms, type HookProgram } from "../../engine/hooks/program.ts";
import type { HookScope, RunStatus } from "../../engine/hooks/install.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import { pickOne } from "../editor/pick.ts";
import { shortPath } from "../editor/describe-editor.ts";
import type { InstallerContext, HookTarget, HookRow } from "./hooks-context.ts";
import { scopeDetail, scopeName, describeInEditor, describeState } from "./describe-hooks.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import { t } from "../../engine/base/language.ts";
const maxPathLength = 120;
const lastKey = "hooks.last";

interface Last {
  readonly program: HookProgram;
  readonly scope: HookScope;
}

/** Asks for the agent and scope of the hooks to install; the last choice is offered first. */
export async function pickWhereToInstall(installer: InstallerContext): Promise<HookTarget | undefined> {
  const { globalState } = installer.services.context;
  const last = globalState.get<Last>(lastKey);
  const rows = await installer.rows();
  const agents = hookPrograms.map((program) => ({
    label: agentNames.of(program),
    description: summary(rows.filter((row) => row.program === program)),
    program,
  }));
  const agent = await pickOne({
    title: t("Install Hooks (1/2)"),
    placeholder: t("Install hooks for which agent?"),
    items: agents,
    first: agents.find(({ program }) => program === last?.program),
  });
  if (agent === undefined) return undefined;
  const items = rows
    .filter(({ program }) => program === agent.program)
    .map((row) => ({ ...rowItem(row), row }));
  const isProjectMissing = items.length === 1;
  const picked = await pickOne({
    title: t("Install Hooks for {0} (2/2)", agent.label),
    placeholder: !isProjectMissing
      ? t("Where should they apply?")
      : vscode.workspace.isTrusted
        ? t("Where should they apply? Open a folder for hooks of a project.")
        : t("Where should they apply? Hooks of a project need a trusted workspace."),
    items,
    first: items.find(({ row }) => row.scope === last?.scope),
  });
  if (picked === undefined) return undefined;
  const { program, scope } = picked.row;
  await globalState.update(lastKey, { program, scope } satisfies Last);
  return picked.row;
}

/** A settings file as a quick pick item. */
export function rowItem(row: HookRow, isNamed = false): vscode.QuickPickItem {
  const { program, scope, file, status } = row;
  const name = scopeName(scope, t);
  return {
    label: isNamed ? `${agentNames.of(program)} · ${name}` : name,
    description: status.ok ? described(row, status.value) : t("cannot be read"),
    detail: `${scopeDetail(scope, t)} ${withoutIcons(shortPath(file), maxPathLength)}`,
  };
}

/** VS Code's own chat runs the hooks of Copilot CLI. */
function described({ program, scope, folder }: HookRow, status: RunStatus): string {
  const state = describeState(status, t);
  if (program !== "copilot" || status.state === "absent") return state;
  const chat = vscode.workspace.getConfiguration("chat", folder === null ? null : vscode.Uri.file(folder));
  const own = { useHooks: chat.get<unknown>("useHooks"), locations: chat.get<unknown>("hookFilesLocations") };
  return `${state} · ${describeInEditor(own, scope, t)}`;
}

function summary(rows: readonly HookRow[]): string {
  const known = rows.flatMap(({ status }) => (status.ok ? [status.value.state] : []));
  if (rows.some(({ status }) => status.ok && status.value.skipped !== null)) return t("not run");
  if (known.includes("outdated")) return t("not up to date");
  return known.includes("installed") ? t("installed") : "";
}
