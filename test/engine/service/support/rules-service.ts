import type { QuestionName, QuestionParams } from "../../../../src/engine/ledger/questions/questions.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { Emitter } from "../../../../src/engine/base/events.ts";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { LedgerApi } from "../../../../src/engine/ledger/ledger-thread.ts";
import { LedgerHost } from "../../../../src/engine/ledger/host/ledger-host.ts";
import type { PartialSettings } from "../../../../src/engine/settings/shape.ts";
import type { ServiceClient } from "../../../../src/engine/service/client.ts";
import { open, appendEntries } from "../../ledger/support/support.ts";
import { TranscriptLines } from "../../rules/support/transcript.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { ServiceSandbox } from "./box.ts";
import { FakeCollecting, FakeLedger } from "./fake-ledger.ts";

/** A service with its own ledger, and a client. @param settings content of the user's settings file */
export async function served(t: TestContext, settings: PartialSettings = {}) {
  const box = new ServiceSandbox(t);
  mkdirSync(path.dirname(box.home.settings), { recursive: true, mode: 0o700 });
  writeFileSync(box.home.settings, JSON.stringify(settings));
  const ledger = await open(t, scratchFolder(t));
  const { log, clock } = box.servicePorts();
  const collecting = new FakeCollecting([]);
  const host = new LedgerHost({
    log,
    clock,
    places: [],
    collect: () => collecting,
    open: () => Promise.resolve(succeed(keptOf(ledger))),
  });
  const golden = path.join(box.folder, "golden");
  const client: ServiceClient = await box.host({ ledger: host, golden });
  return { box, golden, client, ledger, root: scratchFolder(t), transcripts: scratchFolder(t) };
}

/** Defines an agent that has golden tasks, in Claude Code's folder. @param memory its memory scope; null for none */
export function defineAgent(
  { box, golden }: { readonly box: ServiceSandbox; readonly golden: string },
  name: string,
  memory: string | null = "user",
): void {
  const line = memory === null ? "" : `memory: ${memory}\n`;
  put(path.join(box.root, "agents", `${name}.md`), `---\nname: ${name}\n${line}---\nDo it.\n`);
  put(path.join(golden, "tasks", name, "one.md"), "A task.\n");
}

/** @param lines its actions; by default it reads a file twice */
export async function costlyRun(
  service: Awaited<ReturnType<typeof served>>,
  { lines } = new TranscriptLines().read("/p/a.ts", 9000).read("/p/a.ts", 9000),
) {
  const { ledger, transcripts } = service;
  defineAgent(service, "scout");
  const file = path.join(transcripts, "projects", "-p", "s-6.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, lines.join("\n"));
  const start = Date.UTC(2026, 10, 2);
  for (const number of [1, 2, 3, 4, 5, 6])
    await appendEntries(ledger, {
      kind: "run",
      id: `s-${number}:m`,
      sessionId: `s-${number}`,
      agent: "scout",
      completed: true,
      input: number === 6 ? 90_000 : 1000,
      output: 0,
      cacheCreation: 0,
      cacheRead: 0,
      startedAt: start,
      endedAt: start + number * 100_000,
    });
  await appendEntries(ledger, { kind: "position", path: file, identity: "1:2", offset: 1 });
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A ledger like the service's, in this thread. */
export function keptOf(ledger: Awaited<ReturnType<typeof open>>): LedgerApi {
  return Object.assign(new FakeLedger(), {
    onAppend: new Emitter<number>().on,
    append: ledger.append.bind(ledger),
    ask: <Name extends QuestionName>(name: Name, params: QuestionParams<Name>) =>
      Promise.resolve(ledger.ask(name, params)),
  });
}
