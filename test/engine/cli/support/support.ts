import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CliHost } from "../../../../src/engine/cli/cli-ports.ts";
import { run } from "../../../../src/engine/cli/run-cli.ts";
import { sourceSuite } from "../../../../src/engine/bench/suite/folders.ts";
import { programs } from "../../support/programs.ts";

const engine = path.join(import.meta.dirname, "../../../../src/engine");

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Claude Code configuration folder, removed by `dispose`. */
export class Scratch {
  readonly root = mkdtempSync(path.join(os.tmpdir(), "purser-cli-"));

  transcript(name: string, content: string): string {
    const file = path.join(this.root, "projects", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Writes the user's own `settings.json`. */
  set(settings: object): void {
    mkdirSync(path.join(this.root, ".purser"), { recursive: true });
    writeFileSync(path.join(this.root, ".purser", "settings.json"), JSON.stringify(settings));
  }

  /** @param start what is run instead of all of `purser` */
  async purser(
    argv: readonly string[],
    host: Partial<CliHost> & { isTTY?: boolean } = {},
    start: typeof run = run,
  ): Promise<Printed> {
    const { isTTY = false, ...rest } = host;
    const printed = { stdout: "", stderr: "" };
    const code = await start(argv, {
      env: { CLAUDE_CONFIG_DIR: this.root },
      home: this.root,
      cwd: this.root,
      now: () => new Date(2026, 10, 21, 10).getTime(),
      program: path.join(engine, "cli/main.ts"),
      version: () => "1.2.3",
      signal: new AbortController().signal,
      scanWorker: path.join(this.root, "no-thread-for-so-little"),
      service: { program: "/no-service", execPath: "/no-runtime", isElectron: false },
      ledgerPrograms: programs.ledgerPrograms,
      pid: process.pid,
      suite: sourceSuite(engine),
      guide: path.join(engine, "../../media/guide"),
      scratch: os.tmpdir(),
      stdout: { isTTY, write: (text) => (printed.stdout += decoded(text)) },
      stderr: { isTTY, write: (text) => (printed.stderr += decoded(text)) },
      ...rest,
    });
    return { code, ...printed };
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function decoded(text: string | Uint8Array): string {
  return typeof text === "string" ? text : Buffer.from(text).toString("utf8");
}

export interface ResponseFields {
  readonly id: string;
  readonly model?: string;
  /** Local time of 2026-11-20. */
  readonly day?: number;
  readonly input?: number;
  readonly cwd?: string;
}

/** An assistant row. */
export function responseRow({
  id,
  model = "claude-opus-4-5",
  day = 20,
  input = 1000,
  cwd = "/argo",
}: ResponseFields): string {
  return `${JSON.stringify({
    type: "assistant",
    message: {
      id,
      model,
      usage: { input_tokens: input, output_tokens: 10, cache_read_input_tokens: 2_000_000 },
    },
    requestId: `req_${id}`,
    timestamp: new Date(2026, 10, day, 12).toISOString(),
    cwd,
  })}\n`;
}
