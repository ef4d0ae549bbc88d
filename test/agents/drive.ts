import { execa } from "execa";
import { z } from "zod";
import { childEnv } from "../engine/support/child-env.ts";
import type { Scratch } from "./scratch.ts";

const resultSchema = z.looseObject({
  session_id: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  total_cost_usd: z.number(),
  modelUsage: z.record(
    z.string(),
    z.looseObject({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheReadInputTokens: z.number(),
      cacheCreationInputTokens: z.number(),
      contextWindow: z.number().optional(),
    }),
  ),
});

/** The output of `claude -p --output-format json` and how it ended. */
export interface DriveResult {
  readonly exitCode: number | undefined;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Null when nothing readable was printed. */
  readonly printed: z.infer<typeof resultSchema> | null;
}

export interface DriveOptions {
  readonly binary: string;
  readonly scratch: Scratch;
  /** The variables with the API's address. */
  readonly api: Readonly<Record<string, string>>;
  readonly prompt: string;
  readonly model: string;
  /** Further arguments, such as `--resume ID`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/**
 * Runs the real CLI once, headless, in a scratch home, against the stand-in. Of the caller's environment it gets
 * only what any program needs. Kills it on timeout.
 */
export async function driveClaude(options: DriveOptions): Promise<DriveResult> {
  const { scratch } = options;
  const run = await execa(
    options.binary,
    [
      "-p",
      options.prompt,
      "--output-format",
      "json",
      "--model",
      options.model,
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      "Bash,Read,Edit,Write,Grep,Glob,Agent",
      ...(options.args ?? []),
    ],
    {
      cwd: scratch.workspace,
      extendEnv: false,
      env: {
        ...childEnv,
        HOME: scratch.home,
        CLAUDE_CONFIG_DIR: scratch.config,
        ...options.api,
        ANTHROPIC_API_KEY: "dummy",
        // Its sockets and spilled outputs stay in the scratch folder as well.
        TMPDIR: scratch.root,
        CLAUDE_CODE_TMPDIR: scratch.root,
        DISABLE_TELEMETRY: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        ...options.env,
      },
      stdin: "ignore",
      reject: false,
      timeout: options.timeoutMs ?? 60_000,
      killSignal: "SIGKILL",
    },
  );
  return {
    exitCode: run.exitCode,
    timedOut: run.timedOut,
    stdout: run.stdout,
    stderr: run.stderr,
    printed: readPrinted(run.stdout),
  };
}

function readPrinted(stdout: string): DriveResult["printed"] {
  if (!stdout.trimStart().startsWith("{")) return null;
  const parsed = resultSchema.safeParse(JSON.parse(stdout));
  return parsed.success ? parsed.data : null;
}
