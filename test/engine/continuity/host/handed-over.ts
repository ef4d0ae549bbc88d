import { existsSync } from "node:fs";
import path from "node:path";
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { Handovers, type HandoverPorts } from "../../../../src/engine/continuity/host/handover-host.ts";
import type { ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { packetOf } from "../packet-fixture.ts";
import { defaults } from "../../../../src/engine/settings/shape.ts";
import { open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";

/**
 * Documents of a session in a project with git answers given by the test, stored in a real ledger in memory.
 */
export async function place(t: TestContext, own: Partial<HandoverPorts> = {}) {
  const folder = path.join(scratchFolder(t), ".purser");
  const ledger = await open(t, path.join(folder, "ledger"));
  const project: { branch: string | null; commit: string; changed: string } = {
    branch: "login",
    commit: "1".repeat(40),
    changed: "",
  };
  const summing = { model: " " };
  const time = { now: Date.UTC(2026, 10, 24, 9) };
  const problems: string[] = [];
  const prompts = new Map<string, string>();
  const work = { turns: 3 };
  const packets = new Map<string, ResumePacket>();
  const chosen = new Map<string, readonly string[]>();
  const reached = new Set<string>();
  let ids = 0;
  const outputs: Readonly<Record<string, () => string>> = {
    "rev-parse": () => "/home/mara/argo\n",
    "symbolic-ref": () => (project.branch === null ? "" : `refs/heads/${project.branch}\n`),
    log: () => `${project.commit}\0Add the form\n`,
    "diff-files": () => project.changed,
  };
  const create = () =>
    new Handovers({
      home: { folder, handovers: path.join(folder, "handovers") },
      clock: { now: () => time.now },
      ledger: {
        append: (entries: readonly LedgerEntry[]) => ledger.append(entries),
        ask: (name, params) => Promise.resolve(succeed(ledger.ask(name, params))),
      },
      git: (_, [command = ""]) => Promise.resolve({ code: 0, output: outputs[command]?.() ?? "" }),
      packetOf: (session) => Promise.resolve(packets.get(session) ?? null),
      putBack: {
        choose: (session, source, items) =>
          void chosen.set(`${session} ${source}`, [
            ...(chosen.get(`${session} ${source}`) ?? []),
            ...items.map(({ id }) => id),
          ]),
        waiting: (session, source) => chosen.get(`${session} ${source}`) ?? [],
      },
      isReached: (session) => reached.has(session),
      memory: new SessionMemory(),
      isThere: (file) => file === "/home/mara/argo" || existsSync(file),
      stampOf: () => Promise.resolve("1"),
      workOf: (session) =>
        Promise.resolve(
          session === "none"
            ? null
            : {
                packet: packetOf({ sessionId: session, turns: work.turns }),
                packetText: "Packet.",
                summary: null,
                carried: 121_300,
                folder: "/home/mara/argo",
              },
        ),
      firstPromptOf: (session) => Promise.resolve(prompts.get(session) ?? null),
      offeredTo: (session) => (session === "reader" ? "s-1" : null),
      settings: {
        now: () => ({ ...defaults, continuityImproveWith: summing.model }),
        of: () => ({ ...defaults, models: { "ship-1": { output: 2 } } }),
      },
      unique: () => String((ids += 1)).padStart(8, "0"),
      onProblem: (problem) => void problems.push(problem),
      ...own,
    });
  return {
    handovers: create(),
    create,
    ledger,
    prompts,
    project,
    summing,
    time,
    problems,
    folder,
    work,
    packets,
    chosen,
    reached,
  };
}

export async function made(handovers: Handovers, session = "s-1") {
  const result = await handovers.make(session);
  assert.ok(result.ok, result.ok ? "" : result.detail.text);
  return result.value.draft;
}
