import { adviceNow } from "../sessions/status-colours.ts";
import { adviceLimits } from "../../engine/sessions/advice.ts";
import { homedir } from "node:os";
import * as z from "zod/mini";
import * as vscode from "vscode";
import { systemClock } from "../../engine/base/timing.ts";
import { sessionRoots, type SessionRoot } from "../../engine/transcripts/agents.ts";
import { userFolderOf, withEditor } from "../service/chat-facts.ts";
import { isTreeNode } from "../sessions/sessions-tree.ts";
import { findTranscript } from "../sessions/reopen-session.ts";
import { LedgerController } from "./ledger-controller.ts";
import type { ExportFormat } from "./export-ledger.ts";
import { canHandOver, isHandedOver } from "../handover/links.ts";
import { openAgentTerminal } from "../handover/agent-terminal.ts";
import { installedAgents } from "../handover/installed-agents.ts";
import { RelayCardHost, type RelayPorts } from "../handover/relay-card.ts";
import { RelaySavings } from "../handover/relay-savings.ts";
import type { SessionWork } from "../../webview/ledger/ledger-protocol.ts";
import { openTranscript } from "../sessions/open-transcript.ts";
import { saveExport } from "../editor/save-export.ts";
import { turns } from "../editor/describe-editor.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import type { Services } from "../services.ts";
import { readEnvironment } from "../editor/settings.ts";
import { SinglePanel, type PanelPorts, type PanelServices } from "../panels/single.ts";
import { panels, type PanelCommand } from "../panels/registry.ts";
import { hasHooks } from "../hooks/any-installed.ts";
import { inform, offer, warn } from "../editor/notices.ts";
import type { CompactionHead } from "../../engine/ledger/ledger-answers.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import { inWords, t } from "../../engine/base/language.ts";

type Needs = PanelServices & Pick<Services, "sessions" | "handovers">;

/** The argument that shows a session with the card that hands it over. */
const handOverTarget = z.object({ handOver: z.string().check(z.minLength(1), z.maxLength(1000)) });

/** The one Ledger panel of a window, when it is open. */
export class LedgerPanel extends SinglePanel<LedgerController> {
  readonly #services: Needs;

  constructor(services: Needs) {
    super(services, panels.ledger, (ports) => createController(ports, services));
    this.#services = services;
  }

  /** @param session the command's argument: the session to show, or its node in the Sessions view */
  run(command: PanelCommand<"ledger">, session: unknown): void {
    const handed = handOverTarget.safeParse(session);
    if (handed.success) {
      this.reveal((talk) => talk.handOver(handed.data.handOver));
      return;
    }
    const id = isTreeNode(session) && session.kind !== "project" ? session.session.id : session;
    const asked = typeof id === "string" && id !== "" ? id : null;
    if (command === "purser.showLost") {
      void this.#pickLost(asked);
      return;
    }
    this.reveal((talk) => {
      if (asked !== null) talk.show(asked);
    });
  }

  /** @param session whose compactions are offered; null for those of all */
  async #pickLost(session: string | null): Promise<void> {
    const picked = await pickCompaction(this.#services, session);
    if (picked !== undefined) this.reveal((talk) => talk.show(picked.sessionId, picked.id));
  }
}

function createController(ports: PanelPorts, services: Needs): LedgerController {
  const { follow, sample, handovers } = services;
  const controller = new LedgerController({
    ...ports,
    clock: systemClock,
    save: (file) => void save(file),
    openTranscript: (id, agent) => void openById(id, agent, services),
    relay: sample === undefined || sample.relay !== undefined ? (post) => createRelay(services, post) : null,
    workOf: (id) => workOf(id, services),
    getStarted: () => follow("purser.openWalkthrough"),
  });
  controller.alsoDispose(handovers.onChange(() => controller.handoversChanged()));
  return controller;
}

const agentKey = "relayAgent";

function createRelay(services: Needs, post: RelayPorts["post"]): RelayCardHost {
  const { context, service, sessions, handovers, sample } = services;
  const isSample = sample !== undefined;
  return new RelayCardHost({
    service,
    t,
    sessions,
    handovers,
    savings: new RelaySavings(services),
    // In the sample no program starts.
    installed: () =>
      isSample
        ? Promise.resolve([{ word: "claude", file: "" }])
        : installedAgents(readEnvironment(), process.platform),
    remembered: {
      get: () => context.globalState.get<string>(agentKey),
      set: (word) => void (isSample ? undefined : context.globalState.update(agentKey, word)),
    },
    launch: (agent, draft, onEnd) => {
      if (isSample) {
        sample.relay?.start(draft.text);
        return;
      }
      const terminal = openAgentTerminal(agent, draft);
      const closed = vscode.window.onDidCloseTerminal((each) => {
        if (each !== terminal) return;
        closed.dispose();
        onEnd();
      });
    },
    openFile: (file) => void vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false }),
    copy: async (text) => await vscode.env.clipboard.writeText(text),
    now: () => Date.now(),
    post,
  });
}

