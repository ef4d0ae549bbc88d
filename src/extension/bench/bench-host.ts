import { inWords, plainSentence } from "../../engine/base/language.ts";
import path from "node:path";
import * as vscode from "vscode";
import type { Observable } from "../../engine/base/events.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { agentsOf, isResumable } from "../../engine/jobs/compare-answers.ts";
import type { JobSummary } from "../../engine/jobs/bench-answers.ts";
import { BenchFeed } from "./bench-feed.ts";
import type { BenchBadge } from "../sessions/status-text.ts";
import { followInNotice } from "./bench-notices.ts";
import type { BenchPanel } from "./bench-panel.ts";
import { earlierExperiments, newExperiments, type Experiment } from "./new-experiment.ts";
import { benchWindow, followCommand } from "./bench-window.ts";
import { agentsLabel, benchBadge, jobTarget } from "./describe-bench.ts";
import { wakeBadge } from "../economy/describe-wake.ts";
import { GoldenTests } from "./golden/tests.ts";
import { showFailure, offer, manageTrust, openFolder } from "../editor/notices.ts";
import { saidInMessage, withoutIcons } from "../editor/outside-text.ts";
import { pickOne } from "../editor/pick.ts";
import { pickSession } from "../sessions/pick-sessions.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { PanelCommand, PanelHost } from "../panels/registry.ts";
import type { Services } from "../services.ts";
import { isTreeNode } from "../sessions/sessions-tree.ts";
import { trustedFolder } from "../editor/window-files.ts";
import { ago } from "../editor/describe-editor.ts";

const { t } = vscode.l10n;
const maxReasonLength = 200;

/** Everything about benches in a window, loaded after the window has started. */
export class BenchHost implements PanelHost<PanelCommand<"bench">> {
  readonly #services: Services;
  readonly #feed: BenchFeed;
  readonly #owned: vscode.Disposable;
  readonly #panel: LazyPart<BenchPanel>;
  readonly #followed = new Set<string>();

