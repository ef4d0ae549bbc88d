import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { ownerOf } from "../../../../src/engine/base/lock.ts";
import { purserPaths, type PurserPaths } from "../../../../src/engine/base/disk/home.ts";
import { writeRecord } from "../../../../src/engine/service/service-record.ts";
import { newToken } from "../../../../src/engine/protocol/endpoint.ts";
import { hookProgram } from "../../support/programs.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { machine } from "./box.ts";

export const sessionEnd = "--purser-hook=claude-code:SessionEnd";

interface Run {
  readonly env: Record<string, string>;
  /** Standard input; null leaves it open without data. */
  readonly input: string | Buffer | null;
  readonly argument?: string;
  /** Path of the program, as source or bundled. */
  readonly program?: string;
}

export async function run({ env, input, argument = sessionEnd, program = hookProgram }: Run) {
  const began = performance.now();
  const child = spawn(process.execPath, [program, argument], { env, timeout: 30_000 });
  child.stdin.on("error", () => undefined);
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  child.stdin.destroy();
  return { code, out, err, took: performance.now() - began };
}

export function silent({ code, out, err }: Awaited<ReturnType<typeof run>>): void {
  assert.deepEqual({ code, out, err }, { code: 0, out: "", err: "" });
}

export function place(t: TestContext) {
  const folder = scratchFolder(t);
  const env = { PURSER_HOME: path.join(folder, ".purser"), HOME: folder };
  const home = purserPaths({ env, home: folder });
  mkdirSync(home.folder, { mode: 0o700 });
  return { env, home, folder };
}

/** Announces a service's address, and listens there. */
export async function listening(
  t: TestContext,
  home: PurserPaths,
  { folder = home.sockets, mode = 0o700 }: { folder?: string; mode?: number },
  hear: (socket: Socket) => void,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hooks = path.join(folder, "h.sock");
  const server = createServer(hear);
  await new Promise<void>((resolve) => server.listen(hooks, resolve));
  t.after(() => server.close());
  chmodSync(folder, mode);
  announce(home, hooks);
}

export function announce(home: PurserPaths, hooks: string): void {
  const own = ownerOf(process.pid, machine);
  writeRecord(home, { ...own, socket: `${hooks}.none`, hooks, token: newToken(), version: "1.0.0" });
}

export function spooled(folder: string): unknown[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const lines = names.flatMap((name) => readFileSync(path.join(folder, name), "utf8").trim().split("\n"));
  return lines.map((line): unknown => JSON.parse(line));
}
