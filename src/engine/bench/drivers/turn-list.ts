import { type ApiResponse, ResponseSet } from "../../usage/api-response.ts";
import { addUsage, noUsage } from "../../usage/token-counts.ts";
import type { TrajectoryCall, TrajectoryTurn } from "../state/stored-trajectory.ts";
import type { Trajectory } from "./driver.ts";
import { programName } from "./program-name.ts";

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
