import { unwatchFile, watchFile } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { DisposableList } from "../../../engine/base/events.ts";
import { purserPaths } from "../../../engine/base/paths.ts";
import {
  definitionsFolder,
  projectOf,
  type AgentOverview,
  readOverviews,
  overviewPorts,
  wakerOf,
} from "../../../engine/recurring/agents.ts";
import { systemClock } from "../../../engine/base/timing.ts";
import type { WakeJob } from "../../../engine/jobs/bench-answers.ts";
import { isUnderWay } from "../../../engine/jobs/compare-answers.ts";
import { SettingsStore } from "../../../engine/settings/settings-store.ts";
import { BenchFeed } from "../../experiments/bench-feed.ts";
import { offer, inform, warn, openFolder } from "../../editor/notices.ts";
import { inMessage, saidInMessage, withoutIcons } from "../../editor/outside-text.ts";
import { openSettings, readEnvironment } from "../../editor/settings.ts";
import { pickOne } from "../../editor/pick.ts";
import { windowFolders } from "../../editor/window-files.ts";
import type { Services } from "../../services.ts";
import type { RecurringCommand } from "../../editor/lazy-commands.ts";
import { createAgent, showNewAgent } from "./create-economy-agents.ts";
import {
  isUnagreed,
  lastWakeText,
  nextWakeText,
  type RecurringTextOptions,
} from "./describe-economy-agents.ts";
import { RecurringFeed, agentNameOf } from "./economy-agents-feed.ts";
import { startWake, isSaved, isTrusted } from "./start-wake.ts";
import { RecurringProblems, registerHeadSuggestions } from "./economy-agents-help.ts";
import { isRecurringNode, lastSession, sessionOfNode } from "./economy-agents-tree.ts";
import { registerRecurringView } from "./economy-agents-view.ts";
import { runInTerminal, terminalOf } from "../../editor/purser-terminal.ts";
import { t } from "../../../engine/base/language.ts";
const [maxNameLength, maxReasonLength] = [60, 200];
/** Milliseconds. */
const lookInterval = 2000;

/** Recurring agents in a window: their view, problems in their files, and commands. */
export class RecurringHost implements vscode.Disposable {
  readonly #services: Services;
  readonly #look: () => void;
  readonly #feed: RecurringFeed;
  readonly #jobs: BenchFeed;
  readonly #settings: SettingsStore;
  readonly #owned = new DisposableList();
  #watched: vscode.Disposable | undefined;