function workOf(id: string, { sessions, handovers, sample }: Needs): Omit<SessionWork, "scorecard"> {
  const session = sessions.find(id);
  const { to, from } = handovers.of(id);
  return {
    handedTo: to ?? null,
    cameFrom: from ?? null,
    // The sample is nobody's work. An older session is found by its transcript.
    canHandOver:
      sample === undefined
        ? session === undefined || canHandOver(session)
        : sample.relay?.canHandOver(id) === true,
    isEnding:
      session !== undefined && adviceNow(session) === "END_TURN" && !isHandedOver(session, { to, from }),
    now: session?.live === true ? nowOf(session) : null,
    room:
      session === undefined
        ? null
        : {
            window: session.window.value,
            isWindowEstimated: session.window.provenance === "estimated",
            compaction: session.threshold.value,
            advice: adviceLimits(session),
          },
  };
}

function nowOf(session: SessionSnapshot): SessionWork["now"] {
  const { percent, turnsLeft, nextCall, cacheExpiresAt, goingOn } = session;
  return {
    share: percent,
    forecast: turnsLeft.value === null ? null : turns(turnsLeft.value, t),
    nextCall: nextCall.value,
    coldCall: goingOn.coldCall.value,
    cacheExpiresAt,
    here: goingOn.here.value,
    fresh: goingOn.fresh.value,
  };
}

/** A live session knows its transcript's path; an older one's is searched for. */
async function openById(id: string, agent: string | null, services: Needs): Promise<void> {
  const { sessions, sample } = services;
  const live = sessions.find(id)?.transcript;
  // The sample's older sessions have no transcript, and must not be searched for among the user's.
  const isSearched = live === undefined && sample === undefined;
  const file = isSearched ? await findTranscript(id, { roots: rootsHere(services), agent }) : live;
  if (file !== undefined) {
    await openTranscript(file);
    return;
  }
  await warn(
    t("The transcript of this session was not found. Agents remove old ones; the figures are kept."),
  );
}

function rootsHere({ context }: Needs): SessionRoot[] {
  const roots = sessionRoots({ env: readEnvironment(), home: homedir() });
  return withEditor(roots, userFolderOf(context.globalStorageUri));
}

function save({ name, format, text }: { name: string; format: ExportFormat; text: string }): Promise<void> {
  const filters = format === "csv" ? { [t("CSV")]: ["csv"] } : { [t("JSON")]: ["json"] };
  return saveExport({ name, text, filters, title: t("Export Usage") });
}

/** Compactions that are offered, the newest. */
const maxCompactions = 50;
/** Characters. */
const [maxTitleLength, maxPathLength] = [80, 160];

/**
 * Asks for one of the compactions in the ledger. A single one is returned without a question. Undefined for
 * none.
 */
async function pickCompaction(
  { service }: Pick<Services, "service">,
  session: string | null,
): Promise<CompactionHead | undefined> {
  const asked = await service.ask("recentCompactions", { asked: maxCompactions });
  if (!asked.ok) {
    await warn(t("Usage could not be read: {0}", inWords(asked.detail)));
    return undefined;
  }
  const [first, ...others] = asked.value.answer.filter(
    ({ sessionId }) => session === null || sessionId === session,
  );
  if (first === undefined) {
    if (hasHooks()) await inform(t("Hooks are installed; the next compaction will be compared."));
    else
      await offer(
        t("No compaction has been compared yet. Install purser's hooks; the next compaction will be."),
        { label: t("Install Hooks…"), command: "purser.installHooks" },
      );
    return undefined;
  }
  if (others.length === 0) return first;
  const items = [first, ...others].map((compaction) => ({
    label: withoutIcons(compaction.title ?? compaction.sessionId, maxTitleLength),
    description: describe(compaction),
    detail: withoutIcons(compaction.cwd ?? "", maxPathLength),
    compaction,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: t("Which compaction?"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.compaction;
}

function describe({ at, kept, lost, back }: CompactionHead): string {
  const counts =
    back === 0
      ? t("{0} kept, {1} lost", kept, lost)
      : t("{0} kept, {1} lost, {2} put back", kept, lost, back);
  if (at === null) return counts;
  const time = new Date(at).toLocaleString(vscode.env.language, { dateStyle: "medium", timeStyle: "short" });
  return `${time} · ${counts}`;
}
