import type { Disposable } from "../../engine/base/disposable.ts";
import type { Failure, Result } from "../../engine/base/result.ts";
import { digestIdOf, readDigest } from "../../engine/rules/distil/kept-digest.ts";
import { missingOf, ruledProgram, whyNoMemory, type AgentDefinition } from "../../engine/rules/needs.ts";
import type { RulesView } from "../../engine/rules/answers.ts";
import {
  panelMessage,
  type HostMessage,
  type PanelMessage,
  type Place,
} from "../../webview/rules/protocol.ts";
import type { BenchWindow } from "../bench/asked-with.ts";
import { LatestAsk } from "../editor/latest-ask.ts";
import { RulesSelection } from "./selection.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { Translate } from "../editor/words.ts";

/** Between two answers that nobody asked for. Milliseconds. */
const updateInterval = 300;

export interface RulesConversationPorts {
  readonly service: ServiceConnection;
  /** Where rules are measured. */
  readonly window: BenchWindow;
  /** Claude Code's configuration folder, as it is now. */
  readonly root: () => string;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  /** Opens a file at a line, counted from 1. */
  readonly openFile: (file: string, line: number) => void;
  readonly openReceipt: (json: string) => void;
  /** Shows a text that is no file. */
  readonly openText: (text: string) => void;
  readonly isThere: (file: string) => Promise<boolean>;
  /** The agents that are defined for this window's folders, as they are now. */
  readonly definitions: () => Promise<readonly AgentDefinition[]>;
  /** Opens an agent's definition with its line for a memory in it, unsaved. */
  readonly addMemory: (file: string) => void;
  readonly add: () => void;
  readonly showLog: () => void;
  readonly onProblem: (message: string) => void;
}

/** What the host of one Rule Review panel does about what the panel says, and what it tells it by itself. */
export class RulesConversation implements Disposable {
  readonly #ports: RulesConversationPorts;
  readonly #looks: LatestAsk;
  readonly #evidence: LatestAsk;
  readonly #selection: RulesSelection;
  readonly #listening: Disposable;
  #view: RulesView | undefined;
  /** Of the change to rules that is known here. */
  #revision = -1;
  /** Of the last one that was told of while a person's own was on its way; then it is known whether that was it. */
  #told = -1;
  #deciding = 0;
  #place: Place | null = null;
  #hasBegun = false;
  #isVisible = true;
  #isStale = false;
  /** What to show as soon as the panel's script runs. */
  #awaited: Place | undefined;

