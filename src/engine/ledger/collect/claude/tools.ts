import * as z from "zod";
import { readTools, type ToolCall, type ToolResult } from "../../../transcripts/claude/row-details.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import type { EntryFile } from "../entry-reader.ts";
import { fittingCount, fittingId, fittingName, shortKey } from "../fitting.ts";

/** Calls whose results may still come, or come again in a request. */
const remembered = 300;

/** By the call's key: the tool's number in `tools`, negative (from -1) for a call that was copied from another session. */
export const toolsState = z.object({
  tools: z.array(z.string()),
  calls: z.array(z.tuple([z.string(), z.int()])),
});
export type ToolsState = z.infer<typeof toolsState>;

interface KnownCall {
  readonly tool: string;
  /** Made in this session, not in the one it was forked from. */
  readonly isOwn: boolean;
}

type CallEntry = Extract<LedgerEntry, { kind: "tool-call" }>;
type ReadEntry = Extract<LedgerEntry, { kind: "file-read" }>;

/** What was told of a call, and of the file that it reads. */
interface ToldCall {
  readonly call: CallEntry;
  readonly read: ReadEntry | null;
}

/** Tool calls and what came back, by the call's id. */
export class ClaudeTools {
  readonly #file: EntryFile;
  readonly #calls = new Map<string, KnownCall>();
  /** Told since entries were last taken: a result that comes before they are taken again is told with its call. */
  readonly #told = new Map<string, ToldCall>();

  constructor(file: EntryFile, state: ToolsState | null) {
    this.#file = file;
    for (const [key, number] of state?.calls ?? []) {
      const tool = state?.tools[number < 0 ? -1 - number : number];
      if (tool !== undefined) this.#calls.set(key, { tool, isOwn: number >= 0 });
    }
  }

  /** The name of the tool of one of the last calls. */
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
    const id = fittingId(call.id);
    if (!isOwn || id === null) return [];
    const { sessionId, agentId } = this.#file;
    const { tool, server, skill, inputChars, reads } = call;
    const told: CallEntry = {
      kind: "tool-call",
      id,
      sessionId,
      agentId,
      at,
      tool,
      inputChars,
      messageId: fittingName(messageId),
      server: fittingName(server),
      skill: fittingName(skill),
    };
    const path = fittingName(reads);
    const read: ReadEntry | null =
      path === null ? null : { kind: "file-read", id, sessionId, agentId, at, path };
    this.#told.set(id, { call: told, read });
    return read === null ? [told] : [told, read];
  }

  /** A result of a call nobody knows is another session's, or too old. */
  returned({ id: callId, chars, isError, durationMs }: ToolResult): LedgerEntry[] {
    const call = this.#calls.get(shortKey(callId));
    const id = fittingId(callId);
    if (call?.isOwn !== true || id === null) return [];
    const { sessionId, agentId } = this.#file;
    const told = this.#told.get(id);
    const result = { durationMs, isError: isError ?? false, resultChars: fittingCount(chars) };
    const read = readTools.has(call.tool) ? { chars: fittingCount(chars) } : null;
    const entries: LedgerEntry[] = [];
    if (told === undefined) entries.push({ kind: "tool-call", id, sessionId, agentId, ...result });
    else Object.assign(told.call, result, { durationMs: durationMs ?? told.call.durationMs });
    if (read === null) return entries;
    if (told?.read) Object.assign(told.read, read);
    else entries.push({ kind: "file-read", id, sessionId, agentId, ...read });
    return entries;
  }

  /** What was told so far is out of reach. */
  taken(): void {
    this.#told.clear();
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
