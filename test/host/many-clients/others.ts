import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { statusJson } from "../../../src/engine/cli/sessions/sessions-outcome.ts";
import { usageJson } from "../../../src/engine/cli/usage/usage-schema.ts";
import { childEnvironment } from "../child-environment.ts";
import { percentsOf, together, type Figures, type Used } from "./figures.ts";
import { repository } from "../repository.ts";
import type { Scratch } from "../scratch.ts";

const maxTime = 20_000; // ms for one answer of the command line

const usedSchema = z.object({
  responses: z.number(),
  input: z.number(),
  output: z.number(),
  cacheCreation: z.number(),
  cacheRead: z.number(),
});
const lookSchema = z.object({
  figures: z.object({
    percents: z.record(z.string(), z.number()),
    used: z.record(z.string(), usedSchema),
  }),
  services: z.array(z.number()),
  problems: z.array(z.string()),
});
export type WindowReport = z.infer<typeof lookSchema>;

/** A window of the extension without its editor, in its own process. */
export class HeadlessWindow {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Opens the process, ready to connect but not connected. */
  static async open(scratch: Scratch): Promise<HeadlessWindow> {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(join(repository, "package.json"), "utf8")));
    const program = join(repository, "dist", "service.cjs");
    const child = fork(join(import.meta.dirname, "window.ts"), [program, version, scratch.workspace], {
      env: childEnvironment(scratch.env),
    });
    await once(child, "message");
    return new HeadlessWindow(child);
  }

  begin(): void {
    this.#child.send("begin");
  }

  /** The data it received, and all services to which it was ever connected. */
  async report(): Promise<WindowReport> {
    const reported = once(this.#child, "message");
    this.#child.send("look");
    return lookSchema.parse((await reported).at(0));
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.send("end");
    await ended;
  }
}

/** Runs `purser status --all --json` in its own process. */
export async function statusInTerminal(scratch: Scratch): Promise<Pick<Figures, "percents">> {
  const { sessions, problems } = statusJson.parse(
    JSON.parse(await purser(scratch, "status", "--all", "--json")),
  );
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return { percents: percentsOf(sessions.map(({ context, ...rest }) => ({ ...rest, ...context }))) };
}

/** Runs `purser usage --by agent --json` in its own process. */
export async function usageInTerminal(scratch: Scratch): Promise<Pick<Figures, "used">> {
  const { rows } = usageJson.parse(JSON.parse(await purser(scratch, "usage", "--by", "agent", "--json")));
  const used: Record<string, Used> = {};
  for (const { key, responses, input, output, cacheCreation, cacheRead } of rows) {
    const row = { responses, input, output, cacheCreation, cacheRead };
    const before = used[key];
    used[key] = before === undefined ? row : together(before, row);
  }
  return { used };
}

/** Runs the built CLI with the scratch folders; returns its output. */
export async function purser(scratch: Scratch, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execa(process.execPath, [join(repository, "dist", "cli.cjs"), ...args], {
    cwd: scratch.workspace,
    env: childEnvironment(scratch.env),
    extendEnv: false,
    timeout: maxTime,
  });
  return stdout;
}
