import type { Kept, KeptObject } from "./kept-value.ts";
import { LineCounts } from "../line-counts.ts";
import type { SkippedLines } from "../agent-session.ts";
import { MutationLog, type Applied, type Step } from "./mutation-log.ts";
import { requestOf, type Request } from "./request-state.ts";
import { chatHead, chatShape, type ChatHead } from "./vscode-chat-row-schema.ts";

const noHead: ChatHead = { creationDate: null, customTitle: null, inputState: null };

/** Follows one chat's file: its head and its requests after each line. Never throws. */
export class ChatLog {
  readonly #log = new MutationLog(chatShape);
  readonly #counts = new LineCounts();
  /** By index; undefined for one that changed, or that is none. */
  #requests: (Request | undefined)[] = [];
  readonly #dirty = new Set<number>();
  #head: ChatHead | undefined;

  /** True once the file's first whole state is read. */
  get isOpen(): boolean {
    return this.#log.state !== undefined;
  }

  get skipped(): SkippedLines {
    return this.#counts.counts();
  }

  /** @returns false where the line is not one entry */
  line(line: Buffer): boolean {
    const applied = this.#log.apply(line);
    this.#note(applied);
    return applied !== "malformed";
  }

  /** Reads the whole state at once: files of versions before 1.109. */
  whole(bytes: Buffer): void {
    this.#note(this.#log.load(bytes));
  }

  oversized(): void {
    this.#counts.oversized += 1;
  }

  head(): ChatHead {
    this.#head ??= chatHead.safeParse(this.#log.state).data ?? noHead;
    return this.#head;
  }

  /** In sending order. */
  requests(): readonly Request[] {
    const rows = this.#rows();
    this.#requests.length = rows.length;
    for (const index of this.#dirty) if (index < rows.length) this.#requests[index] = requestOf(rows[index]);
    this.#dirty.clear();
    return this.#requests.filter((request) => request !== undefined);
  }

  #rows(): readonly Kept[] {
    const { state } = this.#log;
    const rows = isObject(state) ? state["requests"] : undefined;
    return Array.isArray(rows) ? rows : [];
  }

  #note(applied: Applied): void {
    if (applied === "malformed" || applied === "lost") this.#counts.malformed += 1;
    if (typeof applied === "string") return;
    if ("unknownKind" in applied) this.#counts.unknown(`kind ${applied.unknownKind}`);
    else this.#changed(applied.changed, applied.from);
  }

  #changed([first, index]: readonly Step[], from = 0): void {
    if (first !== "requests") this.#head = undefined;
    if (first === "requests" && typeof index === "number") this.#dirty.add(index);
    else if (first === undefined || first === "requests")
      for (let place = from; place < this.#rows().length; place += 1) this.#dirty.add(place);
  }
}

function isObject(state: Kept | undefined): state is KeptObject {
  return typeof state === "object" && state !== null && !Array.isArray(state);
}
