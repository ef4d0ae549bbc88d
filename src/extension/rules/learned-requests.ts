import { DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { Failure } from "../../engine/base/result.ts";
import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";
import type { HostMessage, PanelMessage } from "../../webview/rules/rules-protocol.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";

export interface LearnedRequestsPorts {
  readonly service: ServiceConnection;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  /** Has the user make a rule of something that was learned. */
  readonly promote: (item: LearnedItem) => void;
  /** @param isAwaited whether the user waits for it */
  readonly failed: (failure: Failure<AskFailure>, isAwaited: boolean) => void;
}

type LearnedMessage = Extract<PanelMessage, { type: "markLearned" | "promoteLearned" }>;

/** Milliseconds between two looks: learning is seldom done. */
const updateInterval = 10_000;

/** Host side of what was learned from past sessions, in the Rules panel. */
export class LearnedRequests implements Disposable {
  readonly #ports: LearnedRequestsPorts;
  readonly #owned = new DisposableList();
  readonly #refreshes: LatestRequest;
  #items: readonly LearnedItem[] = [];

  constructor(ports: LearnedRequestsPorts) {
    this.#ports = ports;
    this.#refreshes = this.#owned.add(new LatestRequest(updateInterval, (signal) => this.#refresh(signal)));
    this.#owned.add(ports.service.onChanged("ledgerChanged", () => this.#refreshes.soon()));
  }

  refresh(): void {
    this.#refreshes.now();
  }

  handle(message: LearnedMessage): void {
    if (message.type === "markLearned") {
      void this.#mark(message);
      return;
    }
    const item = this.#items.find(({ id }) => id === message.id);
    if (item !== undefined) this.#ports.promote(item);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #mark({ id, state, text }: Extract<LearnedMessage, { type: "markLearned" }>): Promise<void> {
    const { service, post, failed, t } = this.#ports;
    const done = await service.ask("learnMark", { id, state, text });
    if (!done.ok) {
      failed(done, true);
      return;
    }
    const messages = {
      shown: t("It is as it was learned."),
      kept: t("It is kept."),
      edited: t("Saved in your words."),
      forgotten: t("Forgotten. It is no longer shown or used."),
    };
    post({ type: "done", message: messages[state], follow: null });
    this.#refreshes.now();
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { service, post, failed } = this.#ports;
    const read = await service.ask("learnItems", { project: null }, signal);
    if (signal.aborted) return;
    if (!read.ok) {
      failed(read, false);
      return;
    }
    this.#items = read.value.items;
    post({ type: "learned", items: read.value.items.filter(({ state }) => state !== "forgotten") });
  }
}