  constructor(ports: RulesConversationPorts) {
    this.#ports = ports;
    this.#looks = new LatestAsk(updateInterval, (signal) => this.#look(signal));
    this.#evidence = new LatestAsk(updateInterval, (signal) => this.#lookAtEvidence(signal));
    this.#selection = new RulesSelection(ports);
    this.#listening = ports.service.onChanged("rulesChanged", (changed) =>
      this.#hearChange(changed?.revision),
    );
  }

  /** A message of the panel, which is outside data like any other. */
  hear(said: unknown): void {
    const message = panelMessage.safeParse(said);
    if (message.success) this.#answer(message.data);
    else this.#ports.onProblem("The Rule Review panel sent a message that is not understood.");
  }

  /** Nothing is asked for a panel nobody sees. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) this.#update(false);
  }

  show(place: Place): void {
    if (this.#hasBegun) this.#ports.post({ type: "show", place });
    else this.#awaited = place;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#selection.dispose();
    this.#looks.dispose();
    this.#evidence.dispose();
  }

  #answer(message: PanelMessage): void {
    const { service, root, t } = this.#ports;
    switch (message.type) {
      case "ready":
        this.#hasBegun = true;
        this.#place = message.place;
        this.#looks.now();
        if (this.#awaited !== undefined) this.#ports.post({ type: "show", place: this.#awaited });
        this.#awaited = undefined;
        this.#evidence.now();
        this.#selection.begin(selectedIn(message.place));
        return;
      case "look":
        this.#place = message.place;
        this.#evidence.now();
        this.#selection.look(selectedIn(message.place));
        return;
      case "act":
        void this.#decide(message);
        return;
      case "compile":
        void this.#act(
          service.ask("memoryCompile", { agent: message.agent, root: root(), replaces: message.replaces }),
          () => ({ message: t("The memory is written."), follow: null }),
        );
        return;
      case "undoMemory":
        void this.#act(
          service.ask("memoryUndo", {
            agent: message.agent,
            root: root(),
            version: message.version,
            replaces: null,
          }),
          () => ({ message: t("The memory is as it was."), follow: null }),
        );
        return;
      case "openSource":
        void this.#openSource(message.id, message.line);
        return;
      case "openReceipt":
        void this.#openReceipt(message.id);
        return;
      case "addMemory":
        void this.#addMemory(message.agent);
        return;
      case "add":
        this.#ports.add();
        return;
      case "plan":
      case "start":
      case "cancel":
      case "resume":
        this.#selection.hear(message);
        return;
      case "retry":
        void this.#retry();
        return;
      case "showLog":
        this.#ports.showLog();
        return;
    }
  }

  /** Only a file that the ledger names as the rule's source; of a transcript that is gone, what was kept of it. */
  async #openSource(id: string, line: number): Promise<void> {
    const { service, openFile, openText, isThere, t } = this.#ports;
    const source = this.#view?.rules.find((rule) => rule.id === id)?.source ?? null;
    const file = source?.kind === "run" ? source.transcript : source?.path;
    const kept = digestIdOf(source);
    if (typeof file === "string" && (kept === null || (await isThere(file)))) {
      openFile(file, line);
      return;
    }
    if (kept === null) return;
    const read = await service.ask("rulesReceipt", { id: kept });
    if (!read.ok) {
      this.#tell(read);
      return;
    }
    const digest = readDigest(read.value.json);
    const title = t("The transcript is gone. This is what the run did, as it was kept, without secrets:");
    if (digest !== null) openText(`${title}\n\n${digest}\n`);
    else if (typeof file === "string") openFile(file, line);
  }

  async #openReceipt(id: string): Promise<void> {
    const { service, openReceipt } = this.#ports;
    const found = await service.ask("rulesReceipt", { id });
    if (!found.ok) this.#tell(found, true);
    else if (found.value.json !== null) openReceipt(found.value.json);
  }

  async #retry(): Promise<void> {
    await this.#ports.service.retry();
    this.#looks.now();
    this.#evidence.now();
    this.#selection.look(selectedIn(this.#place));
  }

  /** Does what a person decided; the answer is how all rules are then. */
  async #decide({ id, act }: Extract<PanelMessage, { type: "act" }>): Promise<void> {
    const { service, root, t, post } = this.#ports;
    this.#deciding += 1;
    const done = await service.ask("rulesAct", { id, act, root: root() });
    this.#deciding -= 1;
    if (done.ok) {
      const { view, revision, why, memory } = done.value;
      this.#show(view, revision);
      const message = memory === null ? why : t("Its memory was not written: {0}", memory);
      post({ type: "done", message, follow: done.value.id === id ? null : done.value.id });
      await this.#lookAtAgents(view);
    } else this.#tell(done, true);
    if (this.#deciding === 0 && this.#told > this.#revision) this.#update(false);
  }

  #show(view: RulesView, revision: number): void {
    // An older answer may come after a newer one.
    if (revision < this.#revision) return;
    this.#revision = revision;
    this.#view = view;
    this.#ports.post({ type: "rules", view });
  }

  /** @param revision of the last change; undefined where there is another service, or none */
  #hearChange(revision: number | undefined): void {
    if (revision === undefined) {
      this.#revision = -1;
      this.#told = -1;
      this.#update(true);
      return;
    }
    this.#told = revision;
    if (revision > this.#revision && this.#deciding === 0) this.#update(false);
  }

  /** @param isAnew there is another service, or none: whoever asked the last one may have had no answer */
  #update(isAnew: boolean): void {
    this.#isStale = !this.#isVisible;
    if (!this.#isVisible || !this.#hasBegun) return;
    for (const each of [this.#looks, this.#evidence]) {
      if (isAnew) each.now();
      else each.soon();
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { service, root } = this.#ports;
    const read = await service.ask("rulesRead", { root: root() }, signal);
    if (signal.aborted) return;
    if (!read.ok) {
      this.#tell(read);
      return;
    }
    this.#show(read.value.view, read.value.revision);
    await this.#lookAtAgents(read.value.view, signal);
  }

  /** Whether what is compiled reaches the agents: their definitions are the user's files. */
  async #lookAtAgents({ memories }: RulesView, signal?: AbortSignal): Promise<void> {
    const definitions = await this.#ports.definitions();
    if (signal?.aborted === true) return;
    const agents = memories.flatMap(({ agent }) => {
      const why = whyNoMemory(agent, definitions);
      return why === null ? [] : missingOf([why]).map((missing) => ({ ...missing, agent }));
    });
    this.#ports.post({ type: "unreached", agents });
  }

  /** Only a definition that was looked up now: the page names no file. */
  async #addMemory(agent: string): Promise<void> {
    const why = whyNoMemory(agent, await this.#ports.definitions());
    if (why?.kind === "no-memory") this.#ports.addMemory(why.file);
    else this.#looks.now();
  }

  async #lookAtEvidence(signal: AbortSignal): Promise<void> {
    const { service, post } = this.#ports;
    const place = this.#place;
    if (place?.kind === "memory") await this.#lookAtLearning(place.agent, signal);
    if (place?.kind !== "rule") return;
    const read = await service.ask("rulesEvidenceOf", { id: place.id }, signal);
    if (signal.aborted) return;
    if (read.ok) post({ type: "evidence", id: place.id, evidence: read.value.evidence });
    else this.#tell(read);
  }

  async #lookAtLearning(agent: string, signal: AbortSignal): Promise<void> {
    const { service, post } = this.#ports;
    const read = await service.ask("rulesReport", { project: null }, signal);
    if (signal.aborted) return;
    if (!read.ok) {
      this.#tell(read);
      return;
    }
    const own = read.value.report.agents.find((one) => one.agent === agent && one.program === ruledProgram);
    post({ type: "learning", agent, learned: own?.learned ?? [] });
  }

  async #act<Answer>(
    asked: Promise<Result<Answer, AskFailure>>,
    say: (answer: Answer) => { message: string; follow: string | null },
  ): Promise<void> {
    const done = await asked;
    if (done.ok) {
      this.#ports.post({ type: "done", ...say(done.value) });
      this.#looks.now();
    } else this.#tell(done, true);
  }

  /** @param isAwaited a person waits for it */
  #tell({ reason, detail }: Failure<AskFailure>, isAwaited = false): void {
    const { t, post, onProblem } = this.#ports;
    // The panel goes on waiting, or showing what it has: a change is told.
    if (reason === "starting" && !isAwaited) return;
    onProblem(`The service did not do what Rule Review asked: ${detail}`);
    if (reason === "offline") post({ type: "offline", message: detail });
    else post({ type: "error", message: t("That could not be done: {0}", detail) });
  }
}

/** Whose selection is looked at, where one is. */
function selectedIn(place: Place | null): string | null {
  return place?.kind === "selection" ? place.agent : null;
}