  /** @param look checks again whether the window has agents */
  constructor(services: Services, look: () => void) {
    this.#services = services;
    this.#look = look;
    const home = purserPaths({ env: readEnvironment(), home: homedir() });
    const { wakes } = home;
    const ports = overviewPorts(wakes, { now: Date.now, pid: process.pid });
    this.#feed = this.#owned.add(
      new RecurringFeed({
        projects,
        read: (project) => readOverviews(project, ports),
        onProblem: (message) => services.log.warn(message),
      }),
    );
    this.#jobs = this.#owned.add(new BenchFeed(services.service, (message) => services.log.warn(message)));
    this.#settings = this.#owned.add(
      new SettingsStore({ home, platform: process.platform, clock: systemClock, onProblem: () => undefined }),
    );
    this.#owned.add(
      registerRecurringView({
        feed: this.#feed,
        options: () => this.#textOptions(),
        onChange: (listener) =>
          vscode.Disposable.from(
            this.#jobs.onWakes(listener),
            vscode.workspace.onDidGrantWorkspaceTrust(listener),
          ),
      }),
    );
    this.#owned.add(new RecurringProblems(this.#feed));
    this.#owned.add(registerHeadSuggestions());
    // The lease shows that a wake waits for an answer, or that it ended without reporting.
    const states = "*/{state.json,agreement.json,wake.*.lock}";
    this.#owned.add(this.#watch(new vscode.RelativePattern(vscode.Uri.file(wakes), states)));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#follow()));
    this.#follow();
  }

  async run(command: RecurringCommand, target: unknown): Promise<void> {
    switch (command) {
      case "purser.wakeAgent":
        await this.#wake(target, { isFresh: false });
        return;
      case "purser.wakeAgentFresh":
        await this.#wake(target, { isFresh: true });
        return;
      case "purser.cancelWake":
        await this.#cancel(target);
        return;
      case "purser.openWakesSetting":
        await openSettings("@id:purser.wakes.enabled");
        return;
      case "purser.openAgentSession":
        await this.#openSession(target);
        return;
      case "purser.openAgentFile":
        await this.#openFile(target);
        return;
      case "purser.newAgent":
        await this.#create();
        return;
      case "purser.agreeToAgent":
        await this.#agree(target);
        return;
    }
  }

  dispose(): void {
    this.#watched?.dispose();
    this.#owned.dispose();
  }

  /** Watches the files of the window's projects, which may begin above its folders. */
  #follow(): void {
    this.#watched?.dispose();
    this.#watched = vscode.Disposable.from(
      ...projects().flatMap((project) => {
        const folder = definitionsFolder(project);
        return [
          this.#watch(new vscode.RelativePattern(vscode.Uri.file(folder), "*.md")),
          this.#lookAt(folder),
        ];
      }),
    );
    this.#feed.soon();
  }

  #watch(pattern: vscode.RelativePattern): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const soon = () => this.#feed.soon();
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(soon),
      watcher.onDidChange(soon),
      watcher.onDidDelete(soon),
    );
  }

  /** Editors miss what comes and goes in a folder that is new, and on network drives. */
  #lookAt(folder: string): vscode.Disposable {
    const soon = () => this.#feed.soon();
    watchFile(folder, { interval: lookInterval, persistent: false }, soon);
    return new vscode.Disposable(() => unwatchFile(folder, soon));
  }

  async #wake(target: unknown, { isFresh }: { readonly isFresh: boolean }): Promise<void> {
    if (!(await isTrusted())) return;
    const title = isFresh ? t("Wake Agent Fresh") : t("Wake Agent Now");
    const chosen = await this.#chosen(target, title, isWakeable, t("No agent can be woken now."));
    if (chosen === undefined || !(await isSaved(chosen.file))) return;
    // The view may be behind: what counts is how it is now.
    await this.#feed.read();
    const now = this.#feed.agents.find(({ file }) => file === chosen.file) ?? chosen;
    const { agent } = now;
    if (agent === null) return;
    if (now.isBusy) {
      await inform(t("{0} is being woken already.", inMessage(chosen.name, maxNameLength)));
      return;
    }
    const agreeFirst = () => this.#agree({ kind: "recurring-agent", overview: now });
    await startWake({ ...now, agent }, { services: this.#services, feed: this.#jobs, isFresh, agreeFirst });
  }

  /** Ends a wake that is a job. One in a terminal is ended there. */
  async #cancel(target: unknown): Promise<void> {
    const none = t("No wake runs that can be cancelled here.");
    const isCancellable = (overview: AgentOverview) => this.#jobOf(overview) !== undefined;
    const chosen = await this.#chosen(target, t("Cancel Wake"), isCancellable, none);
    const job = chosen === undefined ? undefined : this.#jobOf(chosen);
    if (job === undefined) return;
    const done = await this.#services.service.ask("benchCancel", { id: job.id });
    if (!done.ok) await warn(saidInMessage(done.detail, maxReasonLength));
  }

  /** The wake of an agent that runs as a job. */
  #jobOf({ project, name }: AgentOverview): WakeJob | undefined {
    return this.#jobs.wakes.find(
      ({ ask, state }) => ask.project === project && ask.agent === name && isUnderWay(state),
    );
  }

  #textOptions(): RecurringTextOptions {
    const now = Date.now();
    const isOn = this.#settings.now().wakes;
    const { isTrusted } = vscode.workspace;
    return {
      t,
      now,
      wokenBy: (overview) => wakerOf(overview, { isOn, isTrusted, now }),
      jobOf: (overview) => this.#jobOf(overview),
    };
  }

  /** The terminal shows everything to agree to, and asks. */
  async #agree(target: unknown): Promise<void> {
    if (!(await isTrusted())) return;
    const title = t("Agree to Unattended Wakes");
    const none = t("Every agent with a schedule is agreed to as its file is.");
    const chosen = await this.#chosen(target, title, isUnagreed, none);
    if (chosen === undefined || !(await isSaved(chosen.file))) return;
    const { name, project } = chosen;
    const task = { words: ["agent", "agree", name], folder: project };
    // Nothing is at work in a terminal that was left open after the same task.
    terminalOf(task)?.dispose();
    runInTerminal(
      { ...task, name: t("Agree to {0}", name), icon: "verified", isHeldOpen: true },
      this.#services.context,
    );
  }

  async #openSession(target: unknown): Promise<void> {
    const own = isRecurringNode(target) ? sessionOfNode(target) : null;
    const none = t("No agent was woken yet.");
    const session = own ?? (await this.#sessionOf(target, none));
    if (session !== undefined) this.#services.follow("purser.openLedger", session);
  }

  async #sessionOf(target: unknown, none: string): Promise<string | undefined> {
    const chosen = await this.#chosen(target, t("Open Agent Session"), hasSession, none);
    return chosen === undefined ? undefined : (lastSession(chosen) ?? undefined);
  }

  async #openFile(target: unknown): Promise<void> {
    const none = t("This window has no recurring agents.");
    const chosen = await this.#chosen(target, t("Open Agent File"), () => true, none);
    if (chosen === undefined) return;
    const fault =
      isRecurringNode(target) && target.kind === "recurring-fault" ? target.fault : chosen.faults[0];
    const at = Math.max(0, (fault?.line ?? 1) - 1);
    const options = fault === undefined ? {} : { selection: new vscode.Range(at, 0, at, 0) };
    try {
      await vscode.window.showTextDocument(vscode.Uri.file(chosen.file), options);
    } catch (error) {
      await warn(inMessage(t("{0} cannot be opened: {1}", chosen.file, String(error)), maxReasonLength));
    }
  }

  async #create(): Promise<void> {
    const made = await createAgent(this.#services);
    if (!made.ok) {
      if (made.reason === "no_folder")
        await offer(t("A recurring agent belongs to a project. Open its folder first."), openFolder);
      if (made.reason === "not_written") await warn(saidInMessage(made.detail, maxReasonLength));
      return;
    }
    this.#look();
    this.#follow();
    await showNewAgent(made.value);
  }

  /** The agent of a node; else the only one that fits, or the one that is picked. */
  async #chosen(
    target: unknown,
    title: string,
    fits: (overview: AgentOverview) => boolean,
    none: string,
  ): Promise<AgentOverview | undefined> {
    if (isRecurringNode(target) && target.kind !== "recurring-project") return target.overview;
    await this.#feed.read();
    const all = this.#feed.agents.filter(fits);
    if (all.length === 0) {
      await inform(none);
      return undefined;
    }
    const [only] = all;
    if (all.length === 1 && only !== undefined) return only;
    const options = this.#textOptions();
    const { now } = options;
    const items = all.map((overview) => ({
      label: withoutIcons(overview.name, maxNameLength),
      description: withoutIcons(
        [
          nextWakeText(overview, options),
          ...(overview.faults.length > 0 ? [] : [lastWakeText(overview, now, t)]),
        ].join(" · "),
        maxReasonLength,
      ),
      overview,
    }));
    const open = vscode.window.activeTextEditor?.document.uri;
    const first = items.find(
      ({ overview }) => open !== undefined && agentNameOf(open) !== null && overview.file === open.fsPath,
    );
    const picked = await pickOne({ title, placeholder: t("Which agent?"), items, first });
    return picked?.overview;
  }
}

/** The window's projects, without duplicates. */
function projects(): string[] {
  return [...new Set(windowFolders().map(projectOf))];
}

function isWakeable({ faults, isBusy }: AgentOverview): boolean {
  return faults.length === 0 && !isBusy;
}

function hasSession(overview: AgentOverview): boolean {
  return lastSession(overview) !== null;
}
