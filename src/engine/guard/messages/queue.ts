import type { Disposable } from "../../base/disposable.ts";
import { belongsTo } from "../../context/place.ts";
import { windowTime, type HeldMessage, type MessageWindows } from "./gate.ts";
import type { MessageQuestion, MessageSettlement } from "./answers.ts";

/** A window, or whoever else asks its user. */
export interface MessageFollower {
  readonly asked: (question: MessageQuestion) => void;
  readonly settled: (settlement: MessageSettlement) => void;
}

type Decision = "allow" | "deny";

interface DeskPorts {
  readonly platform: NodeJS.Platform;
  /** What users were asked about and is not known to be answered, whoever was asked. */
  readonly held: () => readonly HeldMessage[];
}

interface Open {
  readonly question: MessageQuestion;
  readonly decide: (decision: Decision | null) => void;
}

/** Asks all windows whose folders a message's sender works in; the first answer holds. */
export class MessageDesk implements Disposable, MessageWindows {
  readonly #platform: NodeJS.Platform;
  readonly #held: () => readonly HeldMessage[];
  readonly #followers = new Map<MessageFollower, readonly string[]>();
  readonly #open = new Map<string, Open>();

  constructor({ platform, held }: DeskPorts) {
    this.#platform = platform;
    this.#held = held;
  }

  /**
   * Tells of what is asked from now on, and of what is still open. An agent that was asking when its service ended asks in its terminal
   * alone: of such a message windows are told, and cannot answer.
   */
  follow(folders: readonly string[], follower: MessageFollower): Disposable {
    this.#followers.set(follower, folders);
    const open = [...this.#open.values()].map(({ question }) => question);
    const elsewhere = this.#held().filter(({ id }) => !this.#open.has(id));
    for (const question of [...elsewhere.map((message) => ({ ...message, answerUntil: null })), ...open])
      if (this.#isFor(question, folders)) follower.asked(question);
    return { dispose: () => this.#followers.delete(follower) };
  }

  /** See `MessageWindows`. A window that is opened meanwhile is asked too. */
  ask(message: HeldMessage, signal: AbortSignal): Promise<Decision | null> {
    if (signal.aborted) return Promise.resolve(null);
    const question = { ...message, answerUntil: message.at + windowTime };
    return new Promise((resolve) => {
      // The same message once more takes the place of the first, which nobody waits for.
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

  /** A user's answer. False for one that comes too late. */
  answer(id: string, decision: Decision): boolean {
    return this.#close(id, decision);
  }

  /** It was answered elsewhere. */
  settle(id: string, outcome: "approved" | "denied"): void {
    this.#close(id, null, outcome);
  }

  /** Nobody is waited for any more. */
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
