import { inWords, plainSentence } from "../../engine/base/language.ts";
import type { Clock } from "../../engine/base/timing.ts";
import type { Disposable } from "../../engine/base/events.ts";
import type { Failure } from "../../engine/base/result.ts";
import type {
  FamilyMode,
  GuardFamily,
  GuardHit,
  GuardModeBook,
  GuardRuleBook,
} from "../../engine/guard/guard-answers.ts";
import {
  panelMessage,
  type HostMessage,
  type PanelMessage,
  type Span,
  type ViewMessage,
  type AskedReplay,
  type ReplayState,
} from "../../webview/guard/guard-protocol.ts";
import { canBeRequired, guardFamilies } from "../../engine/settings/guard.ts";
import { GuardTrials } from "./guard-trials.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { Translate } from "../editor/describe-editor.ts";

interface ReplayPorts {
  readonly service: ServiceConnection;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  readonly onProblem: (message: string) => void;
}

/** The panel's replay of the user's own sessions: its last result stays for as long as the panel lives. */
export class PastReplay implements Disposable {
  readonly #ports: ReplayPorts;
  readonly #listening: Disposable;
  #state: ReplayState | null = null;
  /** The last result, which a cancelled replay leaves. */
  #last: ReplayState | null = null;
  #running: AbortController | undefined;

