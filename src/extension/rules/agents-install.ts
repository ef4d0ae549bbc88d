import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { nodeFiles } from "../../engine/base/disk/file-port.ts";
import {
  installAgents,
  planAgents,
  removeAgents,
  type InstallableAgent,
  type PlannedAgent,
} from "../../engine/rules/install-agents.ts";
import { inMessage } from "../editor/outside-text.ts";
import { shortPath } from "../editor/short-path.ts";

const { t } = vscode.l10n;
const longestQuestion = 400;

export interface AgentsAsked {
  readonly agents: readonly InstallableAgent[];
  /** Claude Code's configuration folder. */
  readonly root: string;
  readonly context: Pick<vscode.ExtensionContext, "subscriptions">;
  readonly showFailure: (detail: string) => Promise<void>;
}

/** Installs agents into Claude Code's own folder: shows each file, asks, writes, and offers to undo. */
export async function installAfterShowing({
  agents,
  root,
  context,
  showFailure: sayFailed,
}: AgentsAsked): Promise<void> {
  const planned = await planAgents(agents, root, nodeFiles);
  const wanted = planned.filter(({ kind }) => kind === "new");
  const others = planned.flatMap((agent) => whyNot(agent) ?? []);
  if (wanted.length === 0) {
    const there = planned.filter(({ kind }) => kind === "same");
    const remove = t("Remove");
    const chosen = await vscode.window.showInformationMessage(
      inMessage([...others, t("Nothing was written.")].join(" "), longestQuestion),
      ...(there.length === 0 ? [] : [remove]),
    );
    if (chosen === remove) await takeBack(there, root);
    return;
  }
  const { changePreview } = await import("../hooks/preview.ts");
  const names = wanted.map(({ name }) => name).join(", ");
  const isYes = await changePreview(context).ask({
    title: t("Install Agents: {0}", names),
    changes: wanted.map(({ file, definition }) => ({ file, before: null, after: definition })),
    question: inMessage(
      [t("Write these agents for Claude Code into {0}?", shortPath(root)), ...others].join(" "),
      longestQuestion,
    ),
    yes: t("Install"),
  });
  if (!isYes) return;
  const done = await installAgents(wanted, root, { files: nodeFiles, unique: randomUUID });
  const failed = done.filter(({ kind }) => kind === "foreign" || kind === "failed");
  if (failed.length > 0) await sayFailed(failed.map(({ detail }) => detail).join("; "));
  const installed = wanted.filter(({ name }) =>
    done.some((each) => each.name === name && each.kind === "installed"),
  );
  if (installed.length > 0) await offerUndo(installed, root);
}

function whyNot({ name, kind }: PlannedAgent): string | null {
  switch (kind) {
    case "new":
      return null;
    case "same":
      return t("{0} is there already.", name);
    case "foreign":
      return t("A file of your own is called {0}: it stays as it is.", `${name}.md`);
    case "failed":
      return t("{0} cannot be read.", `${name}.md`);
  }
}

async function offerUndo(installed: readonly InstallableAgent[], root: string): Promise<void> {
  const undo = t("Undo");
  const message =
    installed.length === 1 ? t("One agent installed.") : t("{0} agents installed.", installed.length);
  if ((await vscode.window.showInformationMessage(message, undo)) === undo) await takeBack(installed, root);
}

/** Removes the agents nobody has changed since; names the others. */
async function takeBack(installed: readonly InstallableAgent[], root: string): Promise<void> {
  const kept = await removeAgents(installed, root, nodeFiles);
  await vscode.window.showInformationMessage(
    kept.length === 0
      ? t("They are gone again.")
      : inMessage(
          t("Changed since, so it stays: {0}", kept.map((file) => shortPath(file)).join(", ")),
          longestQuestion,
        ),
  );
}
