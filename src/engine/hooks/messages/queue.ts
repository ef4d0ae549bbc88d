import type { Disposable } from "../../base/events.ts";
import { belongsTo } from "../../base/paths.ts";
import { windowTime, type HeldMessage, type MessageWindows } from "./gate.ts";
import type { MessageQuestion, MessageSettlement } from "../message-requests.ts";

export interface MessageFollower {
  readonly asked: (question: MessageQuestion) => void;
  readonly settled: (settlement: MessageSettlement) => void;
}

type Decision = "allow" | "deny";

interface MessageQueuePorts {
  readonly platform: NodeJS.Platform;
  /** Messages with an open question to users, from any client. */
  readonly held: () => readonly HeldMessage[];
}

interface Open {
  readonly question: MessageQuestion;
  readonly decide: (decision: Decision | null) => void;
}

/** Asks all windows whose folders contain the sender's working folder; the first answer counts. */
export class MessageQueue implements Disposable, MessageWindows {
  readonly #platform: NodeJS.Platform;
  readonly #held: () => readonly HeldMessage[];
  readonly #followers = new Map<MessageFollower, readonly string[]>();
  readonly #open = new Map<string, Open>();

  constructor({ platform, held }: MessageQueuePorts) {
    this.#platform = platform;
    this.#held = held;
  }

  /**
   * Notifies the follower of open questions, and of later ones. If an agent's service ended during its question,
   * only its terminal asks: windows are notified of such a message, but cannot answer it.
   */
  follow(folders: readonly string[], follower: MessageFollower): Disposable {
    this.#followers.set(follower, folders);
    const open = [...this.#open.values()].map(({ question }) => question);
    const elsewhere = this.#held().filter(({ id }) => !this.#open.has(id));
    for (const question of [...elsewhere.map((message) => ({ ...message, answerUntil: null })), ...open])
      if (this.#isFor(question, folders)) follower.asked(question);
    return { dispose: () => this.#followers.delete(follower) };
  }

  /** Implements {@link MessageWindows.ask}. Windows that open later are asked too. */
  ask(message: HeldMessage, signal: AbortSignal): Promise<Decision | null> {
    if (signal.aborted) return Promise.resolve(null);
    const question = { ...message, answerUntil: message.at + windowTime };
    return new Promise((resolve) => {
      // A repeat of the same message replaces the first, as nothing waits for that one.
      this.#open.get(message.id)?.decide(null);
      const gone = () => this.#close(message.id, null);
      const decide = (decision: Decision | null) => {
        signal.removeEventListener("abort", gone);
        resolve(decision);
      };
      signal.addEventListener("abort", gone, { once: true });
      this.#open.set(message.id, { question, decide });
      for (const [follower, folders] of this.#followers)
        if (this.#isFor(question, folders)) follower.asked(question);
    });
  }

  /** Applies a user's answer. False for one that comes too late. */
  answer(id: string, decision: Decision): boolean {
    return this.#close(id, decision);
  }

  settle(id: string, outcome: "approved" | "denied"): void {
    this.#close(id, null, outcome);
  }

  dispose(): void {
    for (const id of this.#open.keys()) this.#close(id, null);
    this.#followers.clear();
  }

  #close(
    id: string,
    decision: Decision | null,
    outcome: MessageSettlement["outcome"] = outcomes[decision ?? "none"],
  ): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    this.#open.delete(id);
    open.decide(decision);
    for (const [follower, folders] of this.#followers)
      if (this.#isFor(open.question, folders)) follower.settled({ id, outcome });
    return true;
  }

  #isFor({ cwd }: MessageQuestion, folders: readonly string[]): boolean {
    return cwd === null || belongsTo(cwd, folders, { platform: this.#platform });
  }
}

const outcomes = { allow: "approved", deny: "denied", none: "asked" } as const;
