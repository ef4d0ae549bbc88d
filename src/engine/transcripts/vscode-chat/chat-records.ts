import type { UsageRecord } from "../../usage/aggregate.ts";
import { usageOfWholeInput, unknownFigure } from "../../usage/token-counts.ts";
import type { AgentSession, SessionLines, SkippedLines } from "../agent-session.ts";
import { joined } from "../row-values.ts";
import { type Request, requestOf } from "./request-state.ts";
import { sentence } from "../../base/language.ts";
import type { Kept, KeptObject } from "./kept-value.ts";
import { LineCounts } from "../usage-reader.ts";
import { MutationLog, type Applied, type Step } from "./mutation-log.ts";
import { chatHead, chatShape, type ChatHead } from "./vscode-chat-row-schema.ts";

const noHead: ChatHead = { creationDate: null, customTitle: null, inputState: null };

/** Follows one chat's file: its head and its requests after each line. Never throws. */
export class ChatLog {
  readonly #log = new MutationLog(chatShape);
  readonly #counts = new LineCounts();
  /** By index; undefined for one that changed, or that is not a request. */
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

/** Facts from a chat's place that its content lacks. */
export interface ChatPlace {
  readonly sessionId: string;
  readonly cwd: string | null;
  /** Returns whether another file records the calls of a request. */
  readonly cover: () => (request: Request) => boolean;
}

/**
 * Reads the usage of a chat from its own file. Counts a request only if the file records it completely: finished and
 * without tools, so that the prompt and output of its only call are its sums. For other requests the file has only the
 * last call's prompt. A sum without the rest would be wrong, so they are left out.
 */
export class ChatRecordLines implements SessionLines {
  readonly #log = new ChatLog();
  readonly #place: ChatPlace;
  /** The last record of each request: an unchanged request keeps it. */
  readonly #records = new WeakMap<Request, readonly UsageRecord[]>();

  constructor(place: ChatPlace) {
    this.#place = place;
  }

  line(line: Buffer): boolean {
    return this.#log.line(line);
  }

  whole(bytes: Buffer): void {
    this.#log.whole(bytes);
  }

  oversized(): void {
    this.#log.oversized();
  }

  session(): AgentSession {
    const requests = this.#log.requests();
    const covers = this.#place.cover();
    const own = requests.filter((request) => !covers(request));
    const unknown = unknownFigure(sentence("the file tells the window of the model that is chosen now"));
    const { customTitle } = this.#log.head();
    const [first] = requests;
    return {
      facts: {
        agent: "vscode-chat",
        sessionId: this.#place.sessionId,
        parentId: null,
        kind: "main",
        agentType: null,
        cwd: this.#place.cwd,
        branch: null,
        title: customTitle ?? first?.prompt?.split("\n", 1)[0] ?? null,
        agentVersion: null,
        model: requests.findLast(({ model }) => model !== null)?.model ?? null,
        lastAt: requests.reduce<number | null>((last, { sentAt, endedAt }) => {
          const at = endedAt ?? sentAt;
          return at === null ? last : Math.max(at, last ?? at);
        }, null),
        window: unknown,
        contextLeft: unknown,
        rateLimits: [],
      },
      records: own.flatMap((request) => this.#recordOf(request)),
      activity: { turns: [], calls: [], compactions: [], parts: [] },
      skipped: this.#log.skipped,
    };
  }

  #recordOf(request: Request): readonly UsageRecord[] {
    const held = this.#records.get(request) ?? this.#record(request);
    this.#records.set(request, held);
    return held;
  }

  #record({ id, usage, model, state, hasTools, sentAt, endedAt }: Request): UsageRecord[] {
    if (usage === null || state === "running" || hasTools) return [];
    const { sessionId, cwd } = this.#place;
    return [
      {
        agent: "vscode-chat",
        sessionId,
        cwd,
        model,
        at: endedAt ?? sentAt,
        responseId: null,
        // The file does not record cache reads. They are part of the prompt.
        usage: usageOfWholeInput({
          input: usage.prompt,
          output: usage.completion,
          cacheRead: 0,
          cacheCreation: 0,
        }),
        raw: { promptTokens: usage.prompt, completionTokens: usage.completion },
        window: null,
        isReplay: false,
        key: joined("vscode-chat", sessionId, id),
      },
    ];
  }
}
