import { cpSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import type { CliHost } from "../../../../src/engine/cli/cli-ports.ts";
import { ServiceSandbox, serviceProgram } from "../../service/support/box.ts";
import { began, used, vector } from "../../transcripts/copilot/event-rows.ts";
import { readRecordings } from "../../support/recordings.ts";
import { writeTree } from "../../support/write-tree.ts";
import { Scratch, type Printed } from "./support.ts";

export interface LedgerSetup {
  readonly box: ServiceSandbox;
  readonly purser: (argv: readonly string[], host?: Partial<CliHost>) => Promise<Printed>;
}

const recordings = path.join(import.meta.dirname, "../../../recordings");

/** A user's home with a service and an empty ledger. */
export function makeLedgerSetup(t: TestContext): LedgerSetup {
  const [box, scratch] = [new ServiceSandbox(t, { PURSER_TEST_LEDGER: "1" }), new Scratch()];
  t.after(() => scratch.dispose());
  const purser = (argv: readonly string[], host: Partial<CliHost> = {}) =>
    scratch.purser(argv, {
      env: box.env,
      home: box.folder,
      cwd: box.folder,
      now: () => Date.now(),
      version: () => "1.0.0",
      service: { program: serviceProgram, execPath: process.execPath, isElectron: false },
      ...host,
    });
  return { box, purser };
}

/** Fills the home with sessions of all four agents. */
export function fillHome({ box }: LedgerSetup): void {
  for (const { root } of readRecordings())
    cpSync(path.join(root, "projects"), path.join(box.root, "projects"), { recursive: true });
  for (const scenario of ["fork", "subagent", "compaction"])
    cpSync(
      path.join(recordings, "codex-0.171.0", scenario, "sessions"),
      path.join(box.folder, ".codex", "sessions"),
      { recursive: true },
    );
  const timestamp = "2026-11-02T09:00:00.000Z";
  const tokens = { input: 100, output: 10, cached: 40, thoughts: 5, tool: 3, total: 118 };
  const chat = [
    { sessionId: "g1", projectHash: "h", startTime: timestamp, lastUpdated: timestamp, kind: "main" },
    { id: "m1", timestamp, type: "gemini", content: "Said.", model: "gemini-3-pro", tokens },
    { id: "m2", timestamp, type: "gemini", content: "Said.", tokens },
  ];
  const events = [began, used(1, 1, vector(90, 40, 10)), used(2, 2, vector(190, 140, 20))];
  writeTree(box.folder, {
    ".gemini/tmp/harbor/chats/session-2026-11-02T09-00-g1.jsonl": lines(
      chat.map((row) => JSON.stringify(row)),
    ),
    ".copilot/session-state/s1/events.jsonl": lines(events),
  });
}

function lines(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join("");
}
