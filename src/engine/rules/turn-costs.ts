import * as z from "zod/mini";
import path from "node:path";
import type { SessionMemory } from "../base/per-session.ts";
import { type Trajectory, readTrajectory } from "./distil/trajectory.ts";
import { withoutSecrets } from "./distil/scrubbed-source.ts";
import type { EventNamed, HookAnswer } from "../hooks/event.ts";
import type { HookContext, HookHandler } from "../hooks/hooks-handler.ts";
import { percent, shortNumber, wholeNumber } from "../base/format.ts";
import { findWaste } from "./distil/findings.ts";
import { open } from "node:fs/promises";
import { errorCode } from "../base/result.ts";
import { usualAmong } from "./distil/costly-runs.ts";
import { ruledProgram } from "./needs.ts";
import type { LiveAccounts } from "../sessions/live.ts";
import type { RulesLedger } from "./book/rules-book-rows.ts";

interface TurnCost {
  readonly tokens: number;
  /** Additional tokens of its subagents. */
  readonly ofSubagents: number;
  /** Three of four turns take at most this. */
  readonly usual: number;
}

/** Cheaper turns are never worth a line. Processing tokens. */
const minTokens = 20_000;
const maxTools = 3;
const maxFindingLength = 240; // characters

function isCostly({ tokens, usual }: Pick<TurnCost, "tokens" | "usual">): boolean {
  return tokens >= minTokens && tokens > usual;
}

/**
 * Describes for its user where a turn's tokens went.
 * @param trajectory the turn's actions; null if unreadable
 */
function describeTurnCost(cost: TurnCost, trajectory: Trajectory | null): string {
  const { tokens, ofSubagents, usual } = cost;
  const parts = [
    `this turn took ${wholeNumber(tokens)} new tokens; three of four take at most ${wholeNumber(usual)}.`,
  ];
  if (ofSubagents > 0) parts.push(`Its subagents took ${wholeNumber(ofSubagents)} more.`);
  const tools = trajectory === null ? "" : describeTools(trajectory);
  if (tools !== "") parts.push(`What tools brought into the context: ${tools}.`);
  const [waste] = trajectory === null ? [] : findWaste(trajectory);
  if (waste !== undefined) parts.push(`${withoutSecrets(waste.what.text, maxFindingLength)}.`);
  return `Context Purser: ${parts.join(" ")}`;
}

/** `Read 62% (14 calls, ~210k characters), Bash 30% (…)`; empty where tools added nothing. */
function describeTools({ actions }: Trajectory): string {
  const byTool = new Map<string, { calls: number; chars: number }>();
  for (const { tool, result } of actions) {
    const { calls, chars } = byTool.get(tool) ?? { calls: 0, chars: 0 };
    byTool.set(tool, { calls: calls + 1, chars: chars + (result?.chars ?? 0) });
  }
  const all = [...byTool.values()].reduce((sum, { chars }) => sum + chars, 0);
  return [...byTool]
    .filter(([, { chars }]) => chars > 0)
    .toSorted(([, one], [, other]) => other.chars - one.chars)
    .slice(0, maxTools)
    .map(
      ([tool, { calls, chars }]) =>
        `${withoutSecrets(tool, 60)} ${percent((100 * chars) / all)} (${calls} ${calls === 1 ? "call" : "calls"}, ${shortNumber(chars)} characters)`,
    )
    .join(", ");
}

const events = ["UserPromptSubmit", "Stop"] as const;
type Name = (typeof events)[number];

interface TurnCostPorts {
  readonly isOn: () => boolean;
  readonly now: () => number;
  readonly memory: Pick<SessionMemory, "part">;
  /** Processing tokens of a session and of its subagents since that time; undefined where unknown. */
  readonly spentSince: (
    sessionId: string,
    since: number,
  ) => Pick<TurnCost, "tokens" | "ofSubagents"> | undefined;
  /** 75th percentile of an agent's turn costs. Null while unknown, which starts a look-up. */
  readonly usual: (agent: string) => number | null;
  /** Null where the transcript cannot be read. */
  readonly trajectory: (transcript: string, since: number) => Promise<Trajectory | null>;
}

const turn = z.object({
  /** Time of the user's prompt. Milliseconds since the epoch. Null if no prompt was seen. */
  since: z.nullable(z.number()),
  /** Processing tokens of the dearest turn reported so far. */
  told: z.number().check(z.nonnegative()),
});

/**
 * When a turn took more than its agent's turns usually take, shows its user once where the tokens went. Later
 * turns of the same session are shown only if they took more than the last one shown. It costs no token:
 * nothing is sent to the model.
 */
export function turnCostHandler(ports: TurnCostPorts): HookHandler<Name> {
  const sessions = ports.memory.part("turn-cost", { schema: turn, empty: { since: null, told: 0 } });

  const stopped = async (event: EventNamed<"Stop">, agent: string): Promise<HookAnswer | null> => {
    const { session_id: id, transcript_path: transcript } = event;
    const { since, told: notified } = sessions.of(id);
    const usual = ports.usual(agent);
    const spent = since === null ? undefined : ports.spentSince(id, since);
    if (since === null || usual === null || spent === undefined) return null;
    const cost = { ...spent, usual };
    if (!isCostly(cost) || cost.tokens <= notified) return null;
    // Shown once, however often the turn stops: a gate may make it continue.
    sessions.set(id, { since: null, told: cost.tokens });
    const did = transcript === undefined ? null : await ports.trajectory(transcript, since);
    return { notice: describeTurnCost(cost, did), rule: "costly-turn" };
  };

  const answer = (
    event: EventNamed<Name>,
    about?: HookContext,
  ): HookAnswer | null | Promise<HookAnswer | null> => {
    // Other agents have no live sessions, and nobody reads a message to a subagent or a script.
    const isRead =
      event.agent_id === undefined && about?.isAttended !== false && about?.program === "claude-code";
    if (!isRead || !ports.isOn()) return null;
    const agent = event.agent_type ?? "main";
    if (event.hook_event_name === "Stop") return stopped(event, agent);
    sessions.set(event.session_id, { ...sessions.of(event.session_id), since: ports.now() });
    // Starts the look-up while the agent works.
    ports.usual(agent);
    return null;
  };

  return { name: "turn-cost", events, budget: 500, answer };
}

interface TurnCostsPorts {
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
