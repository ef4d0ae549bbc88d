import { driveClaude } from "./drive.ts";
import type { DriveResult } from "./drive.ts";
import type { Generation } from "./install.ts";
import { makeScratch } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";
import { playOfficialAddress } from "./stand-in/official-address.ts";
import { scripted } from "./stand-in/script.ts";
import type { Lines } from "./stand-in/script.ts";
import { startStandIn } from "./stand-in/stand-in.ts";
import type { StandIn } from "./stand-in/stand-in.ts";

export interface Turn {
  readonly prompt: string;
  readonly lines: Lines;
  /** Continue this session. */
  readonly resume?: string;
  /** Continue it in a new session of its own. */
  readonly fork?: boolean;
  readonly model?: string;
  /** Environment variables beyond those of every turn. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments. */
  readonly args?: readonly string[];
  /** The number of replies requested depends on timing. */
  readonly isLoose?: true;
}

/** One process of the agent and its range of the stand-in's exchanges; `to` is exclusive. */
export interface PlayedTurn {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
}

/** A real agent in a scratch home, connected to its own stand-in. */
export interface Agent {
  readonly generation: Generation;
  readonly scratch: Scratch;
  readonly standIn: StandIn;
  /** The prompts of every turn so far. */
  readonly prompts: readonly string[];
  readonly turns: readonly PlayedTurn[];
  /** Runs one process to its end and returns the session id. Throws when the agent or the script goes wrong. */
  turn(turn: Turn): Promise<string>;
  close(): Promise<void>;
}

export const defaultModel = "claude-sonnet-4-6";

const lifeMs = 180_000;

/** @param isOfficial the agent reaches the stand-in by the API's official address */
export async function openAgent(
  generation: Generation,
  binary: string,
  tag: string,
  { isOfficial = false } = {},
): Promise<Agent> {
  const standIn = await startStandIn({ tag, lifeMs });
  const scratch = await makeScratch();
  const official = isOfficial ? await playOfficialAddress(standIn.url, scratch.root) : null;
  const prompts: string[] = [];
  const turns: PlayedTurn[] = [];
  const turn = async (turn: Turn): Promise<string> => {
    const { script, unused } = scripted(turn.lines);
    standIn.setScript(script);
    prompts.push(turn.prompt);
    const from = standIn.exchanges.length;
    const result = await driveClaude({
      binary,
      scratch,
      api: official?.env ?? { ANTHROPIC_BASE_URL: standIn.url },
      prompt: turn.prompt,
      model: turn.model ?? defaultModel,
      args: [
        ...(turn.resume === undefined ? [] : ["--resume", turn.resume]),
        ...(turn.fork === true ? ["--fork-session"] : []),
        ...(turn.args ?? []),
      ],
      env: turn.env ?? {},
    });
    const left = unused();
    if (standIn.failures.length > 0) throw new Error(`the script failed: ${standIn.failures.join("; ")}`);
    if (left.length > 0 && turn.isLoose !== true)
      throw new Error(`replies nobody asked for: ${left.join(", ")}; ${describe(result)}`);
    if (result.printed === null) throw new Error(`the agent printed no result: ${describe(result)}`);
    const sessionId = result.printed.session_id;
    turns.push({ sessionId, from, to: standIn.exchanges.length });
    return sessionId;
  };
  const close = async (): Promise<void> => {
    await official?.close();
    await standIn.close();
    await scratch.remove();
  };
  return { generation, scratch, standIn, prompts, turns, turn, close };
}

function describe(result: DriveResult): string {
  const end = result.timedOut ? "timed out" : `exit ${result.exitCode ?? "by signal"}`;
  return `${end}; stderr: ${result.stderr.slice(-500)}; stdout: ${result.stdout.slice(-500)}`;
}
