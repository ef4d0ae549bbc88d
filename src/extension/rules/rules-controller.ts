import type { Failure } from "../../engine/base/result.ts";
import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";
import { digestIdOf, readDigest } from "../../engine/rules/distil.ts";
import {
  missingOf,
  ruledProgram,
  whyNoMemory,
  type AgentDefinition,
} from "../../engine/rules/agent-definition.ts";
import { mainAgent, type MainFile } from "../../engine/rules/main-files.ts";
import type { RulesView } from "../../engine/rules/rules-answers.ts";
import {
  panelMessage,
  type HostMessage,
  type PanelMessage,
  type Place,
} from "../../webview/rules/rules-protocol.ts";
import type { BenchWindow } from "../experiments/bench-window.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import { describeManyDone } from "./describe-rules.ts";
import { RulesSelection } from "./rules-selection.ts";
import { LearnedRequests } from "./learned-requests.ts";
import { TrialRequests } from "./trial-requests.ts";
import type { AskFailure } from "../service/connection.ts";
import { inWords } from "../../engine/base/language.ts";

const kind = { name: "Rules", messages: panelMessage, updateInterval: 300 };

type About =
  "rules" | "evidence" | "receipt" | "learning" | "memory" | "decision" | "selection" | "trial" | "learned";

export interface RulesControllerPorts extends ControllerPorts<HostMessage> {
  /** The window in which rules are measured. */
  readonly window: BenchWindow;
  /** Claude Code's configuration folder, read when needed. */
  readonly root: () => string;
  /** Opens a file at a line, starting at 1. */
  readonly openFile: (file: string, line: number) => void;
  readonly openReceipt: (json: string) => void;
  /** Shows a text that is not a file. */
  readonly openText: (text: string) => void;
  readonly isThere: (file: string) => Promise<boolean>;
  /** The agents defined for this window's folders, read when needed. */
  readonly definitions: () => Promise<readonly AgentDefinition[]>;
  /** Opens an agent's definition with a line for its memory inserted, unsaved. */
  readonly addMemory: (file: string) => void;
  /** This window's folders. */
  readonly folders: () => readonly string[];
  /** Asks for the project and file that rules of the main conversation go into. Undefined if the user gives up. */
  readonly pickMainFile: (
    isChosen: boolean,
  ) => Promise<{ readonly project: string; readonly name: MainFile | null } | undefined>;
  readonly add: () => void;
  /** Has the user make a rule of something that was learned. */
  readonly promote: (item: LearnedItem) => void;
}

/** Host side of the Rules panel: answers its messages and pushes updates. */
export class RulesController extends BasePanelController<PanelMessage, HostMessage, About> {
  readonly #ports: RulesControllerPorts;
  readonly #refreshes: LatestRequest;
  readonly #evidence: LatestRequest;
  readonly #selection: RulesSelection;
  readonly #trials: TrialRequests;
  readonly #learned: LearnedRequests;
  #view: RulesView | undefined;
  /** Revision of the rules shown here. */
  #revision = -1;
  /**
   * Revision of the last reported change. While the user's own decision is in flight, it is not yet known
   * whether that caused it.
   */
  #announced = -1;
  #deciding = 0;
  #place: Place | null = null;