  constructor(ports: ReplayPorts) {
    this.#ports = ports;
    this.#listening = ports.service.onChanged("guardPlayed", (far) => {
      if (far !== undefined && this.#state?.kind === "playing") this.#show({ ...this.#state, far });
    });
  }

  /** Sends the current state to a page that has started. */
  begin(): void {
    if (this.#state !== null) this.#tell();
  }

  /** @param since milliseconds since the epoch */
  async play(asked: AskedReplay, since: number): Promise<void> {
    if (this.#running !== undefined) return;
    const { service, t, onProblem } = this.#ports;
    const running = new AbortController();
    this.#running = running;
    this.#show({ kind: "playing", asked, far: null });
    const played = await service.ask("guardPlay", { since, family: asked.family }, running.signal);
    if (running.signal.aborted) return;
    this.#running = undefined;
    if (played.ok) {
      this.#last = { kind: "done", asked, replay: played.value.replay };
      this.#show(this.#last);
      return;
    }
    onProblem(`The service did not answer the Guard panel (replay): ${played.detail.text}`);
    this.#show({ kind: "failed", asked, message: t("The replay failed: {0}", inWords(played.detail)) });
  }

  cancel(): void {
    if (this.#running === undefined) return;
    this.#running.abort();
    this.#running = undefined;
    this.#show(this.#last);
  }

  dispose(): void {
    this.#running?.abort();
    this.#listening.dispose();
  }

  #show(state: ReplayState | null): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    this.#ports.post({ type: "replay", state: this.#state });
  }
}

const kind = { name: "Guard", messages: panelMessage, updateInterval: 1000 };

/** Hits that are shown one by one. */
const maxHits = 200;

type About = "hits" | "rules" | "exception" | "mode" | "wake" | "trial";

/** A change of a mode. */
export interface ModeChange {
  /** Null for all. */
  readonly family: GuardFamily | null;
  /** Null for the mode of all. */
  readonly mode: FamilyMode | null;
  /** The current modes, from any source. */
  readonly held: GuardModeBook;
}

export interface GuardControllerPorts extends ControllerPorts<HostMessage> {
  readonly clock: Clock;
  /** Writes a mode into the editor's settings; rejects where they cannot be written. */
  readonly setMode: (change: ModeChange) => Promise<void>;
  /** When an editor turned guard on, in milliseconds since the epoch; null if none did. */
  readonly onSince: { readonly get: () => number | null; readonly set: (at: number | null) => void };
  readonly onSettingsChange: (listener: () => void) => Disposable;
  readonly openSession: (id: string) => void;
  /** Opens the user's rules file at a line, or proposes one if there is none. */
  readonly openUserFile: (file: string, line: number | null) => void;
  readonly openProjectFile: () => void;
  /** Whether the window has a folder. */
  readonly hasProject: () => boolean;
  /** Whether a file is open with unsaved changes. */
  readonly isUnsaved: (file: string) => boolean;
  readonly showHooks: () => void;
  /** Whether any agent has purser's hooks. */
  readonly hasHooks: () => boolean;
  /** Resolves once the user has installed hooks, or has not. */
  readonly installHooks: () => Promise<void>;
}

/** Host side of the Guard panel: answers its messages and pushes updates. */
export class GuardController extends BasePanelController<PanelMessage, HostMessage, About> {
  readonly #ports: GuardControllerPorts;
  readonly #hits: LatestRequest;
  readonly #rules: LatestRequest;
  readonly #replay: PastReplay;
  readonly #trials: GuardTrials;
  #days: Span = 7;
  /** What the page shows. The host looks up what the page names here, so it need not trust the page. */
  #view: ViewMessage | undefined;
  #book: GuardRuleBook | undefined;

  constructor(ports: GuardControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#hits = this.latest((signal) => this.#askHits(signal));
    this.#rules = this.latest((signal) => this.#askRules(signal));
    this.#replay = this.owned.add(new PastReplay(ports));
    this.#trials = this.owned.add(
      new GuardTrials({
        ...ports,
        failed: (failure, isAwaited) => this.reportFailure("trial", failure, isAwaited),
      }),
    );
    this.updateOn("ledgerChanged");
    this.owned.add(ports.onSettingsChange(() => this.update(true)));
  }

  protected override answer(message: Own<PanelMessage>): void {
    const { openSession, openProjectFile, showHooks } = this.#ports;
    switch (message.type) {
      case "ready":
      case "show":
        this.#days = message.days;
        this.begin();
        this.refresh(true);
        if (message.type === "ready") {
          this.#replay.begin();
          this.#trials.begin();
        }
        return;
      case "startTrial":
        void this.#trials.start(message.families);
        return;
      case "stopTrial":
        void this.#trials.stop(message.id);
        return;
      case "setMode":
        void this.#setMode(message);
        return;
      case "turnOn":
        void this.#turnOn(message.families);
        return;
      case "except":
        void this.#except(message);
        return;
      case "wake":
        void this.#wake(message.rule);
        return;
      case "unwake":
        void this.#unwake(message);
        return;
      case "undo":
        void this.#undo(message.id);
        return;
      case "play":
        void this.#replay.play(
          message.asked,
          dayBefore(this.#ports.clock.now(), message.asked.days - 1).getTime(),
        );
        return;
      case "cancelPlay":
        this.#replay.cancel();
        return;
      case "openSession":
        openSession(message.id);
        return;
      case "openFile":
        if (message.whose === "project") openProjectFile();
        else this.#openUserFile(message.line);
        return;
      case "showHooks":
        showHooks();
        return;
      case "installHooks":
        void this.#ports.installHooks().then(() => this.#hits.now());
        return;
    }
  }

  protected override refresh(isAtOnce: boolean): void {
    this.#hits.again(isAtOnce);
    if (isAtOnce) this.#rules.now();
  }

  protected override failed({ detail }: Failure<AskFailure>, about: About): HostMessage {
    const { t } = this.#ports;
    switch (about) {
      case "hits":
        return { type: "error", message: t("Guard activity could not be read: {0}", inWords(detail)) };
      case "rules":
        return { type: "error", message: t("The guard rules could not be read: {0}", inWords(detail)) };
      case "exception":
        return { type: "error", message: t("The exception could not be written: {0}", inWords(detail)) };
      case "wake":
        return { type: "error", message: t("The rule could not be restored: {0}", inWords(detail)) };
      case "trial":
        return { type: "error", message: t("The trial of guards failed: {0}", inWords(detail)) };
      case "mode":
        return { type: "error", message: t("The mode could not be changed: {0}", inWords(detail)) };
    }
  }

  async #askHits(signal: AbortSignal): Promise<void> {
    const { service, clock, post } = this.#ports;
    const days = this.#days;
    const from = dayBefore(clock.now(), days - 1);
    const read = await this.safely(
      "hits",
      service.ask("guardRead", { since: from.getTime(), most: maxHits }, signal),
      signal,
    );
    if (read === undefined) return;
    const to = dayBefore(clock.now(), 0);
    const { view } = read;
    const hasHooks = this.#ports.hasHooks();
    const onSince = this.#ports.onSince.get();
    const isOn = view.modes.all === "on";
    this.#view = {
      type: "view",
      days,
      from: dayText(from),
      to: dayText(to),
      view,
      hasHooks,
      onSince: isOn ? onSince : null,
    };
    post(this.#view);
  }

  async #askRules(signal: AbortSignal): Promise<void> {
    const { service, post, hasProject } = this.#ports;
    const read = await this.safely("rules", service.ask("guardRules", {}, signal), signal);
    if (read === undefined) return;
    this.#book = read.book;
    post({ type: "rules", book: read.book, hasProject: hasProject() });
  }

  async #setMode({ family, mode }: Extract<PanelMessage, { type: "setMode" }>): Promise<void> {
    if (mode === "required" && (family === null || !canBeRequired(family))) return;
    await this.#change(async (held) => {
      await this.#ports.setMode({ family, mode, held });
      if (family === null) this.#ports.onSince.set(mode === "on" ? this.#ports.clock.now() : null);
    });
  }

  /** Families that are left out keep watching. Guard is turned on last, so that none of them acts meanwhile. */
  async #turnOn(chosen: readonly GuardFamily[]): Promise<void> {
    const { setMode, onSince, clock } = this.#ports;
    await this.#change(async (before) => {
      let held = before;
      for (const family of guardFamilies) {
        const isChosen = chosen.includes(family);
        const now = held.families[family];
        const chosenMode = now === "required" ? now : null;
        const mode = isChosen ? chosenMode : now === "off" ? "off" : "observe";
        if (mode === (now ?? null)) continue;
        await setMode({ family, mode, held });
        const others = Object.entries(held.families).filter(([name]) => name !== family);
        const families = Object.fromEntries(mode === null ? others : [...others, [family, mode]]);
        held = { ...held, families };
      }
      await setMode({ family: null, mode: "on", held });
      onSince.set(clock.now());
    });
  }

  async #change(write: (held: GuardModeBook) => Promise<void>): Promise<void> {
    const held = this.#view?.view.modes;
    if (held === undefined) return;
    try {
      await write(held);
      // Also where the setting is as it was.
      this.#hits.now();
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.reportFailure("mode", { ok: false, reason: "failed", detail: plainSentence(detail) }, true);
    }
  }

  /** Writes an exception for a hit that the page was sent. */
  async #except({ hit: id, wish }: Extract<PanelMessage, { type: "except" }>): Promise<void> {
    const { service, post, t, isUnsaved } = this.#ports;
    const hit = this.#view?.view.hits.find((each) => each.id === id);
    const file = this.#book?.file;
    if (hit === undefined || file === undefined) return;
    if (isUnsaved(file)) {
      const detail = t("{0} has unsaved changes. Save it and try again.", file);
      this.reportFailure("exception", { ok: false, reason: "failed", detail: plainSentence(detail) }, true);
      return;
    }
    const { rule, excerpt, folder } = hit;
    const asked = service.ask("guardExcept", { hit: { rule, excerpt, folder }, ...wish });
    await this.perform("exception", asked, (added) => {
      post({ type: "excepted", hit: id, added });
      this.#rules.now();
      void this.#noteMistake(hit);
    });
  }

  async #wake(rule: string): Promise<void> {
    const { service, clock } = this.#ports;
    await this.perform("wake", service.ask("guardWake", { rule, at: clock.now() }), () => this.#hits.now());
  }

  async #unwake({ rule, at }: Extract<PanelMessage, { type: "unwake" }>): Promise<void> {
    await this.perform("wake", this.#ports.service.ask("guardUnwake", { rule, at }), () => this.#hits.now());
  }

  /** Records that a rule's report was wrong. A hit that was never reported cannot be a mistake. */
  async #noteMistake({ id, sessionId, rule, family, done }: GuardHit): Promise<void> {
    const { service, clock, onProblem } = this.#ports;
    if (done !== "advised" && done !== "asked" && done !== "denied") return;
    const noted = await service.ask("guardMistake", {
      hit: id,
      sessionId,
      rule,
      family,
      done,
      at: clock.now(),
    });
    if (!noted.ok) onProblem(`The ledger has not that ${rule} was not right: ${noted.detail.text}`);
  }

  async #undo(id: string): Promise<void> {
    const { service, post } = this.#ports;
    await this.perform("exception", service.ask("guardUndo", { id }), () => {
      post({ type: "undone" });
      this.#rules.now();
    });
  }

  /** Opens only the file that the service names. */
  #openUserFile(line: number | null): void {
    const file = this.#book?.file;
    if (file !== undefined) this.#ports.openUserFile(file, line);
  }
}

/** The beginning of a local day. By calendar: a day is not always 24 hours. */
function dayBefore(now: number, days: number): Date {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days);
}

/** `2026-11-21` */
function dayText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
