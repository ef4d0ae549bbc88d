import { type ApiResponse, ResponseSet } from "../../usage/api-response.ts";
import { addUsage, noUsage } from "../../usage/token-counts.ts";
import type { TrajectoryCall, TrajectoryTurn } from "../state/stored-trajectory.ts";
import type { Trajectory } from "./driver.ts";
import { cleanText } from "../../base/text.ts";
import { textAt, type RowObject } from "../../transcripts/claude.ts";

interface Called {
  readonly id: string;
  readonly tool: string;
  readonly target: string | null;
  /** The file it reads, or null. */
  readonly reads: string | null;
}

interface Turn {
  readonly isSidechain: boolean;
  readonly calls: Map<string, TrajectoryCall>;
  text: string | null;
}

/** A run's responses and the calls in each: every response counts once, however many rows repeat it. */
export class TurnList {
  /** As requested by the agent, or null. */
  model: string | null = null;
  /** The agent's own version, or null. */
  version: string | null = null;
  readonly #startedAt: number;
  readonly #responses = new ResponseSet<ApiResponse>();
  readonly #turns = new Map<string, Turn>();
  readonly #turnOf = new Map<string, Turn>();
  readonly #reads = new Map<string, Set<string>>();
  #tool: string | null = null;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  responded(response: ApiResponse, isSubagents: boolean): void {
    this.#responses.add(response);
    if (this.#turns.has(response.messageId)) return;
    const isSidechain = isSubagents || response.isSidechain;
    this.#turns.set(response.messageId, { isSidechain, calls: new Map(), text: null });
  }

  addText(messageId: string, text: string | null): void {
    const turn = this.#turns.get(messageId);
    if (turn !== undefined) turn.text ??= text;
  }

  called(messageId: string, { id, tool, target, reads }: Called): void {
    const turn = this.#turns.get(messageId);
    if (turn === undefined || this.#turnOf.has(id)) return;
    this.#turnOf.set(id, turn);
    turn.calls.set(id, { tool, target, isError: false });
    this.#tool = target === null ? tool : `${tool} ${target}`;
    if (reads === null) return;
    const calls = this.#reads.get(reads) ?? new Set();
    this.#reads.set(reads, calls.add(id));
  }

  returned(id: string, isError: boolean): void {
    const calls = this.#turnOf.get(id)?.calls;
    const call = calls?.get(id);
    if (call !== undefined && isError) calls?.set(id, { ...call, isError });
  }

  turns(): TrajectoryTurn[] {
    return [...this.#responses.responses()].map(({ messageId, at, usage }) => {
      const { isSidechain = false, calls, text = null } = this.#turns.get(messageId) ?? {};
      return {
        at: at === null ? null : Math.max(0, at - this.#startedAt),
        usage,
        text,
        isSidechain,
        calls: [...(calls?.values() ?? [])],
      };
    });
  }

  trajectory(sessionId: string | null): Trajectory {
    const responses = [...this.#responses.responses()];
    const main = responses.filter(({ messageId }) => this.#turns.get(messageId)?.isSidechain !== true);
    return {
      ...programName(
        this.version,
        main.map(({ model }) => model),
      ),
      sessionId,
      usage: responses.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
      turns: main.length,
      toolCalls: this.#turnOf.size,
      tool: this.#tool,
      filesReread: [...this.#reads.values()].filter(({ size }) => size > 1).length,
    };
  }
}

/**
 * Names the program of a run: its version, and the model that answered most requests, which a model's short
 * name does not identify. Undefined without a version.
 */
export function programName(
  version: string | null,
  models: readonly string[],
): { readonly program?: string } {
  if (version === null || version === "") return {};
  const counts = new Map<string, number>();
  for (const model of models) counts.set(model, (counts.get(model) ?? 0) + 1);
  const [mostFrequent] = [...counts].toSorted(
    ([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1),
  );
  return {
    program: [version, ...(mostFrequent === undefined ? [] : [mostFrequent[0]])].join(" ").slice(0, 200),
  };
}

/** Names of tool inputs that identify a tool's target, the most specific first. */
const telling = [
  "file_path",
  "notebook_path",
  "path",
  "command",
  "pattern",
  "query",
  "url",
  "description",
  "skill",
];
const maxTargetLength = 200; // characters
const maxTextLength = 500; // characters

/**
 * Returns a tool's target, abbreviated: a file below the copy by its relative path. Null if its input has no
 * such field.
 */
export function shortTarget(input: RowObject | null, copy: string): string | null {
  for (const name of telling) {
    const value = textAt(input, name);
    if (value !== null) return cut(value.replaceAll(`${copy}/`, "").replaceAll(copy, "."), maxTargetLength);
  }
  return null;
}

/** Returns an agent's text, shortened and without control characters; null if it is empty. */
export function shortText(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : cut(trimmed, maxTextLength);
}

function cut(text: string, maxLength: number): string {
  const clean = cleanText(text);
  return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength - 1)}…`;
}
