import assert from "node:assert/strict";
import path from "node:path";
import { plainSentence } from "../../../src/engine/base/language.ts";
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import { foldSpool } from "../../../src/engine/hooks/fold-spool.ts";
import { writeSpoolFile } from "../../../src/engine/hooks/spool-file.ts";
import { scratchFolder } from "../support/scratch.ts";

const line = (id: string) => JSON.stringify({ kind: "hook-event", id, sessionId: "s", event: "Stop", at: 1 });

function spool(t: TestContext) {
  const folder = path.join(scratchFolder(t), "spool");
  const reported: string[] = [];
  const problems: string[] = [];
  const fold = (answer: Result<unknown> = succeed(1)) =>
    foldSpool(folder, {
      append: (entries) => {
        if (answer.ok) reported.push(...entries.flatMap((each) => ("id" in each ? [each.id] : [])));
        return Promise.resolve(answer);
      },
      onProblem: (message) => void problems.push(message),
      now: () => Date.now(),
    });
  return { folder, reported, problems, fold };
}

describe("the spool", () => {
  it("is folded in, oldest first, and empty then", async (t) => {
    const { folder, reported, fold, problems } = spool(t);
    assert.equal(await fold(), 0);
    for (let index = 0; index < 450; index += 1)
      writeSpoolFile(folder, String(1000 + index), [line(`${index}`), line(`${index}b`)]);
    assert.equal(statSync(folder).mode & 0o077, 0);
    assert.equal(await fold(), 900);
    assert.deepEqual(reported.slice(0, 3), ["0", "0b", "1"]);
    assert.equal(new Set(reported).size, 900);
    assert.deepEqual(readdirSync(folder), []);
    assert.deepEqual(problems, []);
  });

  it("has decisions of guard rules made without a service", async (t) => {
    const { folder, fold, reported, problems } = spool(t);
    const call = {
      kind: "guard-hit",
      id: "t:not-judged",
      sessionId: "s",
      rule: "not-judged",
      family: "safety",
    };
    const hit = JSON.stringify({ ...call, action: "ask", done: "asked" });
    writeSpoolFile(folder, "a", [line("a"), hit]);
    assert.equal(await fold(), 2);
    assert.deepEqual([reported, problems], [["a", "t:not-judged"], []]);
  });

  it("keeps what the ledger did not acknowledge", async (t) => {
    const { folder, fold, reported } = spool(t);
    writeSpoolFile(folder, "a", [line("a")]);
    assert.equal(await fold(fail("no_ledger", plainSentence("it is not open"))), 0);
    assert.deepEqual(readdirSync(folder), ["a.ndjson"]);
    await fold();
    assert.deepEqual(reported, ["a"]);
  });

  it("skips foreign files, and files still being written", async (t) => {
    const { folder, fold, reported, problems } = spool(t);
    writeSpoolFile(folder, "a", ["", "{", "[]", '{"kind":"rule"}', line("a")]);
    mkdirSync(path.join(folder, "b.ndjson"));
    for (const name of [".c.tmp", ".d.tmp", "e.txt"]) writeFileSync(path.join(folder, name), line(name));
    const longAgo = Date.now() / 1000 - 7200;
    utimesSync(path.join(folder, ".d.tmp"), longAgo, longAgo);
    assert.equal(await fold(), 1);
    assert.deepEqual(reported, ["a"]);
    assert.equal(problems.length, 2);
    assert.deepEqual(readdirSync(folder).sort(), [".c.tmp", "b.ndjson", "e.txt"]);
  });

  it("has its limit", (t) => {
    const { folder } = spool(t);
    mkdirSync(folder);
    for (let index = 0; index < 5000; index += 1) writeFileSync(path.join(folder, `${index}.ndjson`), "");
    assert.throws(() => writeSpoolFile(folder, "more", [line("more")]), /is full/u);
    assert.equal(existsSync(path.join(folder, "more.ndjson")), false);
  });
});
