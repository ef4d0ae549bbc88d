import * as vscode from "vscode";
import type { FileProblem } from "../engine/transcripts/claude/files.ts";
import { inMessage } from "./outside-text.ts";
import type { Services } from "./services.ts";

const { t } = vscode.l10n;
const longestReason = 200;

/** Says what is wrong and offers what helps. */
export async function showProblems(services: Services): Promise<void> {
  const { state } = services.monitor;
  if (state.kind === "failed") {
    const reason = inMessage(state.reason.split("\n", 1)[0] ?? "", longestReason);
    await offer(services, t("Reading transcripts stopped: {0}", reason));
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
  await offer(services, `${problemSentence(first)}${more}`, isSetting(first));
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

async function offer({ monitor, log }: Services, message: string, isSettings = false): Promise<void> {
  const retry = t("Try Again");
  const openSettings = t("Open Settings");
  const showLog = t("Show Log");
  const answer = await vscode.window.showWarningMessage(message, isSettings ? openSettings : retry, showLog);
  if (answer === retry) await monitor.retry();
  if (answer === openSettings) await vscode.commands.executeCommand("purser.openSettings");
  if (answer === showLog) log.show();
}
