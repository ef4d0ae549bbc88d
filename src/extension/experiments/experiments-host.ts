import path from "node:path";
import * as vscode from "vscode";
import type { Observable } from "../../engine/base/events.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { BenchFeed } from "./bench-feed.ts";
import type { BenchBadge } from "../sessions/status-text.ts";
import { followInNotice } from "./bench-notices.ts";
import type { ExperimentsPanel } from "./experiments-panel.ts";
import { benchWindow, followCommand } from "./bench-window.ts";
import { benchBadge, jobTarget } from "./describe-jobs.ts";
import { wakeBadge } from "../economy/describe-wake.ts";
import { runInTerminal, terminalOf } from "../editor/purser-terminal.ts";
import { GoldenTests } from "./golden/tests.ts";
import { offer, manageTrust, openFolder } from "../editor/notices.ts";
import { pickSession } from "../sessions/pick-sessions.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { PanelCommand, PanelHost } from "../panels/registry.ts";
import type { Services } from "../services.ts";
import { isTreeNode } from "../sessions/sessions-tree.ts";
import { trustedFolder } from "../editor/window-files.ts";
import { t } from "../../engine/base/language.ts";

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
      const { windowExperiments } = await import("./experiments-panel.ts");
      return windowExperiments(services);
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
        (await this.#panel.get()).begin(target);
        return;
      case "purser.openExperiments":
        (await this.#panel.get()).open(target);
        return;
      case "purser.newGoldenTask":
        await this.#draft(target);
        return;
      case "purser.draftGoldenTasks":
        await this.#draftFromHistory();
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

  /** In a terminal, which names the price, asks, shows progress, and cancels. */
  async #draftFromHistory(): Promise<void> {
    const folder = await folderForTasks();
    if (folder === null) return;
    const words = ["golden", "draft", "--from-history", "30"];
    const task = { words, folder, name: t("Golden tasks"), icon: "history", isHeldOpen: true };
    const running = terminalOf(task);
    if (running === undefined) runInTerminal(task, this.#services.context);
    else running.show();
  }

  async #draft(target: unknown): Promise<void> {
    const workspace = await folderForTasks();
    if (workspace === null) return;
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

function sessionOf(target: unknown): SessionSnapshot | undefined {
  return isTreeNode(target) && target.kind === "session" ? target.session : undefined;
}

/** A trusted folder, or null after an offer to open or trust one. */
async function folderForTasks(): Promise<string | null> {
  const workspace = trustedFolder();
  if (workspace !== null) return workspace;
  const isFolder = vscode.workspace.workspaceFolders !== undefined;
  await offer(
    t("Golden tasks are kept in a folder of a trusted workspace. Open one, or trust this one."),
    isFolder ? manageTrust : openFolder,
  );
  return null;
}
