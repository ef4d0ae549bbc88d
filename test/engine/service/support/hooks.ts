import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import type { TestContext } from "node:test";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { HookAnswer } from "../../../../src/engine/hooks/event/hooks-answer.ts";
import type { HookEntry } from "../../../../src/engine/hooks/hooks-recorder.ts";
import { openEndpoint, type Endpoint, newToken } from "../../../../src/engine/protocol/endpoint.ts";
import { ownerOf } from "../../../../src/engine/base/lock.ts";
import { HookService } from "../../../../src/engine/hooks/dispatch.ts";
import {
  readHookServerAddress,
  type HookServerAddress,
} from "../../../../src/engine/hooks/server/address.ts";
import { thisMachine } from "../../../../src/engine/base/process/machine.ts";
import { ensurePrivateFolder } from "../../../../src/engine/base/private-files.ts";
import { purserPaths, type PurserPaths } from "../../../../src/engine/base/disk/home.ts";
import { FileLog } from "../../../../src/engine/base/log.ts";
import { writeRecord } from "../../../../src/engine/service/service-record.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** Answers hooks like the service, and records the entries for the ledger. */
export class TestHookService {
  readonly home: PurserPaths;
  readonly recordedEntries: HookEntry[] = [];
  /** The answer to PreToolUse hooks. */
  answer: () => HookAnswer | null = () => null;
  /** The answer to prompts. */
  answerPrompt: (prompt: string) => HookAnswer | null | Promise<HookAnswer | null> = () => null;
  /** Resolves when the ledger is open. */
  opening: Promise<void> | null = null;
  #hooks: HookService | undefined;
  #endpoint: Endpoint | undefined;

  constructor(t: Pick<TestContext, "after">) {
    t.after(() => this.finish());
    this.home = purserPaths({ env: {}, home: scratchFolder(t) });
    ensurePrivateFolder(this.home.folder);
  }

  async begin(): Promise<HookServerAddress> {
    const before = this.log();
    this.#hooks = new HookService({
      home: this.home,
      pid: process.pid,
      clock: systemClock,
      log: new FileLog(this.home.log, systemClock),
      isLedgerOpen: () => this.opening === null,
      append: async (entries) => {
        await this.opening;
        this.recordedEntries.push(
          ...entries.flatMap((entry) => (entry.kind === "hook-event" ? [entry] : [])),
        );
        return succeed(undefined);
      },
      onHook: () => undefined,
      memory: new SessionMemory(),
    });
    this.#hooks.register({ name: "test", events: ["PreToolUse"], budget: 1000, answer: () => this.answer() });
    this.#hooks.register({
      name: "test-prompts",
      events: ["UserPromptSubmit"],
      budget: 1000,
      answer: ({ prompt = "" }) => this.answerPrompt(prompt),
    });
    await this.#announce(this.#hooks);
    this.#hooks.start();
    await waitUntil(() => this.log().slice(before.length).includes("are answered at port"));
    return placeOf(this.home);
  }

  async finish(): Promise<void> {
    this.#endpoint?.server.close();
    await this.#hooks?.stop();
    this.#hooks = undefined;
  }

  /** Announces the endpoint to our programs, as a service does. */
  async #announce(service: HookService): Promise<void> {
    const { home } = this;
    const { platform } = process;
    const opened = await openEndpoint({ home, platform, env: {}, temporary: os.tmpdir() });
    assert.ok(opened.ok);
    this.#endpoint = opened.value;
    const { address: socket } = opened.value;
    const token = newToken();
    const hooks = await service.open({ address: socket }, token);
    assert.ok(hooks !== undefined);
    const owner = ownerOf(process.pid, thisMachine());
    writeRecord(home, { ...owner, socket, hooks, token, version: "1.0.0" });
  }

  log(): string {
    return existsSync(this.home.log) ? readFileSync(this.home.log, "utf8") : "";
  }
}

export function placeOf(home: PurserPaths): HookServerAddress {
  const address = readHookServerAddress(home);
  assert.ok(address.ok && address.value !== null);
  return address.value;
}

export interface Posted {
  readonly status: number;
  readonly body: string;
}

export interface PostOptions {
  readonly headers?: http.OutgoingHttpHeaders;
  readonly path?: string;
  readonly method?: string;
  readonly agent?: http.Agent;
}

/** Posts a hook as an agent does. */
export function post(
  { port, token }: HookServerAddress,
  body: string | Buffer,
  { headers = {}, path = "/hook/claude-code", method = "POST", agent }: PostOptions = {},
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        ...(agent === undefined ? {} : { agent }),
        headers: {
          Authorization: `Bearer ${token}`,
          ...("Transfer-Encoding" in headers ? {} : { "Content-Length": Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** The body an agent posts. */
export function hook(event: string, more: object = {}): string {
  return JSON.stringify({ session_id: "s-1", hook_event_name: event, cwd: "/argo", ...more });
}
