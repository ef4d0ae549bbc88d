import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { childEnv } from "../engine/support/child-env.ts";
import { startCodexStandIn } from "./stand-in/codex.ts";
import type { BeforeReply, CodexLines, CodexStandIn } from "./stand-in/codex.ts";
import { makeScratch } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";

interface CodexTurn {
  readonly prompt: string;
  readonly lines: CodexLines;
  /** Continue this session, or fork it. */
  readonly resume?: string;
  readonly fork?: string;
  /** Settings, as `-c` takes them. */
  readonly settings?: readonly string[];
  /** Further arguments of `exec`. */
  readonly args?: readonly string[];
  /** The agent is expected to end with an error. */
  readonly fails?: boolean;
}

/** A played turn and its range of the stand-in's exchanges. */
interface PlayedCodexTurn {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
}

/** The real Codex in a scratch home, connected to its own stand-in. */
export interface CodexAgent {
  readonly scratch: Scratch;
  readonly home: string;
  readonly standIn: CodexStandIn;
  readonly prompts: readonly string[];
  readonly turns: readonly PlayedCodexTurn[];
  /** Runs one process to its end and returns the session id. Throws when the agent or the script goes wrong. */
  turn(turn: CodexTurn): Promise<string>;
  /** Moves a session to the archive. */
  archive(id: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * This version's catalogue lacks the model, so Codex offers the subagent tools at once and a window of 272,000 x 95
 * %.
 */
export const codexModel = "gpt-5.1-codex";

const lifeMs = 120_000;

export async function openCodex(
  binary: string,
  tag: string,
  { beforeReply }: { beforeReply?: BeforeReply } = {},
): Promise<CodexAgent> {
  const standIn = await startCodexStandIn({ tag, lifeMs, beforeReply });
  const scratch = await makeScratch();
  const home = join(scratch.root, "codex");
  await mkdir(home);
  await writeFile(join(home, "config.toml"), config(standIn.url));
  const prompts: string[] = [];
  const turns: PlayedCodexTurn[] = [];

  const run = async (args: readonly string[]) =>
    execa(binary, args, {
      cwd: scratch.workspace,
      extendEnv: false,
      env: { ...childEnv, HOME: scratch.home, CODEX_HOME: home, STAND_IN_KEY: "dummy" },
      stdin: "ignore",
      all: true,
      reject: false,
      timeout: 30_000,
      killSignal: "SIGKILL",
    });

  const turn = async (asked: CodexTurn): Promise<string> => {
    const { prompt, lines, resume, fork, settings = [], args = [], fails } = asked;
    standIn.setLines(lines);
    prompts.push(prompt);
    const before = standIn.exchanges.length;
    const result = await run([
      "exec",
      "--skip-git-repo-check",
      "--sandbox",
      "read-only",
      ...args,
      ...settings.flatMap((setting) => ["-c", setting]),
      ...(resume === undefined ? [] : ["resume", resume]),
      ...(fork === undefined ? [] : ["fork", fork]),
      prompt,
    ]);
    const left = standIn.setLines({ main: [] });
    const text = `${result.all.slice(-800)} (exit ${result.exitCode ?? "by signal"})`;
    if (standIn.failures.length > 0)
      throw new Error(`the script failed: ${standIn.failures.join("; ")}; ${text}`);
    if (left > 0) throw new Error(`${left} replies nobody asked for; ${text}`);
    if (result.failed !== (fails === true)) throw new Error(`the agent ended unlike it should: ${text}`);
    const id = standIn.exchanges[before]?.threadId;
    if (id === undefined) throw new Error(`the agent asked nothing: ${text}`);
    turns.push({ sessionId: id, from: before, to: standIn.exchanges.length });
    return id;
  };

  const archive = async (id: string): Promise<void> => {
    const result = await run(["archive", id]);
    const archived = await readdir(join(home, "archived_sessions")).catch(() => []);
    if (!archived.some((name) => name.includes(id))) throw new Error(`not archived: ${result.all}`);
  };

  const close = async (): Promise<void> => {
    await standIn.close();
    await scratch.remove();
  };
  return { scratch, home, standIn, prompts, turns, turn, archive, close };
}

function config(url: string): string {
  return [
    `model = "${codexModel}"`,
    `model_provider = "mock"`,
    "[analytics]",
    "enabled = false",
    "[model_providers.mock]",
    `name = "mock"`,
    `base_url = "${url}"`,
    `wire_api = "responses"`,
    `env_key = "STAND_IN_KEY"`,
    "",
  ].join("\n");
}
