import { inWords, t } from "../../engine/base/language.ts";
import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import { pick } from "../../engine/sessions/agent-environment.ts";
import { serviceConnection, type ServiceConnection } from "../service/connection.ts";
import { BudgetsFeed } from "../budgets/budgets-state.ts";
import { budgetBadge } from "../budgets/status-bar.ts";
import { RelaySavings } from "../handover/relay-savings.ts";
import { SamplePlay, type PlayPorts } from "./play.ts";
import { registerSampleStatus } from "./sample-status.ts";
import { explainFailure, ServiceLink } from "../service/link.ts";
import { versionIn } from "../../engine/base/process.ts";
import { WindowSessions } from "../sessions/in-window.ts";
import type { Services, SampleMark } from "../services.ts";
import type { SampleFolder } from "./folder.ts";
import { guardedConnection } from "./guarded.ts";
import { samplePanels, type SamplePanels } from "./panels.ts";
import { nodeText } from "../sessions/sessions-node-text.ts";
import { childrenOf, nodeId, projectNodes, type TreeNode } from "../sessions/sessions-tree.ts";
import { TextTree } from "../editor/text-tree.ts";
import { sampleHomes, type SampleHomes } from "./unpack.ts";
import { purserPaths } from "../../engine/base/paths.ts";
import { overviewPorts, readOverviews } from "../../engine/recurring/agents.ts";
import { RecurringFeed } from "../economy/agents/economy-agents-feed.ts";
import { sessionOfNode } from "../economy/agents/economy-agents-tree.ts";
import { registerRecurringView } from "../economy/agents/economy-agents-view.ts";

/** Maximum time for the service to write and end. Milliseconds. */
const maxEndTime = 3000;
/** Milliseconds. */
const pauses = [200, 400, 800, 1600];

/** The variables that a service needs from the system. None belongs to an agent, an account or purser. */
const ofSystem =
  /^(?:PATH|SYSTEMROOT|WINDIR|TEMP|TMP|TMPDIR|LANG|LC_ALL|TZ|LD_LIBRARY_PATH|NIX_LD|NIX_LD_LIBRARY_PATH|USER|LOGNAME)$/iu;

/** An open sample: its own service with its own homes, its panels and its view. */
export interface OpenedSample {
  readonly panels: SamplePanels;
  readonly play: SamplePlay;
  /** Closes its panels, ends its service and removes its folder. */
  close(): Promise<void>;
}

