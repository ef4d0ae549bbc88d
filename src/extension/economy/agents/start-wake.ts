import { homedir } from "node:os";
import * as vscode from "vscode";
import { purserPaths } from "../../../engine/base/paths.ts";
import type { WakePlanView } from "../../../engine/recurring/recurring-answers.ts";
import {
  type RecurringAgent,
  agree,
  agentPlace,
  type AgentOverview,
} from "../../../engine/recurring/agents.ts";
import type { WakeJob } from "../../../engine/jobs/bench-answers.ts";
import { wakeEnvironmentOf } from "../../service/job-environment.ts";
import { isUnderWay } from "../../../engine/jobs/compare-answers.ts";
import { whenJob, type BenchFeed } from "../../experiments/bench-feed.ts";
import { showFailure, offer, warn, manageTrust } from "../../editor/notices.ts";
import { inMessage, saidInMessage } from "../../editor/outside-text.ts";
import { readEnvironment } from "../../editor/settings.ts";
import type { Services } from "../../services.ts";
import { wakeProgressText, wakeResultText } from "../describe-wake.ts";
import { consentText, wakeButton } from "./describe-economy-agents.ts";
import path from "node:path";
import { t } from "../../../engine/base/language.ts";
const [maxNameLength, maxReasonLength] = [60, 200];

interface WakeStart {
  readonly services: Pick<Services, "service" | "log" | "follow">;
  readonly feed: BenchFeed;
  readonly isFresh: boolean;
  /** Lets a person agree to the agent's file, where it cannot even be planned before. */
  readonly agreeFirst: () => Promise<void>;
}

/**
 * Plans a wake, asks once with its price, and follows it as a job. Nothing is spent before the user agreed.
 */
export async function startWake(
  { name, project, agent }: AgentOverview & { readonly agent: RecurringAgent },
  start: WakeStart,
): Promise<void> {
  const { service, log } = start.services;
  const shownName = inMessage(name, maxNameLength);
  const ask = { kind: "wake" as const, project, agent: name, isFresh: start.isFresh, slot: null };
  const env = wakeEnvironmentOf(readEnvironment());
  const planned = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t("Planning the wake of {0}…", shownName) },
    async () => await service.ask("wakePlan", { ask, env }),
  );
  if (!planned.ok) {
    // A command that makes the list of tasks does not run before the user has seen it.
    if (agent.tasks !== "folder" && /is not agreed to/u.test(planned.detail.text)) await start.agreeFirst();
    else
      await showFailure(
        log,
        t("{0} cannot be woken: {1}", shownName, saidInMessage(planned.detail, maxReasonLength)),
      );
    return;
  }
  const { plan } = planned.value;
  if (!(await isAgreedTo(plan, agent, start.isFresh))) return;
  const { wakes } = purserPaths({ env: readEnvironment(), home: homedir() });
  const check = plan.task?.check ?? null;
  const agreed = agree(agentPlace(wakes, project, name), {
    definition: plan.definition,
    checks: check === null ? [] : [check],
    at: Date.now(),
  });
  if (!agreed.ok) {
    await showFailure(log, saidInMessage(agreed.detail, maxReasonLength));
    return;
  }
  const started = await service.ask("benchStart", { ask, env, project });
  if (started.ok) await followWake(started.value.id, shownName, start);
  else
    await showFailure(
      log,
      t("{0} was not woken: {1}", shownName, saidInMessage(started.detail, maxReasonLength)),
    );
}

/** Asks once, in the middle of the window: this spends. */
async function isAgreedTo(plan: WakePlanView, agent: RecurringAgent, isFresh: boolean): Promise<boolean> {
  const wake = wakeButton(plan, t);
  const name = inMessage(plan.agent, maxNameLength);
  const chosen = await vscode.window.showInformationMessage(
    isFresh ? t("Wake {0} with a new session?", name) : t("Wake {0}?", name),
    { modal: true, detail: consentText(plan, agent, t) },
    wake,
  );
  return chosen === wake;
}

/** Shows a wake's progress, with a way to cancel it, and then what came of it. */
async function followWake(id: string, name: string, { services, feed }: WakeStart): Promise<void> {
  const { service } = services;
  const ended = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t("Wake of {0}", name), cancellable: true },
    async (progress, token) => {
      token.onCancellationRequested(() => void service.ask("benchCancel", { id }));
      const find = () => feed.wakes.find((each) => each.id === id);
      return await whenJob(find, feed.onWakes, (job) => {
        progress.report({ message: wakeProgressText(job, t) });
        return !isUnderWay(job.state);
      });
    },
  );
  await showEnd(ended, name, services);
}

async function showEnd(job: WakeJob, name: string, { follow }: Pick<Services, "follow">): Promise<void> {
  const { state, wake } = job;
  const session = wake?.row?.sessionId ?? null;
  const open = t("Open Session");
  const buttons = session === null ? [] : [open];
  // News comes first: a check that failed, or a session that could not go on.
  const messages = (wake?.said ?? []).map((each) => saidInMessage(each, maxReasonLength)).join(". ");
  const after = messages === "" ? "" : ` ${messages}.`;
  const act = async (shown: Thenable<string | undefined>) => {
    if ((await shown) === open && session !== null) follow("purser.openLedger", session);
  };
  const { window } = vscode;
  switch (state.kind) {
    case "done":
      await act(window.showInformationMessage(`${name}: ${wakeResultText(job, t)}${after}`, ...buttons));
      return;
    case "failed":
      await act(
        window.showErrorMessage(
          t("The wake of {0} failed: {1}", name, saidInMessage(state.detail, maxReasonLength)) + after,
          ...buttons,
        ),
      );
      return;
    case "interrupted":
    case "paused":
      await act(
        window.showWarningMessage(
          t("The wake of {0} was interrupted. The next one goes on with its session.", name),
          ...buttons,
        ),
      );
      return;
    case "cancelled":
    case "queued":
    case "running":
    case "cancelling":
      return;
  }
}

/** The program reads the file on the disk: what is not saved yet is saved first. */
export async function isSaved(file: string): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === file);
  if (open?.isDirty !== true || (await open.save())) return true;
  await warn(
    t("{0} could not be saved, so nothing was started.", inMessage(path.basename(file), maxNameLength)),
  );
  return false;
}

/** An agent's file instructs a program, and names commands. */
export async function isTrusted(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  await offer(
    t("Waking an agent runs what its file says, so this folder has to be trusted first."),
    manageTrust,
  );
  return false;
}
