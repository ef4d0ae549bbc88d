import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { childEnv } from "../engine/support/child-env.ts";
import type { GeminiProgram } from "./gemini-install.ts";
import { makeScratch } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";
import { startGeminiStandIn } from "./stand-in/gemini.ts";
import type { GeminiExchange, GeminiLines, GeminiStandIn } from "./stand-in/gemini.ts";

interface GeminiTurn {
  readonly prompt: string;
  readonly lines: GeminiLines;
  /** Continue this session. */
  readonly resume?: string;
  /** Environment variables beyond those of every turn. */
  readonly env?: Readonly<Record<string, string>>;
  /** The agent is expected to end with an error. */
  readonly fails?: true;
}

/** A played turn and its range of the stand-in's exchanges; `to` is exclusive. */
interface PlayedGeminiTurn {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
}

/** The real Gemini CLI in a scratch home, connected to its own stand-in. */
export interface GeminiAgent {
  readonly scratch: Scratch;
  readonly standIn: GeminiStandIn;
  readonly prompts: readonly string[];
  readonly turns: readonly PlayedGeminiTurn[];
  /** Runs one process to its end and returns the session id. Throws when the agent or the script goes wrong. */
  turn(turn: GeminiTurn): Promise<string>;
  close(): Promise<void>;
}

export const geminiModel = "gemini-2.5-pro";

const lifeMs = 180_000;
const printed = z.looseObject({ session_id: z.string() });

export interface GeminiOptions {
  /** Waited for before each reply, with all earlier exchanges. */
  readonly beforeReply?: (exchanges: readonly GeminiExchange[]) => Promise<void>;
}

export async function openGemini(program: GeminiProgram, options: GeminiOptions = {}): Promise<GeminiAgent> {
  const { beforeReply = () => Promise.resolve() } = options;
  const standIn = await startGeminiStandIn({ lifeMs, beforeReply });
  const scratch = await makeScratch();
  await mkdir(join(scratch.home, ".gemini"));
  await writeFile(join(scratch.home, ".gemini", "settings.json"), JSON.stringify(settings));
  const prompts: string[] = [];
  const turns: PlayedGeminiTurn[] = [];
  const turn = async ({ prompt, lines, resume, env, fails }: GeminiTurn): Promise<string> => {
    standIn.setLines(lines);
    prompts.push(prompt);
    const from = standIn.exchanges.length;
    const resumed = resume === undefined ? [] : ["--resume", resume];
    const result = await execa(
      process.execPath,
      [program.script, "-m", geminiModel, "--yolo", "-o", "json", ...resumed, "-p", prompt],
      {
        cwd: scratch.workspace,
        extendEnv: false,
        env: {
          ...childEnv,
          HOME: scratch.home,
          // Reports of failures stay in the scratch folder.
          TMPDIR: scratch.root,
          GEMINI_API_KEY: `AIza${"0".repeat(35)}`,
          GOOGLE_GEMINI_BASE_URL: standIn.url,
          GEMINI_CLI_TRUST_WORKSPACE: "true",
          // It would start itself again with more memory.
          GEMINI_CLI_NO_RELAUNCH: "true",
          GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(scratch.root, "none.json"),
          NODE_COMPILE_CACHE: program.compiled,
          ...env,
        },
        stdin: "ignore",
        reject: false,
        timeout: 60_000,
        killSignal: "SIGKILL",
      },
    );
    const left = standIn.setLines({});
    const text = `${result.stderr.slice(-800)} ${result.stdout.slice(-400)} (exit ${result.exitCode ?? "by signal"})`;
    if (standIn.failures.length > 0)
      throw new Error(`the script failed: ${standIn.failures.join("; ")}; ${text}`);
    if (left > 0) throw new Error(`${left} replies nobody asked for; ${text}`);
    if (result.failed !== (fails === true)) throw new Error(`the agent ended unlike it should: ${text}`);
    // It prints nothing after an error.
    const id = resume ?? printed.parse(JSON.parse(result.stdout)).session_id;
    turns.push({ sessionId: id, from, to: standIn.exchanges.length });
    return id;
  };
  const close = async (): Promise<void> => {
    await standIn.close();
    await scratch.remove();
  };
  return { scratch, standIn, prompts, turns, turn, close };
}

/** No sign-in, telemetry or updates. */
const settings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
};
