import { open } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/result.ts";
import type { TurnCostPorts } from "./turn-costs-handler.ts";
import { usualAmong } from "../distil/costly-runs.ts";
import { ruledProgram } from "../agent-definition/needs.ts";
import { readTrajectory, type Trajectory } from "../distil/trajectory.ts";
import type { LiveAccounts } from "../../sessions/live.ts";
import type { RulesLedger } from "../book/rules-book-rows.ts";

export interface TurnCostsPorts {
  readonly live: Pick<LiveAccounts, "of">;
  readonly ledger: Pick<RulesLedger, "ask">;
  readonly now: () => number;
  readonly onProblem: (message: string) => void;
}

/** Usual costs change slowly. Milliseconds. */
const usualLife = 10 * 60_000;
const maxRuns = 50;
/** Maximum length searched at the end of a transcript. Bytes. */
const maxReadBytes = 4 * 1024 * 1024;

/** Costs of turns, from live sessions and the ledger. Nothing waits for the ledger: its last answer is used. */
export class TurnCosts implements Pick<TurnCostPorts, "spentSince" | "usual" | "trajectory"> {
  readonly #ports: TurnCostsPorts;
  #usual: ReadonlyMap<string, number> = new Map();
  #askedAt: number | null = null;

  constructor(ports: TurnCostsPorts) {
    this.#ports = ports;
  }

  readonly spentSince: TurnCostPorts["spentSince"] = (sessionId, since) => {
    const account = this.#ports.live.of(sessionId);
    if (account === undefined) return undefined;
    const tokens = account.ofMain.processedAfter(since);
    return { tokens, ofSubagents: Math.max(0, account.own.processedAfter(since) - tokens) };
  };

  readonly usual: TurnCostPorts["usual"] = (agent) => {
    const now = this.#ports.now();
    if (this.#askedAt === null || Math.abs(now - this.#askedAt) >= usualLife) {
      this.#askedAt = now;
      void this.#ask();
    }
    return this.#usual.get(agent) ?? null;
  };

  readonly trajectory: TurnCostPorts["trajectory"] = async (transcript, since) => {
    if (!path.isAbsolute(transcript) || path.extname(transcript) !== ".jsonl") return null;
    try {
      return await readEnd(transcript, since);
    } catch (error) {
      this.#ports.onProblem(`What a turn did cannot be read: ${transcript}: ${errorCode(error)}`);
      return null;
    }
  };

  async #ask(): Promise<void> {
    const runs = await this.#ports.ledger.ask("realRuns", { most: maxRuns, project: null });
    if (!runs.ok) {
      this.#askedAt = null;
      return;
    }
    const byAgent = new Map<string, number[]>();
    for (const { agent, program, processingTokens } of runs.value)
      if (program === ruledProgram) byAgent.set(agent, [...(byAgent.get(agent) ?? []), processingTokens]);
    this.#usual = new Map(
      [...byAgent].flatMap(([agent, tokens]) => {
        const usual = usualAmong(tokens);
        return usual === null ? [] : [[agent, usual] as const];
      }),
    );
  }
}

async function readEnd(file: string, since: number): Promise<Trajectory | null> {
  const handle = await open(file, "r");
  try {
    const about = await handle.stat();
    if (!about.isFile()) return null;
    const from = Math.max(0, about.size - maxReadBytes);
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(about.size - from),
      0,
      about.size - from,
      from,
    );
    const lines = buffer.subarray(0, bytesRead).toString("utf8").split("\n");
    // The first line may be cut off at its beginning.
    return readTrajectory(from === 0 ? lines : lines.slice(1), { since, until: null });
  } finally {
    await handle.close();
  }
}
