import path from "node:path";
import { inWords, joinSentences } from "../../engine/base/language.ts";
import type { HandoverDraft, HandoverGap, HandoverView } from "../../engine/continuity/continuity-answers.ts";
import {
  displayNameOf,
  handoverAgents,
  readCard,
  wordOf,
  type HandoverWord,
} from "../../engine/continuity/handover.ts";
import { cleanText } from "../../engine/base/text.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import type { PanelMessage, RelayCard } from "../../webview/ledger/ledger-protocol.ts";
import { sessionName, type Translate } from "../editor/describe-editor.ts";
import type { ServiceConnection } from "../service/connection.ts";
import type { InstalledAgent } from "./installed-agents.ts";
import type { HandoverLinks } from "./links.ts";
import type { RelaySavings } from "./relay-savings.ts";

export interface RelayPorts {
  readonly service: Pick<ServiceConnection, "ask">;
  readonly t: Translate;
  readonly sessions: { readonly find: (id: string) => SessionSnapshot | undefined };
  readonly handovers: Pick<HandoverLinks, "of">;
  readonly savings: Pick<RelaySavings, "of">;
  readonly installed: () => Promise<readonly InstalledAgent[]>;
  /** The agent that was started last. */
  readonly remembered: { readonly get: () => string | undefined; readonly set: (word: HandoverWord) => void };
  /** Starts an agent in a terminal. @param onEnd called once the terminal is closed */
  readonly launch: (agent: InstalledAgent, draft: HandoverDraft, onEnd: () => void) => void;
  readonly openFile: (file: string) => void;
  readonly copy: (text: string) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly post: (card: RelayCard | null) => void;
}

type Message<Type extends PanelMessage["type"]> = Extract<PanelMessage, { type: Type }>;

interface Shown {
  readonly sessionId: string;
  readonly state: RelayCard["state"];
  readonly document: HandoverView;
  readonly draft: HandoverDraft | null;
  readonly agents: readonly InstalledAgent[];
  readonly agent: HandoverWord | null;
  readonly gap: HandoverGap | null;
  readonly problem: string | null;
  readonly done: string | null;
}

/** After this time the card no longer comes with the old session's page. Milliseconds. */
const shownAfterwards = 86_400_000;
/** Characters. */
const maxNameLength = 60;

/**
 * The card above a session's page, independent of the editor: writes the document, starts an agent with it as a person
 * edited it, and then shows what the new session does not know.
 */
