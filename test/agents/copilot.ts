import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { execa } from "execa";
import { childEnv } from "../engine/support/child-env.ts";
import { offline, type CopilotProgram } from "./copilot-install.ts";
import { makeScratch } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";
import { copilotRoles } from "./stand-in/copilot-role.ts";
import type { SeenRequest } from "./stand-in/request.ts";
import type { Role } from "./stand-in/role.ts";
import { scripted } from "./stand-in/script.ts";
import type { Lines } from "./stand-in/script.ts";
import { startStandIn } from "./stand-in/stand-in.ts";
import type { Exchange, StandIn } from "./stand-in/stand-in.ts";

interface CopilotTurn {
  readonly prompt: string;
  readonly lines: Lines;
  /** Continue this session. */
  readonly resume?: string;
  /** Environment variables beyond those of every turn. */
  readonly env?: Readonly<Record<string, string>>;
  /** The agent is expected to end with an error. */
  readonly fails?: boolean;
}

/** One process of the agent, with its requests in order. */
export interface PlayedCopilotTurn {
  readonly sessionId: string;
  readonly exchanges: readonly { readonly role: Role; readonly exchange: Exchange }[];
}

/** The real Copilot CLI in a scratch home, connected to its own stand-in for the Messages API. */
export interface CopilotAgent {
  readonly scratch: Scratch;
  /** Its folder of sessions and the store. */
  readonly home: string;
  readonly standIn: StandIn;
  readonly prompts: readonly string[];
  readonly turns: readonly PlayedCopilotTurn[];
  /** Runs one process to its end and returns the session id. Throws when the agent or the script goes wrong. */
  turn(turn: CopilotTurn): Promise<string>;
  close(): Promise<void>;
}

export const copilotModel = "claude-sonnet-4-5";

const lifeMs = 120_000;

/** @param beforeReply called before each reply, which waits for it, with the session that works */
export async function openCopilot(
  { binary, unpacked }: CopilotProgram,
  tag: string,
  beforeReply?: (sessionId: string) => Promise<void>,
): Promise<CopilotAgent> {
  const playing = { sessionId: "" };
  const standIn = await startStandIn({
    tag,
    lifeMs,
    beforeReply: async () => beforeReply?.(playing.sessionId),
  });
  const scratch = await makeScratch();
  const home = join(scratch.home, ".copilot");
  const prompts: string[] = [];
  const turns: PlayedCopilotTurn[] = [];
  const env = {
    ...childEnv,
    ...offline,
    HOME: scratch.home,
    COPILOT_CACHE_HOME: unpacked,
    COPILOT_PROVIDER_BASE_URL: standIn.url,
    COPILOT_PROVIDER_TYPE: "anthropic",
    // The agent masks the key in all it prints, so it must be no word of ours.
    COPILOT_PROVIDER_API_KEY: "stand-in-key-that-is-no-word-of-ours",
    COPILOT_MODEL: copilotModel,
  };

  const turn = async (asked: CopilotTurn): Promise<string> => {
    const { prompt, lines, resume, fails } = asked;
    const sessionId = resume ?? randomUUID();
    playing.sessionId = sessionId;
    const classify = copilotRoles();
    const roles = new Map<number, Role>();
    const { script, unused } = scripted(lines, (request: SeenRequest) => {
      const role = classify(request);
      roles.set(request.index, role);
      return role;
    });
    const before = standIn.exchanges.length;
    standIn.setScript(script);
    prompts.push(prompt);
    const session = resume === undefined ? `--session-id=${sessionId}` : `--resume=${sessionId}`;
    const result = await execa(binary, ["-p", prompt, session, "--allow-all-tools"], {
      cwd: scratch.workspace,
      extendEnv: false,
      env: { ...env, ...asked.env },
      stdin: "ignore",
      all: true,
      reject: false,
      timeout: 40_000,
      killSignal: "SIGKILL",
    });
    const text = `${result.all.slice(-800)} (exit ${result.exitCode ?? "by signal"})`;
    const left = unused();
    if (standIn.failures.length > 0)
      throw new Error(`the script failed: ${standIn.failures.join("; ")}; ${text}`);
    if (left.length > 0) throw new Error(`replies nobody asked for: ${left.join(", ")}; ${text}`);
    if (result.failed !== (fails === true)) throw new Error(`the agent ended unlike it should: ${text}`);
    const exchanges = standIn.exchanges
      .slice(before)
      .map((exchange) => ({ exchange, role: roles.get(exchange.request.index) ?? "aside" }));
    turns.push({ sessionId, exchanges });
    return sessionId;
  };

  const close = async (): Promise<void> => {
    await standIn.close();
    await scratch.remove();
  };
  return { scratch, home, standIn, prompts, turns, turn, close };
}
