import * as vscode from "vscode";
import { placesByAgent } from "../../engine/sessions/session-requests.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import type { Services } from "../services.ts";

const { t } = vscode.l10n;
const maxPathLength = 300;

/** Lists the folders searched for each agent's sessions, and whether they contain any. */
export async function showPlaces({ link, service }: Pick<Services, "link" | "service">): Promise<void> {
  await service.ready();
  if (link.state.kind !== "ready") {
    await vscode.commands.executeCommand("purser.showProblems");
    return;
  }
  const items = placesByAgent(link.state.snapshot).flatMap(({ agent, folders }) =>
    folders.map(({ path, exists }) => ({
      label: `$(${exists ? "folder" : "circle-slash"}) ${agentNames.of(agent)}`,
      description: exists ? "" : t("not there yet"),
      detail: withoutIcons(path, maxPathLength),
      path,
      exists,
    })),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Where Purser Looks for Sessions"),
    placeHolder: t("Choose a folder to see it in the system's file manager"),
    matchOnDetail: true,
  });
  if (picked?.exists === true)
    await vscode.commands.executeCommand("revealFileInOS", vscode.Uri.file(picked.path));
}
