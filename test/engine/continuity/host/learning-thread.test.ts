import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import {
  learnInThread,
  type LearningThreadPorts,
} from "../../../../src/engine/continuity/host/learning-thread.ts";
import { open } from "../../ledger/support/support.ts";
import { programs } from "../../support/programs.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { rowsOf } from "./mended-types.ts";

const { learningWorker: program } = programs;

test("A thread learns from the user's transcripts into the ledger; ended early, it loses nothing", async (t) => {
  const home = scratchFolder(t);
  const project = path.join(home, "shop");
  const folder = path.join(home, ".claude", "projects", "-shop");
  mkdirSync(folder, { recursive: true });
  mkdirSync(path.join(project, ".git"), { recursive: true });
  for (const id of ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"])
    writeFileSync(path.join(folder, `${id}.jsonl`), rowsOf(id, project));
  const ledger = await open(t, scratchFolder(t));
  const task = { env: {}, home, temporary: "/tmp", only: null, pause: 0, now: 1_900_000_100_000 };
  const problems: string[] = [];
  const ports = (signal: AbortSignal, onProgress: () => void = () => undefined): LearningThreadPorts => ({
    program,
    signal,
    onProgress,
    onProblem: (message) => problems.push(message.text),
    ledger: {
      ask: (name, asked) => Promise.resolve(succeed(ledger.ask(name, asked))),
      append: (entries) => ledger.append(entries),
    },
  });
  const early = new AbortController();
  const stopped = await learnInThread(
    task,
    ports(early.signal, () => early.abort()),
  );
  assert.equal(stopped.ok, false);
  const done = await learnInThread(task, ports(new AbortController().signal));
  assert.ok(done.ok);
  assert.equal(done.value.files, 2);
  assert.deepEqual(problems, []);
  const texts = ledger.ask("learnedBook", project).learned.map(({ text }) => text);
  assert.ok(
    texts.includes("“error TS2307: Cannot find module 'zod'.” (tsc) was gone after: npm install zod"),
    texts.join("\n"),
  );
  assert.notEqual(ledger.ask("packetOf", "11111111-1111-4111-8111-111111111111"), null);
});
