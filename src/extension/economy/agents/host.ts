import { unwatchFile, watchFile } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { DisposableList } from "../../../engine/base/disposable.ts";
import { purserPaths } from "../../../engine/base/disk/home.ts";
import { definitionsFolder, projectOf } from "../../../engine/economy/agents/locate.ts";
import {
  overviewPorts,
  readOverviews,
  type AgentOverview,
} from "../../../engine/economy/wake/agent-overview.ts";
import { offer, tell, warn } from "../../editor/plain-notice.ts";
import { inMessage, withoutIcons } from "../../editor/outside-text.ts";
import { pickOne } from "../../editor/pick-one.ts";
import { readEnvironment } from "../../editor/settings.ts";
import { windowFolders } from "../../editor/window-folders.ts";
import type { Services } from "../../services.ts";
import type { RecurringCommand } from "./commands.ts";
import { createAgent } from "./create.ts";
import { isUnagreed, lastWakeText, nextWakeText, standingOf } from "./describe.ts";
import { RecurringFeed } from "./feed.ts";
import { agentNameOf } from "./file.ts";
import { RecurringProblems } from "./problems.ts";
import { registerHeadSuggestions } from "./head-completion.ts";
import { isRecurringNode, lastSession, sessionOfNode } from "./tree.ts";
import { registerRecurringView } from "./view.ts";
import { runInTerminal, showTerminalOf, type TerminalTask } from "./wake-terminal.ts";

const { t } = vscode.l10n;
const [longestName, longestReason] = [60, 200];
/** Milliseconds. */
const lookInterval = 2000;

/** Recurring agents in a window: their view, problems in their files, and commands. */
export class RecurringHost implements vscode.Disposable {
  readonly #services: Services;
  readonly #look: () => void;
  readonly #feed: RecurringFeed;
  readonly #owned = new DisposableList();
  #watched: vscode.Disposable | undefined;

  /** @param look finds out again whether the window has agents */
  constructor(services: Services, look: () => void) {
    this.#services = services;
    this.#look = look;
    const { wakes } = purserPaths({ env: readEnvironment(), home: homedir() });
    const ports = overviewPorts(wakes, { now: Date.now, pid: process.pid });
    this.#feed = this.#owned.add(
      new RecurringFeed({
        projects,
        read: (project) => readOverviews(project, ports),
        onProblem: (message) => services.log.warn(message),
      }),
    );
    this.#owned.add(this.#feed.onChange(() => this.#setKeys()));
    this.#owned.add(registerRecurringView(this.#feed));
    this.#owned.add(new RecurringProblems(this.#feed));
    this.#owned.add(registerHeadSuggestions());
    // The lease tells that a wake asks its person, or that it ended without a word.
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

  /** For commands, which are hidden where they can only refuse. */
  #setKeys(): void {
    const { agents } = this.#feed;
    const set = (key: string, value: boolean) =>
      void vscode.commands.executeCommand("setContext", key, value);
    set("purser.hasAgents", agents.length > 0);
    set("purser.hasWakeableAgents", agents.some(isWakeable));
    set("purser.hasAgentSessions", agents.some(hasSession));
    set("purser.hasUnagreedAgents", agents.some(isUnagreed));
  }

  async #wake(target: unknown, { isFresh }: { readonly isFresh: boolean }): Promise<void> {
    if (!(await isTrusted())) return;
    const title = isFresh ? t("Wake Agent Fresh") : t("Wake Agent Now");
    const chosen = await this.#chosen(target, title, isWakeable, t("No agent can be woken now."));
    if (chosen === undefined || !(await this.#isSaved(chosen.file))) return;
    // The view may be behind: what counts is how it is now.
    await this.#feed.read();
    const { isBusy } = this.#feed.agents.find(({ file }) => file === chosen.file) ?? chosen;
    const tasks = [this.#wakeTask(chosen, { isFresh: false }), this.#wakeTask(chosen, { isFresh: true })];
    if (isBusy && !showTerminalOf(tasks)) {
      await tell(t("{0} is being woken elsewhere.", inMessage(chosen.name, longestName)));
      return;
    }
    if (!isBusy) runInTerminal(this.#wakeTask(chosen, { isFresh }));
  }

  #wakeTask({ name, project }: AgentOverview, { isFresh }: { readonly isFresh: boolean }): TerminalTask {
    return {
      words: ["wake", name, ...(isFresh ? ["--fresh"] : [])],
      name: t("Wake {0}", name),
      icon: "play",
      project,
      extensionPath: this.#services.context.extensionPath,
    };
  }

  /** The terminal shows all that is agreed to, and asks. */
  async #agree(target: unknown): Promise<void> {
    if (!(await isTrusted())) return;
    const title = t("Agree to Unattended Wakes");
    const none = t("Every agent with a schedule is agreed to as its file is.");
    const chosen = await this.#chosen(target, title, isUnagreed, none);
    if (chosen === undefined || !(await this.#isSaved(chosen.file))) return;
    const { name, project } = chosen;
    const { extensionPath } = this.#services.context;
    runInTerminal({
      words: ["agent", "agree", name],
      name: t("Agree to {0}", name),
      icon: "verified",
      project,
      extensionPath,
    });
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
      await warn(inMessage(t("{0} cannot be opened: {1}", chosen.file, String(error)), longestReason));
    }
  }

  async #create(): Promise<void> {
    const made = await createAgent(this.#services);
    if (!made.ok) {
      if (made.reason === "no_folder")
        await offer(t("A recurring agent belongs to a project. Open its folder first."), {
          label: t("Open Folder…"),
          command: "vscode.openFolder",
        });
      if (made.reason === "not_written") await warn(inMessage(made.detail, longestReason));
      return;
    }
    this.#look();
    this.#follow();
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(made.value));
    await vscode.window.showTextDocument(document, { selection: placeholderIn(document) });
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
      await tell(none);
      return undefined;
    }
    const now = Date.now();
    const items = all.map((overview) => ({
      label: withoutIcons(overview.name, longestName),
      description: withoutIcons(
        [
          nextWakeText(overview, now, t),
          ...(standingOf(overview) === "faulty" ? [] : [lastWakeText(overview, now, t)]),
        ].join(" · "),
        longestReason,
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

  /** The program reads the file on the disk: what is not saved yet is saved first. */
  async #isSaved(file: string): Promise<boolean> {
    const open = vscode.workspace.textDocuments.find(
      ({ uri }) => uri.scheme === "file" && uri.fsPath === file,
    );
    if (open?.isDirty !== true || (await open.save())) return true;
    await warn(
      t("{0} could not be saved, so nothing was begun.", inMessage(path.basename(file), longestName)),
    );
    return false;
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

/** An agent's file instructs a program, and names commands. */
async function isTrusted(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  await offer(t("Waking an agent runs what its file says, so this folder has to be trusted first."), {
    label: t("Manage Workspace Trust"),
    command: "workbench.trust.manage",
  });
  return false;
}

/** The sentence that a person replaces. */
function placeholderIn(document: vscode.TextDocument): vscode.Range {
  const text = document.getText();
  const start = text.indexOf("Describe here");
  const end = text.indexOf("counts as done.", start);
  if (start === -1 || end === -1) return new vscode.Range(0, 0, 0, 0);
  return new vscode.Range(document.positionAt(start), document.positionAt(end + "counts as done.".length));
}