export class RelayCardHost {
  readonly #ports: RelayPorts;
  #shown: Shown | null = null;
  #posted = "";
  /** Documents whose card was put away. */
  readonly #putAway = new Set<string>();
  /** Counts what the person asked for: an older answer changes nothing. */
  #asked = 0;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  /** Writes the document of a session and shows its card. Returns why there is none. */
  async begin(sessionId: string): Promise<string | null> {
    const asked = ++this.#asked;
    const [made, agents] = await Promise.all([
      this.#ports.service.ask("handoverMake", { session: sessionId }),
      this.#ports.installed(),
    ]);
    if (asked !== this.#asked) return null;
    if (!made.ok) return this.#ports.t("The session could not be handed over: {0}", inWords(made.detail));
    const { draft } = made.value;
    this.#putAway.delete(draft.id);
    const agent = this.#usual(agents, draft);
    this.#show({ ...nothingYet, sessionId, state: "edit", document: draft, draft, agents, agent });
    return null;
  }

  /** Shows a session's page: with its card, as long as that is new. */
  async look(sessionId: string): Promise<void> {
    const { to } = this.#ports.handovers.of(sessionId);
    const shown = this.#shown?.sessionId === sessionId ? this.#shown : null;
    const isOther = shown !== null && to?.id !== shown.document.id;
    const isTaken = (to?.toSession ?? null) !== null;
    if (to === undefined || isOther || !isTaken) {
      this.#show(shown);
      return;
    }
    const isNew = this.#ports.now() - (to.takenAt ?? 0) < shownAfterwards;
    if (this.#putAway.has(to.id) || (shown === null && !isNew)) {
      this.#show(null);
      return;
    }
    const before = shown ?? { ...nothingYet, sessionId, draft: null, agents: [], agent: null };
    this.#show({ ...before, state: "taken", document: to, problem: null });
    await this.#compare(to.id);
  }

  hide(): void {
    this.#asked += 1;
    this.#shown = null;
    this.#posted = "";
  }

  /** Sends the card again, to a page that has just begun. */
  again(): void {
    this.#posted = "";
    this.#post();
  }

  async start({ id, card, agent: word }: Message<"startCard">): Promise<void> {
    const { service, t } = this.#ports;
    const shown = this.#of(id);
    const agent = shown?.agents.find((each) => each.word === word);
    if (shown === null || agent === undefined || shown.state !== "edit") return;
    // A second click comes before the first one's answer.
    this.#show({ ...shown, state: "starting", agent: agent.word, problem: null });
    const written = await service.ask("handoverWrite", { id, card });
    const started = written.ok
      ? await service.ask("handoverStart", { id, to: handoverAgents[agent.word].name })
      : written;
    if (!started.ok) {
      this.#failed(id, t("The handover could not be started: {0}", inWords(started.detail)));
      return;
    }
    const { draft } = started.value;
    this.#ports.remembered.set(agent.word);
    this.#change(id, { draft });
    this.#ports.launch(agent, draft, () => {
      const now = this.#of(id);
      if (now?.state !== "starting") return;
      const name = displayNameOf(agent.word);
      this.#failed(
        id,
        t("{0} ended before its first prompt. Start it again, or choose another agent.", name),
      );
    });
  }

  async openFile({ id, card }: Message<"openCard">): Promise<void> {
    const draft = await this.#write(id, card);
    if (draft !== null) this.#ports.openFile(draft.file);
  }

  async copy({ id, card }: Message<"copyCard">): Promise<void> {
    const draft = await this.#write(id, card);
    if (draft === null) return;
    await this.#ports.copy(draft.text);
    this.#change(id, { done: this.#ports.t("Copied. Paste it as the first prompt of a new session.") });
  }

  /** Keeps the changes: the document can be opened again. */
  async close({ id, card }: Message<"closeCard">): Promise<void> {
    this.#putAway.add(id);
    const shown = this.#of(id);
    this.#show(null);
    if (shown?.state === "edit" && card !== null)
      await this.#ports.service.ask("handoverWrite", { id, card });
  }

  async putBack({ id, items }: Message<"putBackCard">): Promise<void> {
    const { service, t, copy } = this.#ports;
    const done = await service.ask("handoverPutBack", { id, items });
    if (!done.ok) {
      this.#change(id, { problem: t("It could not be restored: {0}", inWords(done.detail)) });
      return;
    }
    const { text } = done.value;
    if (text !== null) await copy(text);
    const said = text === null ? null : t("Copied. Paste it into the new session's prompt.");
    this.#change(id, { problem: null, done: said });
    await this.#compare(id);
  }

  async #write(id: string, card: RelayCard["parts"]): Promise<HandoverDraft | null> {
    const written = await this.#ports.service.ask("handoverWrite", { id, card });
    if (!written.ok) {
      this.#failed(id, this.#ports.t("The handover could not be written: {0}", inWords(written.detail)));
      return null;
    }
    const { draft } = written.value;
    this.#change(id, { draft, problem: null });
    return draft;
  }

  async #compare(id: string): Promise<void> {
    const asked = await this.#ports.service.ask("handoverGap", { id });
    if (asked.ok) this.#change(id, { gap: asked.value.gap });
  }

  #failed(id: string, problem: string): void {
    this.#change(id, { state: "edit", problem });
  }

  /** The agent that was started last, else the session's own, else any. */
  #usual(agents: readonly InstalledAgent[], { program }: HandoverDraft): HandoverWord | null {
    const words = agents.map(({ word }) => word);
    const wanted = [this.#ports.remembered.get(), wordOf(program ?? "")];
    return wanted.flatMap((each) => words.find((word) => word === each) ?? [])[0] ?? words[0] ?? null;
  }

  #of(id: string): Shown | null {
    return this.#shown?.document.id === id ? this.#shown : null;
  }

  #change(id: string, change: Partial<Shown>): void {
    const shown = this.#of(id);
    if (shown !== null) this.#show({ ...shown, ...change });
  }

  #show(shown: Shown | null): void {
    this.#shown = shown;
    this.#post();
  }

  /** Called after every change of the sessions, most of which do not concern the card. */
  #post(): void {
    const card = this.#shown === null ? null : this.#cardOf(this.#shown);
    const text = JSON.stringify(card);
    if (text === this.#posted || (card === null && this.#posted === "")) return;
    this.#posted = text;
    this.#ports.post(card);
  }

  #cardOf({ sessionId, state, document, draft, agents, agent, gap, problem, done }: Shown): RelayCard {
    const { sessions } = this.#ports;
    const old = sessions.find(sessionId);
    const activity = old?.activity?.state;
    return {
      id: document.id,
      sessionId,
      state,
      file: draft === null ? "" : path.basename(draft.file),
      folder: document.folder,
      parts: readCard(draft?.text ?? ""),
      agents: agents.map(({ word }) => ({ word, name: displayNameOf(word) })),
      agent,
      tokens: document.tokens,
      carried: document.carried,
      here: old?.goingOn.here.value ?? null,
      fresh: old?.goingOn.fresh.value ?? null,
      isWorking: activity === "working" || activity === "compacting",
      changed:
        draft === null || draft.changed.length === 0
          ? ""
          : cleanText(inWords(joinSentences(draft.changed, "; "))),
      problem,
      done,
      successor: this.#successor(document),
      gap,
    };
  }

  #successor({ toSession, toProgram }: HandoverView): RelayCard["successor"] {
    if (toSession === null) return null;
    const session = this.#ports.sessions.find(toSession);
    const agent = toProgram === null ? "" : agentNames.of(toProgram);
    const label = session === undefined ? "" : sessionName(session);
    const name = [agent, label].filter((part) => part !== "").join(" · ");
    return {
      id: toSession,
      name: cleanText(name === "" ? toSession : name).slice(0, maxNameLength),
      share: session?.percent ?? null,
      saved: session === undefined ? null : this.#ports.savings.of(session),
    };
  }
}

const nothingYet = { gap: null, problem: null, done: null } as const;
