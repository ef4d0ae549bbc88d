import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { SessionFeed } from "../../../../../src/engine/sessions/live/sessions-feed.ts";
import { sessionRoots } from "../../../../../src/engine/transcripts/agents.ts";
import { codexRoots } from "../../../../../src/engine/transcripts/home-folder.ts";
import { usageReader } from "../../../../../src/engine/transcripts/codex/usage-reader.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { writeTree } from "../../../support/write-tree.ts";
import { count, idAt, meta, response, turn, vector } from "../../../transcripts/codex/rollout-rows.ts";
import { open } from "../../support/support.ts";
import { collectInto, countedBySession, homesIn } from "../support.ts";

const id = idAt(0);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const head = [meta(0, { id }), turn(1, "t1")];
const one = vector(1000, 400, 50);
const two = vector(2000, 800, 100);
const recorded = (second: number, name: string) => response(second, id, name, one);

const forms = {
  "records of their own": [recorded(2, "r1"), recorded(3, "r2"), recorded(4, "r3")],
  "totals with the last usage": [
    count(2, one, one),
    count(3, two, one),
    count(4, vector(3000, 1200, 150), one),
  ],
} as const;

for (const [form, [first, second, third]] of Object.entries(forms))
  it(`Two rollouts of one thread count, and shared records once, with ${form}`, async (t) => {
    const folder = scratchFolder(t);
    const name = (hour: string) => `codex/sessions/2026/11/02/rollout-2026-11-02T${hour}-00-00-${id}.jsonl`;
    writeTree(folder, {
      [name("09")]: text([...head, first, second]),
      [name("10")]: text([...head, second, third]),
      [`codex/archived_sessions/${path.basename(name("09"))}`]: text([...head, first, second]),
    });
    for (const hour of ["09", "10"]) utimesSync(path.join(folder, name(hour)), new Date(), new Date());
    const homes = homesIn(folder);
    const { records } = usageReader.readUsage(codexRoots(homes));
    assert.deepEqual(
      records.map(({ usage }) => usage.input),
      [600, 600, 600],
    );
    const ledger = await open(t, scratchFolder(t));
    await collectInto(ledger, folder).collector.catchUp();
    assert.equal(countedBySession(ledger).get(id)?.responses, 3);
    const clock = { now: () => Date.now() };
    const feed = new SessionFeed({ roots: sessionRoots(homes), clock, isAlive: () => false });
    await feed.readOnce();
    const account = feed.readers.get(id)?.account;
    assert.deepEqual([account?.own.usage().input, account?.main.turns], [1800, 3]);
  });
