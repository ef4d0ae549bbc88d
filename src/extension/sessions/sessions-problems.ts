import * as vscode from "vscode";
import { inMessage, withoutIcons } from "../editor/outside-text.ts";
import { problemSentence, wrongThings, type WrongThing } from "./describe-problem.ts";
import type { Remedy } from "../service/link.ts";
import type { Services } from "../services.ts";
import { inform } from "../editor/notices.ts";
import { placesByAgent } from "../../engine/sessions/session-requests.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import { t } from "../../engine/base/language.ts";
/** It includes a remedy. Characters. */
const maxFailureLength = 500;

/** Reports problems and offers remedies. */
export async function showProblems(services: Services): Promise<void> {
  const { state } = services.link;
  if (state.kind === "failed") {
    const reason = inMessage(state.reason, maxFailureLength);
    await offer(services, t("Reading transcripts stopped: {0}", reason), state.remedy);
    return;
  }
  const wrong = state.kind === "ready" ? wrongThings(state.snapshot) : [];
  const [first] = wrong;
  if (first === undefined) {
    await inform(t("Nothing is wrong."));
    return;
  }
  for (const { path, reason } of wrong) services.log.warn(`${path}: ${reason.text}`);
  const more = wrong.length > 1 ? ` ${t("{0} more in the log.", wrong.length - 1)}` : "";
  await offer(services, `${problemSentence(first, t)}${more}`, remedyOf(first));
}

type Offered = Remedy | "settings" | "log" | { readonly file: string };

function remedyOf({ kind, path }: WrongThing): Offered {
  if (kind === "setting") return "settings";
  // The service tries again by itself, and the sentence names what to do.
  if (kind === "ledger") return "log";
  return kind === "settings-file" ? { file: path } : "retry";
}

async function offer({ link, log }: Services, message: string, remedy: Offered): Promise<void> {
  const showLog = t("Show Log");
  const names = {
    retry: t("Try Again"),
    reload: t("Reload Window"),
    settings: t("Open Settings"),
    log: showLog,
  };
  const openFile = t("Open File");
  const offered = typeof remedy === "string" ? names[remedy] : openFile;
  const answer = await vscode.window.showWarningMessage(message, ...new Set([offered, showLog]));
  if (answer === names.retry) await link.retry();
  if (answer === names.reload) await vscode.commands.executeCommand("workbench.action.reloadWindow");
  if (answer === names.settings) await vscode.commands.executeCommand("purser.openSettings");
  if (answer === openFile && typeof remedy === "object")
    await vscode.window.showTextDocument(vscode.Uri.file(remedy.file));
  if (answer === showLog) log.show();
}

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
