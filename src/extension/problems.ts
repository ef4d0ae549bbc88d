import * as vscode from "vscode";
import type { FileProblem } from "../engine/transcripts/claude/files.ts";
import { inMessage } from "./outside-text.ts";
import type { Remedy } from "./service-link.ts";
import type { Services } from "./services.ts";

const { t } = vscode.l10n;
const longestReason = 200;
/** It has a remedy in it. */
const longestFailure = 500;

/** Says what is wrong and offers what helps. */
export async function showProblems(services: Services): Promise<void> {
  const { state } = services.link;
  if (state.kind === "failed") {
    const reason = inMessage(state.reason, longestFailure);
    await offer(services, t("Reading transcripts stopped: {0}", reason), state.remedy);
    return;
  }
  const problems = state.kind === "ready" ? state.snapshot.problems : [];
  const [first] = problems;
  if (first === undefined) {
    await vscode.window.showInformationMessage(t("Nothing is wrong."));
    return;
  }
  for (const { path, reason } of problems) services.log.warn(`${path}: ${reason}`);
  const more = problems.length > 1 ? ` ${t("{0} more in the log.", problems.length - 1)}` : "";
  await offer(services, `${problemSentence(first)}${more}`, isSetting(first) ? "settings" : "retry");
}

/** The engine names a faulty setting where it would name a file. */
function isSetting({ path }: FileProblem): boolean {
  return path.startsWith("purser.");
}

function problemSentence(problem: FileProblem): string {
  const [what, why] = [inMessage(problem.path, longestReason), inMessage(problem.reason, longestReason)];
  return isSetting(problem)
    ? t("The setting {0} is not used: {1}.", what, why)
    : t("{0} cannot be read: {1}.", what, why);
}

async function offer({ link, log }: Services, message: string, remedy: Remedy | "settings"): Promise<void> {
  const names = { retry: t("Try Again"), reload: t("Reload Window"), settings: t("Open Settings") };
  const showLog = t("Show Log");
  const answer = await vscode.window.showWarningMessage(message, names[remedy], showLog);
  if (answer === names.retry) await link.retry();
  if (answer === names.reload) await vscode.commands.executeCommand("workbench.action.reloadWindow");
  if (answer === names.settings) await vscode.commands.executeCommand("purser.openSettings");
  if (answer === showLog) log.show();
}
