import path from "node:path";
import os from "node:os";
import * as vscode from "vscode";
import { plainSentence } from "../../engine/base/language.ts";
import { fail } from "../../engine/base/result.ts";
import type { Observable } from "../../engine/base/events.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { claudeRoot } from "../../engine/transcripts/claude.ts";
import { compareAsk } from "../../engine/jobs/compare-answers.ts";
import * as z from "zod/mini";
import { experimentKinds, type ExperimentSeed } from "../../webview/experiments/form/form.ts";
import { BenchFeed } from "./bench-feed.ts";
import type { BenchBadge } from "../sessions/status-text.ts";
import { followInNotice } from "./bench-notices.ts";
import { chooseFile } from "./chosen-file.ts";
import type { FormPorts } from "./experiments-controller.ts";
import type { ExperimentsPanel } from "./experiments-panel.ts";
import { benchWindow, followCommand } from "./bench-window.ts";
import { benchBadge, jobTarget } from "./describe-jobs.ts";
import { copyOfPrompt, promptOffers } from "./prompts.ts";
import { wakeBadge } from "../economy/describe-wake.ts";
import { GoldenTests } from "./golden/tests.ts";
import { goldenAgentFile } from "../instructions/file-kind.ts";
import { offer, manageTrust, openFolder } from "../editor/notices.ts";
import { runInTerminal } from "../editor/purser-terminal.ts";
import { readEnvironment } from "../editor/settings.ts";
import { pickSession } from "../sessions/pick-sessions.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { PanelCommand, PanelHost } from "../panels/registry.ts";
import type { Services } from "../services.ts";
import { isTreeNode } from "../sessions/sessions-tree.ts";
import { trustedFolder, windowFolders } from "../editor/window-files.ts";

const { t } = vscode.l10n;

/** The argument of "New Experiment…": a kind, or parts of a comparison. */
const targetSchema = z.union([z.enum(experimentKinds), z.partial(compareAsk)]);

/** Everything about experiments in a window, loaded after the window has started. */
export class ExperimentsHost implements PanelHost<PanelCommand<"experiments">> {
  readonly #services: Services;
  readonly #feed: BenchFeed;
  readonly #owned: vscode.Disposable;
  readonly #panel: LazyPart<ExperimentsPanel>;
  readonly #followed = new Set<string>();

  constructor(services: Services, badge: Observable<BenchBadge | undefined>) {
    const { service, log } = services;
    this.#services = services;
    this.#panel = new LazyPart(async () => {
      const { ExperimentsPanel } = await import("./experiments-panel.ts");
      return new ExperimentsPanel(services, formPorts(services));
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

  async run(command: PanelCommand<"experiments">, target: unknown): Promise<void> {
    switch (command) {
      case "purser.newExperiment":
        await this.#begin(target, "benchmark");
        return;
      case "purser.compare":
        await this.#begin(target, "comparison");
        return;
      case "purser.evolvePrompt":
        await this.#begin("prompt", "prompt");
        return;
      case "purser.openExperiments":
      case "purser.openBenchmark":
      case "purser.openComparisons":
        (await this.#panel.get()).open(target);
        return;
      case "purser.resumeBenchmark":
        (await this.#panel.get()).show({ kind: "home" });
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

  /** Shows the form. @param target the command's argument; without one, the form is as it was left */
  async #begin(target: unknown, kind: ExperimentSeed["kind"]): Promise<void> {
    const panel = await this.#panel.get();
    const given = targetSchema.safeParse(target).data;
    if (typeof given === "string") panel.plan({ kind: given });
    else if (given !== undefined) panel.plan({ kind: "comparison", compare: given });
    else if (kind === "benchmark") panel.show({ kind: "form" });
    else panel.plan({ kind });
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
}

/** What the form needs of this window. */
function formPorts({ context }: Services): FormPorts {
  return {
    root: () => claudeRoot({ env: readEnvironment(), home: os.homedir() }),
    prompts: () => promptOffers(windowFolders()),
    onPrompts: (listener) =>
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path.endsWith(".md")) listener();
      }),
    copyPrompt: async (agent, file) => {
      const [project] = windowFolders();
      if (project === undefined)
        return fail("no_folder", plainSentence(t("Open a folder first: the copy is kept in it.")));
      const source = file ?? (await goldenAgentFile(agent, windowFolders(), context));
      if (source === null)
        return fail("no_prompt", plainSentence(t("The prompt of {0} is in no golden suite.", agent)));
      const copied = await copyOfPrompt({ agent, source, project }, t);
      if (copied.ok)
        await vscode.window.showTextDocument(vscode.Uri.file(copied.value), {
          viewColumn: vscode.ViewColumn.Beside,
        });
      return copied;
    },
    openFile: (file) =>
      void vscode.window.showTextDocument(vscode.Uri.file(file), {
        viewColumn: vscode.ViewColumn.Beside,
      }),
    chooseFile,
    openRules: (page, agent) =>
      void (agent === null
        ? vscode.commands.executeCommand("purser.reviewRules")
        : vscode.commands.executeCommand(page === "rules" ? "purser.selectRules" : "purser.tryRules", agent)),
    // The terminal shows the price, and asks first.
    shorten: (agent) =>
      runInTerminal(
        {
          words: ["shorten-prompt", agent],
          name: t("Shorten the prompt of {0}", agent),
          icon: "beaker",
          folder: trustedFolder() ?? undefined,
          isHeldOpen: true,
        },
        context,
      ),
  };
}

function sessionOf(target: unknown): SessionSnapshot | undefined {
  return isTreeNode(target) && target.kind === "session" ? target.session : undefined;
}
