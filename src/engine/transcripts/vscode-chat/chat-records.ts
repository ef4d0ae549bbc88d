import type { UsageRecord } from "../../usage/agent-record.ts";
import { unknownFigure } from "../../usage/provenance.ts";
import { usageOfWholeInput } from "../../usage/token-counts.ts";
import type { AgentSession, SessionLines } from "../agent-session.ts";
import { joined } from "../../base/text/joined.ts";
import { ChatLog } from "./chat-log.ts";
import type { Request } from "./request-state.ts";
import { english } from "../../base/text/english.ts";

/** Facts from a chat's place that its content lacks. */
export interface ChatPlace {
  readonly sessionId: string;
  readonly cwd: string | null;
  /** Returns whether another file tells the calls of a request. */
  readonly cover: () => (request: Request) => boolean;
}

/**
 * Reads the usage of a chat from its own file. Counts a request only where the file tells all of it: finished, without tools, so
 * that its only call's prompt and output are its sums. Of the others only the last call's prompt is told; a sum without the
 * rest would be wrong, so they are left out.
 */
export class ChatRecordLines implements SessionLines {
  readonly #log = new ChatLog();
  readonly #place: ChatPlace;
  /** The record of each request as it was last told: one that did not change keeps it. */
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
    const unknown = unknownFigure(english("the file tells the window of the model that is chosen now"));
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
        // What was read from the cache is not told, and is part of the prompt.
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