  constructor(services: Services, badge: Observable<BenchBadge | undefined>) {
    const { service, log } = services;
    this.#services = services;
    this.#panel = new LazyPart(async () => {
      const { BenchPanel } = await import("./bench-panel.ts");
      return new BenchPanel(services);
    });
    this.#feed = new BenchFeed(service, (message) => log.warn(message));
    const show = () => {
      const { jobs, wakes } = this.#feed;
      // A measurement lasts longer, and costs more.
      badge.set(benchBadge(jobs, t) ?? wakeBadge(wakes, t));
    };
    const tests = new GoldenTests({ service, window: benchWindow, feed: this.#feed, log });
    this.#owned = vscode.Disposable.from(
      this.#feed,
      this.#feed.onChange(show),
      this.#feed.onWakes(show),
      tests,
      vscode.commands.registerCommand(followCommand, (id: unknown) =>
        typeof id === "string" ? this.#follow(id) : undefined,
      ),
    );
  }

  async run(command: PanelCommand<"bench">, target: unknown): Promise<void> {
    switch (command) {
      case "purser.openBenchmark":
        (await this.#panel.get()).open(target);
        return;
      case "purser.newExperiment":
        await this.#begin();
        return;
      case "purser.resumeBenchmark":
        await this.#resume();
        return;
      case "purser.newGoldenTask":
        await this.#draft(target);
        return;
    }
  }

  async adopt(panel: vscode.WebviewPanel): Promise<void> {
    (await this.#panel.get()).adopt(panel);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#panel.dispose();
  }

  /** Asks what to find out, and goes on where that is planned. */
  async #begin(): Promise<void> {
    const hasUnfinished = this.#feed.jobs.some(({ state }) => isResumable(state));
    const picked = await pickOne<ExperimentItem>({
      title: t("New Experiment"),
      placeholder: t("What do you want to find out? The price is shown before anything runs."),
      items: [
        ...newExperiments(t).map(experimentItem),
        { label: t("Earlier"), kind: vscode.QuickPickItemKind.Separator },
        ...earlierExperiments({ hasUnfinished }, t).map(experimentItem),
      ],
    });
    if (picked?.experiment === undefined) return;
    const { command, target } = picked.experiment;
    await vscode.commands.executeCommand(command, target);
  }

  async #resume(): Promise<void> {
    const stopped = this.#feed.jobs.filter(({ state }) => isResumable(state));
    if (stopped.length === 0) {
      await offer(t("No unfinished benchmark."), {
        label: t("New Experiment…"),
        command: "purser.newExperiment",
      });
      return;
    }
    const picked = await vscode.window.showQuickPick(stopped.map(resumeItem), {
      title: t("Resume Benchmark"),
      placeHolder: t("Resumes with the remaining runs, at the planned price."),
    });
    if (picked === undefined) return;
    const { id } = picked.job;
    const resumed = await this.#services.service.ask("benchResume", { id, env: benchWindow.env() });
    if (resumed.ok) await this.#shown(id);
    else await this.#showFailure(inWords(resumed.detail));
  }

  async #draft(target: unknown): Promise<void> {
    const workspace = trustedFolder();
    if (workspace === null) {
      const isFolder = vscode.workspace.workspaceFolders !== undefined;
      await offer(
        t("Golden tasks are kept in a folder of a trusted workspace. Open one, or trust this one."),
        isFolder ? manageTrust : openFolder,
      );
      return;
    }
    const session = sessionOf(target) ?? (await pickSession(this.#services, {}));
    if (session === undefined) return;
    const choices = await this.#services.service.ask("benchChoices", {
      workspace,
      env: benchWindow.env(),
    });
    const suites = choices.ok ? choices.value.suites : [];
    const { newGoldenTask } = await import("./golden/new-task.ts");
    const own = vscode.Uri.joinPath(this.#services.context.extensionUri, "golden", "agents").fsPath;
    const agentFolders = [path.join(workspace, ".claude", "agents"), own];
    await newGoldenTask({ session, workspace, suites, agentFolders });
  }

  /** Opens a bench that this window has just begun or resumed, and follows it. */
  async #shown(id: string): Promise<void> {
    benchWindow.began(id);
    (await this.#panel.get()).show({ kind: "bench", id });
  }

  /** Follows a job of any kind; one that is followed already is not followed twice. */
  async #follow(id: string): Promise<void> {
    if (this.#followed.has(id)) return;
    this.#followed.add(id);
    try {
      await followInNotice(id, {
        feed: this.#feed,
        service: this.#services.service,
        window: benchWindow,
        open: (job) => void vscode.commands.executeCommand(...jobTarget(job)),
      });
    } finally {
      this.#followed.delete(id);
    }
  }

  async #showFailure(detail: string): Promise<void> {
    const reason = saidInMessage(plainSentence(detail), maxReasonLength);
    await showFailure(this.#services.log, t("The benchmark could not be started: {0}", reason));
  }
}

interface ExperimentItem extends vscode.QuickPickItem {
  /** Absent for a heading. */
  readonly experiment?: Experiment;
}

function experimentItem(experiment: Experiment): ExperimentItem {
  const { label, detail, icon } = experiment;
  const iconPath = new vscode.ThemeIcon(icon);
  return { label, iconPath, experiment, ...(detail === undefined ? {} : { detail }) };
}

function sessionOf(target: unknown): SessionSnapshot | undefined {
  return isTreeNode(target) && target.kind === "session" ? target.session : undefined;
}

function resumeItem(job: JobSummary): vscode.QuickPickItem & { readonly job: JobSummary } {
  const { ask, done, of, at, state } = job;
  const reason = "detail" in state ? state.detail : "";
  return {
    label: withoutIcons(agentsLabel(agentsOf(ask), t), maxReasonLength),
    description: t("{0} of {1} runs · {2}", done, of, ago(at, Date.now(), t)),
    ...(reason === "" ? {} : { detail: withoutIcons(inWords(reason), maxReasonLength) }),
    job,
  };
}
