import * as vscode from "vscode";
import { withFullStop } from "../../engine/base/text.ts";
import { isUnderWay } from "../../engine/jobs/compare-answers.ts";
import type { JobSummary } from "../../engine/jobs/bench-answers.ts";
import type { BenchFeed } from "./bench-feed.ts";
import type { BenchWindow } from "./asked-with.ts";
import { jobResult, jobTitle } from "./describe-job.ts";
import { inMessage, saidInMessage } from "../editor/outside-text.ts";
import type { ServiceConnection } from "../service/connection.ts";

const { t } = vscode.l10n;
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
  const job = await known(id, feed);
  const title = inMessage(jobTitle(job, t), maxReasonLength);
  const ended = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      token.onCancellationRequested(() => void service.ask("benchCancel", { id }));
      let shown = 0;
      return await untilEnded(id, feed, (job) => {
        const share = job.of === 0 ? 0 : (job.done / job.of) * 100;
        progress.report({ increment: share - shown, message: progressText(job) });
        shown = share;
      });
    },
  );
  await notifyEnd(ended, title, ports);
}

/** The service reports a new job a moment after it started. */
function known(id: string, feed: BenchFeed): Promise<JobSummary> {
  return new Promise((resolve) => {
    const check = () => {
      const job = feed.find(id);
      if (job === undefined) return;
      listening.dispose();
      resolve(job);
    };
    const listening = feed.onChange(check);
    check();
  });
}

function progressText({ state, done, of, live }: JobSummary): string {
  if (state.kind === "queued") return t("waits for others");
  if (state.kind === "cancelling") return t("ends its runs…");
  const counted = of === 0 ? t("makes the project ready…") : t("{0} of {1} runs", done, of);
  return live.length === 0 ? counted : t("{0} · {1} under way", counted, live.length);
}

function untilEnded(id: string, feed: BenchFeed, onChange: (job: JobSummary) => void): Promise<JobSummary> {
  return new Promise((resolve) => {
    const listening = feed.onChange(() => check());
    const check = () => {
      const job = feed.find(id);
      if (job === undefined) return;
      onChange(job);
      if (isUnderWay(job.state)) return;
      listening.dispose();
      resolve(job);
    };
    check();
  });
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
