import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Entry, Step } from "./model-log.ts";
import { replay } from "./model-log.ts";

/** The first moment of made-up chats. Milliseconds since the epoch. */
export const start = Date.parse("2026-11-02T09:00:00Z");

interface Sent {
  readonly id: string;
  readonly text?: string;
  readonly model?: string;
  /** Milliseconds after `start`. */
  readonly at?: number;
  readonly more?: object;
}

/**
 * Writes a chat's file as VS Code does: appends entries at each flush, and replaces them by the whole state once there
 * are many.
 */
export class WrittenChat {
  readonly file: string;
  readonly #entries: Entry[] = [];
  readonly #requests: string[] = [];
  #pending: Entry[] = [];

  constructor(file: string, more: object = {}) {
    this.file = file;
    mkdirSync(path.dirname(file), { recursive: true });
    const state = { version: 3, creationDate: start, sessionId: path.basename(file, ".jsonl"), requests: [] };
    this.#pending.push({ kind: 0, v: { ...state, ...more } });
  }

  /** A model is chosen, with room for this many tokens. */
  choose(identifier: string, maxInputTokens: number, maxOutputTokens: number, more: object = {}): this {
    const metadata = { id: identifier.split("/")[1], maxInputTokens, maxOutputTokens, ...more };
    return this.set(["inputState"], { inputText: "", selectedModel: { identifier, metadata } });
  }

  send({ id, text = "Find the hour", model = "test/one", at = 0, more = {} }: Sent): this {
    this.#requests.push(id);
    const request = {
      requestId: id,
      timestamp: start + at,
      message: { text, parts: [] },
      modelId: model,
      modelState: { value: 0 },
      response: [],
      ...more,
    };
    return this.#note({ kind: 2, k: ["requests"], v: [request] });
  }

  /** The model answered: its prompt, and the sum of the request's answers so far. */
  report(id: string, promptTokens: number, completionTokens: number): this {
    this.set(["requests", this.#place(id), "promptTokens"], promptTokens);
    return this.set(["requests", this.#place(id), "completionTokens"], completionTokens);
  }

  answer(id: string, ...parts: readonly object[]): this {
    return this.#note({ kind: 2, k: ["requests", this.#place(id), "response"], v: parts });
  }

  useTool(id: string): this {
    return this.answer(id, { kind: "toolInvocationSerialized", toolId: "read", resultDetails: "long" });
  }

  /** @param value 1 complete, 2 cancelled, 3 failed */
  end(id: string, at: number, value = 1): this {
    return this.set(["requests", this.#place(id), "modelState"], { value, completedAt: start + at });
  }

  /** Takes back this request and all after it. */
  cutTo(count: number): this {
    this.#requests.length = count;
    return this.#note({ kind: 2, k: ["requests"], i: count });
  }

  set(k: readonly Step[], v: unknown): this {
    return this.#note({ kind: 1, k, v });
  }

  /** @param at when the file is written; milliseconds after `start` */
  flush(at: number): this {
    appendFileSync(this.file, lines(this.#pending));
    this.#entries.push(...this.#pending);
    this.#pending = [];
    return this.#touch(at);
  }

  /** Replaces the file by the state, as VS Code does after 1,024 entries. */
  replace(at: number): this {
    this.#entries.push(...this.#pending);
    this.#pending = [];
    const whole = replay(this.#entries).at(-1);
    this.#entries.splice(0, Infinity, { kind: 0, v: whole });
    writeFileSync(`${this.file}.tmp`, lines(this.#entries));
    renameSync(`${this.file}.tmp`, this.file);
    return this.#touch(at);
  }

  /** Everything as one object: the format before 1.109. */
  writeOld(at: number): this {
    const file = this.file.replace(/l$/u, "");
    writeFileSync(file, JSON.stringify(replay([...this.#entries, ...this.#pending]).at(-1)));
    utimesSync(file, (start + at) / 1000, (start + at) / 1000);
    return this;
  }

  #place(id: string): number {
    return this.#requests.indexOf(id);
  }

  #note(entry: Entry): this {
    this.#pending.push(entry);
    return this;
  }

  #touch(at: number): this {
    utimesSync(this.file, (start + at) / 1000, (start + at) / 1000);
    return this;
  }
}

function lines(entries: readonly Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