  constructor(ports: RulesControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#refreshes = this.latest((signal) => this.#refresh(signal));
    this.#evidence = this.latest((signal) => this.#refreshEvidence(signal));
    this.#selection = this.owned.add(
      new RulesSelection({
        ...ports,
        failed: (failure, isAwaited) => this.reportFailure("selection", failure, isAwaited),
      }),
    );
    this.#trials = this.owned.add(
      new TrialRequests({
        ...ports,
        failed: (failure, isAwaited) => this.reportFailure("trial", failure, isAwaited),
      }),
    );
    this.#learned = this.owned.add(
      new LearnedRequests({
        ...ports,
        failed: (failure, isAwaited) => this.reportFailure("learned", failure, isAwaited),
      }),
    );
    this.owned.add(
      ports.service.onChanged("rulesChanged", (changed) => this.#handleChange(changed?.revision)),
    );
  }

  show(place: Place): void {
    this.postOnceStarted({ type: "show", place });
  }

  protected override answer(message: Own<PanelMessage>): void {
    const { service, root, t } = this.#ports;
    switch (message.type) {
      case "ready":
        this.begin();
        this.#place = message.place;
        this.#refreshes.now();
        this.#evidence.now();
        this.#selection.begin(selectedIn(message.place));
        this.#trials.show(triedIn(message.place));
        this.#learned.refresh();
        return;
      case "look":
        this.#place = message.place;
        this.#evidence.now();
        this.#selection.show(selectedIn(message.place));
        this.#trials.show(triedIn(message.place));
        return;
      case "act":
        void this.#decide(message);
        return;
      case "actOnMany":
        void this.#decideMany(message);
        return;
      case "compile":
        void this.perform(
          "memory",
          service.ask("memoryCompile", {
            agent: message.agent,
            root: root(),
            project: this.#projectOf(message.agent),
            replaces: message.replaces,
          }),
          () => this.#changed(t("The memory is written.")),
        );
        return;
      case "undoMemory":
        void this.perform(
          "memory",
          service.ask("memoryUndo", {
            agent: message.agent,
            root: root(),
            version: message.version,
            project: this.#projectOf(message.agent),
            replaces: null,
          }),
          () => this.#changed(t("The memory is as it was.")),
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
      case "chooseMainFile":
        void this.#chooseMainFile(true);
        return;
      case "add":
        this.#ports.add();
        return;
      case "plan":
      case "start":
      case "cancel":
      case "resume":
        this.#selection.handle(message);
        return;
      case "markLearned":
      case "promoteLearned":
        this.#learned.handle(message);
        return;
      case "planTrial":
      case "startTrial":
      case "stopTrial":
      case "chooseTrial":
      case "letInByTrial":
        this.#trials.handle(message);
        return;
    }
  }

  /** Opens only a file that the ledger names as the rule's source; for a deleted transcript, its stored digest. */
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
      this.reportFailure("receipt", read);
      return;
    }
    const digest = readDigest(read.value.json);
    const title = t("The transcript is gone. This is the stored record of the run, without secrets:");
    if (digest !== null) openText(`${title}\n\n${digest}\n`);
    else if (typeof file === "string") openFile(file, line);
  }

  async #openReceipt(id: string): Promise<void> {
    const { service, openReceipt } = this.#ports;
    const found = await service.ask("rulesReceipt", { id });
    if (!found.ok) this.reportFailure("receipt", found, true);
    else if (found.value.json !== null) openReceipt(found.value.json);
  }

  protected override again(): void {
    super.again();
    this.#selection.show(selectedIn(this.#place));
    this.#trials.show(triedIn(this.#place));
    this.#learned.refresh();
  }

  /** Applies a user's decision; the answer contains the resulting state of all rules. */
  async #decide({ id, act }: Extract<PanelMessage, { type: "act" }>): Promise<void> {
    const { service, root, t, post } = this.#ports;
    if (act.kind === "approve" && !(await this.#hasMainFile([id]))) return;
    this.#deciding += 1;
    const done = await service.ask("rulesAct", { id, act, root: root() });
    this.#deciding -= 1;
    if (done.ok) {
      const { view, revision, why, memory } = done.value;
      this.#show(view, revision);
      const message = memory === null ? inWords(why) : t("Its memory was not written: {0}", inWords(memory));
      post({ type: "done", message, follow: done.value.id === id ? null : done.value.id });
      await this.#refreshAgents(view);
    } else this.reportFailure("decision", done, true);
    if (this.#deciding === 0 && this.#announced > this.#revision) this.update(false);
  }

  /** Applies a user's decision about several rules, in one step of the service. */
  async #decideMany({ ids, act }: Extract<PanelMessage, { type: "actOnMany" }>): Promise<void> {
    const { service, root, t, post } = this.#ports;
    const isApproving = act.kind === "approve" || act.kind === "letIn";
    if (isApproving && !(await this.#hasMainFile(ids))) return;
    this.#deciding += 1;
    const done = await service.ask("rulesActOnMany", { ids, act, root: root() });
    this.#deciding -= 1;
    if (done.ok) {
      const { view, revision, ...result } = done.value;
      this.#show(view, revision);
      const changed = act.kind === "undo" ? [] : result.ids;
      post({ type: "manyDone", message: describeManyDone(act.kind, result, t), ids: changed });
      await this.#refreshAgents(view);
    } else this.reportFailure("decision", done, true);
    if (this.#deciding === 0 && this.#announced > this.#revision) this.update(false);
  }

  /** Asks for the file of the main conversation's rules when its first rule is approved. Returns whether there is one. */
  async #hasMainFile(ids: readonly string[]): Promise<boolean> {
    const rules = this.#view?.rules.filter(({ id, agent }) => agent === mainAgent && ids.includes(id)) ?? [];
    const isChosen = this.#view?.memories.some(({ agent }) => agent === mainAgent) === true;
    if (rules.length === 0 || isChosen || (await this.#chooseMainFile(false))) return true;
    const { post, t } = this.#ports;
    post({ type: "error", message: t("No file was chosen, so nothing was approved.") });
    return false;
  }

  /** @param isAlone whether nothing else is done, which would be reported itself */
  async #chooseMainFile(isAlone: boolean): Promise<boolean> {
    const { service, root, pickMainFile, post, t } = this.#ports;
    const isChosen = this.#view?.memories.some(({ agent }) => agent === mainAgent) === true;
    const picked = await pickMainFile(isChosen);
    if (picked === undefined) return false;
    const done = await service.ask("rulesMainFile", { ...picked, root: root() });
    if (!done.ok) {
      this.reportFailure("memory", done, true);
      return false;
    }
    const { view, revision } = done.value;
    this.#show(view, revision);
    await this.#refreshAgents(view);
    if (isAlone && picked.name !== null)
      post({
        type: "done",
        message: t("Rules of the main conversation go into {0}.", picked.name),
        follow: null,
      });
    return picked.name !== null;
  }

  /** The memories that this window can show: of the main conversation, only those of its own folders. */
  #own({ rules, memories }: RulesView): RulesView {
    const folders = this.#ports.folders();
    return {
      rules,
      memories: memories.filter(({ project }) => project === undefined || folders.includes(project)),
    };
  }

  #show(all: RulesView, revision: number): void {
    // An older answer may arrive after a newer one.
    if (revision < this.#revision) return;
    this.#revision = revision;
    const view = this.#own(all);
    this.#view = view;
    this.#ports.post({ type: "rules", view });
  }

  /** @param revision the last change's; undefined for a new or lost service */
  #handleChange(revision: number | undefined): void {
    if (revision === undefined) {
      this.#revision = -1;
      this.#announced = -1;
      this.update(true);
      return;
    }
    this.#announced = revision;
    if (revision > this.#revision && this.#deciding === 0) this.update(false);
  }

  protected override refresh(isAtOnce: boolean): void {
    for (const each of [this.#refreshes, this.#evidence]) each.again(isAtOnce);
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { service, root } = this.#ports;
    const asked = service.ask("rulesRead", { root: root() }, signal);
    const read = await this.safely("rules", asked, signal);
    if (read === undefined) return;
    this.#show(read.view, read.revision);
    await this.#refreshAgents(read.view, signal);
  }

  /** Reports whether compiled memories reach their agents. The agents' definitions are the user's files. */
  async #refreshAgents(all: RulesView, signal?: AbortSignal): Promise<void> {
    const definitions = await this.#ports.definitions();
    if (signal?.aborted === true) return;
    const { rules, memories } = this.#own(all);
    const isMainReached = memories.some(({ agent }) => agent === mainAgent);
    const named = new Set(
      [...rules.filter((rule) => rule.agent === mainAgent), ...memories].map(({ agent }) => agent),
    );
    const agents = [...named].sort().flatMap((agent) => {
      const found = whyNoMemory(agent, definitions);
      const isFolder = this.#ports.folders().length > 0;
      const why =
        found?.kind !== "main"
          ? found
          : isMainReached
            ? null
            : isFolder
              ? found
              : ({ kind: "no-folder" } as const);
      return why === null ? [] : missingOf([why]).map((missing) => ({ ...missing, agent }));
    });
    this.#ports.post({ type: "unreached", agents });
  }

  /** Opens only a definition looked up now: the page names no file. */
  async #addMemory(agent: string): Promise<void> {
    const why = whyNoMemory(agent, await this.#ports.definitions());
    if (why?.kind === "no-memory") this.#ports.addMemory(why.file);
    else this.#refreshes.now();
  }

  #projectOf(agent: string): string | undefined {
    return this.#view?.memories.find((memory) => memory.agent === agent)?.project;
  }

  async #refreshEvidence(signal: AbortSignal): Promise<void> {
    const { service, post } = this.#ports;
    const place = this.#place;
    if (place?.kind === "memory") await this.#refreshLearning(place.agent, signal);
    if (place?.kind !== "rule") return;
    const asked = service.ask("rulesEvidenceOf", { id: place.id }, signal);
    const read = await this.safely("evidence", asked, signal);
    if (read !== undefined) post({ type: "evidence", id: place.id, evidence: read.evidence });
  }

  async #refreshLearning(agent: string, signal: AbortSignal): Promise<void> {
    const { service, post } = this.#ports;
    const asked = service.ask("rulesReport", { project: null }, signal);
    const read = await this.safely("learning", asked, signal);
    if (read === undefined) return;
    const own = read.report.agents.find((one) => one.agent === agent && one.program === ruledProgram);
    post({ type: "learning", agent, learned: own?.learned ?? [] });
  }

  protected override failed({ detail }: Failure<AskFailure>, about: About): HostMessage {
    const { t } = this.#ports;
    const message =
      about === "rules"
        ? t("The rules could not be read: {0}", inWords(detail))
        : t("That could not be done: {0}", inWords(detail));
    return { type: "error", message };
  }

  #changed(message: string): void {
    this.#ports.post({ type: "done", message, follow: null });
    this.#refreshes.now();
  }
}

/** The agent of the shown selection, if any. */
function selectedIn(place: Place | null): string | null {
  return place?.kind === "selection" ? place.agent : null;
}

/** The agent of the shown trial, if any. */
function triedIn(place: Place | null): string | null {
  return place?.kind === "trial" ? place.agent : null;
}
