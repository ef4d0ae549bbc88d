import * as z from "zod/mini";
import { readTools, type ToolCall, type ToolResult } from "../../../transcripts/claude.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import type { EntryFile } from "../collect-source.ts";
import { cappedCount, idOrNull, nameOrNull, shortKey } from "../fitting.ts";

/** Maximum remembered calls: their results may still come, or come again in a request. */
const remembered = 300;

/**
 * By the call's key: the tool's index in `tools`, or a negative number (from -1) for a call copied from another
 * session.
 */
export const toolsState = z.object({
  tools: z.array(z.string()),
  calls: z.array(z.tuple([z.string(), z.int()])),
});
export type ToolsState = z.infer<typeof toolsState>;

interface KnownCall {
  readonly tool: string;
  /** Made in this session, not in its parent. */
  readonly isOwn: boolean;
}

type CallEntry = Extract<LedgerEntry, { kind: "tool-call" }>;
type ReadEntry = Extract<LedgerEntry, { kind: "file-read" }>;

interface EmittedCall {
  readonly call: CallEntry;
  readonly read: ReadEntry | null;
}

/** Matches tool calls with their results by the call's id. */
export class ClaudeTools {
  readonly #file: EntryFile;
  readonly #calls = new Map<string, KnownCall>();
  /** Entries not yet taken: a result that arrives before they are taken is merged into its call's entries. */
  readonly #emitted = new Map<string, EmittedCall>();

  constructor(file: EntryFile, state: ToolsState | null) {
    this.#file = file;
    for (const [key, number] of state?.calls ?? []) {
      const tool = state?.tools[number < 0 ? -1 - number : number];
      if (tool !== undefined) this.#calls.set(key, { tool, isOwn: number >= 0 });
    }
  }

  toolOf(callId: string): string | undefined {
    return this.#calls.get(shortKey(callId))?.tool;
  }

  knows(callId: string): boolean {
    return this.#calls.has(shortKey(callId));
  }

  called(
    call: ToolCall,
    about: { at: number | null; messageId: string | null; isOwn: boolean },
  ): LedgerEntry[] {
    const { at, messageId, isOwn } = about;
    this.#remember(shortKey(call.id), { tool: call.tool, isOwn });
    const id = idOrNull(call.id);
    if (!isOwn || id === null) return [];
    const { sessionId, agentId } = this.#file;
    const { tool, server, skill, inputChars, reads } = call;
    const entry: CallEntry = {
      kind: "tool-call",
      id,
      sessionId,
      agentId,
      at,
      tool,
      inputChars,
      messageId: nameOrNull(messageId),
      server: nameOrNull(server),
      skill: nameOrNull(skill),
    };
    const path = nameOrNull(reads);
    const read: ReadEntry | null =
      path === null ? null : { kind: "file-read", id, sessionId, agentId, at, path };
    this.#emitted.set(id, { call: entry, read });
    return read === null ? [entry] : [entry, read];
  }

  /** A result of an unknown call belongs to another session, or is too old. */
  returned({ id: callId, chars, isError, durationMs }: ToolResult): LedgerEntry[] {
    const call = this.#calls.get(shortKey(callId));
    const id = idOrNull(callId);
    if (call?.isOwn !== true || id === null) return [];
    const { sessionId, agentId } = this.#file;
    const emitted = this.#emitted.get(id);
    const result = { durationMs, isError: isError ?? false, resultChars: cappedCount(chars) };
    const read = readTools.has(call.tool) ? { chars: cappedCount(chars) } : null;
    const entries: LedgerEntry[] = [];
    if (emitted === undefined) entries.push({ kind: "tool-call", id, sessionId, agentId, ...result });
    else Object.assign(emitted.call, result, { durationMs: durationMs ?? emitted.call.durationMs });
    if (read === null) return entries;
    if (emitted?.read) Object.assign(emitted.read, read);
    else entries.push({ kind: "file-read", id, sessionId, agentId, ...read });
    return entries;
  }

  /** The entries so far have been taken and can no longer change. */
  markTaken(): void {
    this.#emitted.clear();
  }

  state(): ToolsState {
    const tools = [...new Set([...this.#calls.values()].map(({ tool }) => tool))];
    const numbers = new Map(tools.map((tool, number) => [tool, number]));
    const calls = [...this.#calls].map(([key, { tool, isOwn }]): [string, number] => {
      const number = numbers.get(tool) ?? 0;
      return [key, isOwn ? number : -1 - number];
    });
    return { tools, calls };
  }

  #remember(key: string, call: KnownCall): void {
    this.#calls.set(key, call);
    if (this.#calls.size <= remembered) return;
    for (const oldest of this.#calls.keys()) {
      this.#calls.delete(oldest);
      return;
    }
  }
}