/** Opens an unpacked sample; resolves when its ledger has read everything. @throws why it could not be opened */
export async function openSample(
  { context, log }: Pick<Services, "context" | "log">,
  folder: SampleFolder,
  mark: SampleMark,
): Promise<OpenedSample> {
  const homes = sampleHomes(folder.path);
  const link = newSampleLink({ context, log }, homes);
  const sessions = new WindowSessions({
    link,
    memory: nowhere(),
    mutes: { has: () => false },
  });
  const service = guardedConnection(serviceConnection(link), t);
  const owned: vscode.Disposable[] = [sessions];
  const close = async () => {
    vscode.Disposable.from(...owned).dispose();
    await link.client?.shutdown("asked", maxEndTime);
    await link.stop();
    await folder.remove();
  };
  try {
    link.start();
    const play = new SamplePlay({
      cwd: homes.workspace,
      append: transcriptWriter(homes),
      handOver: async (session) => await handedOver(session, service),
      wait: async (ms, signal) => {
        await delay(ms, undefined, { signal }).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      },
      now: () => Date.now(),
      onProblem: (message) => log.warn(message),
    });
    await play.prepare();
    const relay = {
      canHandOver: (id: string) => id === play.openId,
      start: (document: string) => void play.relay(document),
    };
    const panels = await samplePanels({ context, log, service, sessions, sample: { ...mark, relay } }, homes);
    owned.push(panels, play);
    await service.ready();
    if (link.state.kind === "failed") throw new Error(link.state.reason);
    const read = await service.ask("catchUp", {});
    if (!read.ok) throw new Error(inWords(read.detail));
    const { handovers } = panels;
    const budgets = new BudgetsFeed({
      service,
      folders: () => [homes.workspace],
      warn: (message) => log.warn(message),
    });
    owned.push(
      registerSampleSessions(sessions),
      registerSampleAgents(homes),
      budgets,
      registerSampleStatus({
        sessions,
        handovers,
        savings: new RelaySavings({ sessions, handovers }),
        play,
        budget: () =>
          budgetBadge(budgets.projects ?? [], {
            t,
            isLive: () => true,
            titleOf: (id) => sessions.find(id)?.title ?? undefined,
          }),
      }),
    );
    return { panels, play, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Adds rows to transcripts in the sample's Claude Code folder. */
function transcriptWriter({ claude, workspace }: SampleHomes): PlayPorts["append"] {
  const folder = path.join(claude, "projects", workspace.replaceAll(/[^a-zA-Z0-9]/gu, "-"));
  return async (id, rows) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await appendFile(path.join(folder, `${id}.jsonl`), rows.map((row) => `${row}\n`).join(""), {
      mode: 0o600,
    });
  };
}

/** Hands a session over as the card does. Null if that is not possible. */
async function handedOver(session: string, service: Pick<ServiceConnection, "ask">): Promise<string | null> {
  const made = await service.ask("handoverMake", { session });
  if (!made.ok) return null;
  const started = await service.ask("handoverStart", { id: made.value.draft.id, to: "claude-code" });
  return started.ok ? started.value.draft.text : null;
}

/** A link to a service of the sample's own. */
function newSampleLink({ context, log }: Pick<Services, "context" | "log">, homes: SampleHomes): ServiceLink {
  const env = () => ({ ...pick(process.env, (name) => ofSystem.test(name)), ...homes.env });
  const { extensionPath, extension } = context;
  const say = (level: "info" | "warn" | "error") => (message: string) => log[level](`Sample: ${message}`);
  return new ServiceLink({
    log: { info: say("info"), warn: say("warn"), error: say("error") },
    pauses,
    longPause: 30_000,
    explain: (failure) => explainFailure(failure, t),
    load: async () => {
      const { serviceAccess } = await import("../service/service-access.ts");
      return serviceAccess({
        program: path.join(extensionPath, "dist", "service.cjs"),
        version: versionIn(extension.packageJSON),
        userHome: homes.root,
        userFolder: null,
        pid: process.pid,
        execPath: process.execPath,
        isElectron: process.versions["electron"] !== undefined,
        env,
        folders: () => [homes.workspace],
        // The sample neither reads nor changes the user's settings.
        settings: () => ({ editor: "sample", workspace: null, user: {}, folders: [] }),
        onProblem: say("warn"),
      });
    },
  });
}

/** Remembers nothing: a pin of the sample would outlive it. */
function nowhere(): vscode.Memento {
  return { keys: () => [], get: <Value>(_: string, other?: Value) => other, update: () => Promise.resolve() };
}

/** The sample's sessions, in a separate view: they are never among the user's. */
function registerSampleSessions(sessions: WindowSessions): vscode.Disposable {
  const tree = new TextTree<TreeNode>({
    rootsOf: () => projectNodes(sessions.all, (session) => sessions.isHere(session)),
    childrenOf,
    idOf: (node) => `sample ${nodeId(node)}`,
    textOf: (node) => {
      const text = nodeText(node, {
        now: Date.now(),
        t,
        isPinned: () => false,
        isMuted: () => false,
        namesAgents: true,
      });
      // No menu of the user's sessions is for them.
      return { ...text, contextValue: "" };
    },
    commandOf: (node) =>
      node.kind === "session"
        ? { command: "purser.openSample", title: t("Open Session"), arguments: [node.session.id] }
        : undefined,
    isExpanded: ({ kind }) => kind === "project",
  });
  const view = vscode.window.createTreeView("purser.sampleSessions", { treeDataProvider: tree });
  view.message = t("Sample data. Nothing here is yours.");
  return vscode.Disposable.from(
    view,
    tree,
    sessions.onChange(() => tree.refresh()),
  );
}

/**
 * The sample's recurring agents, in a separate view: they are never among the user's, and nothing wakes them.
 */
function registerSampleAgents({ env, root, workspace }: SampleHomes): vscode.Disposable {
  const { wakes } = purserPaths({ env, home: root });
  const ports = overviewPorts(wakes, { now: Date.now, pid: process.pid });
  const feed = new RecurringFeed({
    projects: () => [workspace],
    // The sample's agents are never late.
    read: async (project) =>
      (await readOverviews(project, ports)).map((each) => ({ ...each, dueSince: null })),
    onProblem: () => undefined,
  });
  const view = registerRecurringView({
    feed,
    options: () => ({
      t,
      now: Date.now(),
      // As they would be with wakes by schedule on.
      wokenBy: ({ agent }) => ({ waker: agent?.schedule === undefined ? "person" : "service", why: null }),
      jobOf: () => undefined,
    }),
    onChange: () => new vscode.Disposable(() => undefined),
    as: {
      id: "purser.sampleAgents",
      message: t("Sample data. Nothing here is yours, and nothing is woken."),
      commandOf: (node) => {
        const session = sessionOfNode(node);
        const isOwn = node.kind === "recurring-session" || node.kind === "recurring-wake";
        return session === null || !isOwn
          ? undefined
          : { command: "purser.openSample", title: t("Open Session"), arguments: [session] };
      },
    },
  });
  return vscode.Disposable.from(feed, view);
}
