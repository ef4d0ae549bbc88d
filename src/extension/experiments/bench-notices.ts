import * as vscode from "vscode";
import { withFullStop } from "../../engine/base/text.ts";
import { isUnderWay } from "../../engine/jobs/compare-answers.ts";
import type { JobSummary } from "../../engine/jobs/bench-answers.ts";
import { whenJob, type BenchFeed } from "./bench-feed.ts";
import type { BenchWindow } from "./bench-window.ts";
import { jobResult, jobTitle } from "./describe-jobs.ts";
import { inMessage, saidInMessage } from "../editor/outside-text.ts";
import type { ServiceConnection } from "../service/connection.ts";
import { t } from "../../engine/base/language.ts";
const maxReasonLength = 200;

export interface NoticePorts {
  readonly feed: BenchFeed;
  readonly service: ServiceConnection;
  readonly window: BenchWindow;
  readonly open: (job: JobSummary) => void;
}

/** Shows a job's progress, with a way to cancel it; resolves once its result was shown. */
export async function followInNotice(id: string, ports: NoticePorts): Promise<void> {
  const { feed, service } = ports;
  const find = () => feed.find(id);
  const job = await whenJob(find, feed.onChange, () => true);
  const title = inMessage(jobTitle(job, t), maxReasonLength);
  const ended = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      token.onCancellationRequested(() => void service.ask("benchCancel", { id }));
      let shown = 0;
      return await whenJob(find, feed.onChange, (now) => {
        const share = now.of === 0 ? 0 : (now.done / now.of) * 100;
        progress.report({ increment: share - shown, message: progressText(now) });
        shown = share;
        return !isUnderWay(now.state);
      });
    },
  );
  await notifyEnd(ended, title, ports);
}

function progressText({ state, done, of, live, preparing }: JobSummary): string {
  if (state.kind === "queued") return t("waits for others");
  if (state.kind === "cancelling") return t("ends its runs…");
  if (preparing !== undefined)
    return t("Preparing the project: {0} of {1} packages", preparing.fetched, preparing.packages);
  const counted = of === 0 ? t("makes the project ready…") : t("{0} of {1} runs", done, of);
  return live.length === 0 ? counted : t("{0} · {1} under way", counted, live.length);
}

async function notifyEnd(
  job: JobSummary,
  title: string,
  { service, window, open }: NoticePorts,
): Promise<void> {
  const [show, resume] = [t("Open"), t("Resume")];
  const { state } = job;
  const reason = "detail" in state ? saidInMessage(state.detail, maxReasonLength) : "";
  const act = async (shown: Thenable<string | undefined>) => {
    const chosen = await shown;
    if (chosen === show) open(job);
    if (chosen === resume) {
      const resumed = await service.ask("benchResume", { id: job.id, env: window.env() });
      if (resumed.ok) {
        window.began(job.id);
        open(job);
      }
    }
  };
  switch (state.kind) {
    case "done":
      await act(
        vscode.window.showInformationMessage(
          t("{0}: {1}", title, withFullStop(inMessage(jobResult(job, t), maxReasonLength))),
          show,
        ),
      );
      return;
    case "paused":
    case "interrupted":
      await act(vscode.window.showWarningMessage(t("{0} stopped: {1}", title, reason), show, resume));
      return;
    case "failed":
      await act(vscode.window.showErrorMessage(t("{0} failed: {1}", title, reason), show));
      return;
    case "cancelled":
    case "queued":
    case "running":
    case "cancelling":
      return;
  }
}
