import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { rulesJson } from "../../../src/engine/cli/rules-schema.ts";
import { selectJson } from "../../../src/engine/cli/select-schema.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt.ts";
import { served } from "../service/support/rules-service.ts";
import { breaking, recordedSuite, saving } from "./select-suite.ts";
import { Scratch } from "./support.ts";

test("A rule goes all the way with recordings: approved, measured, let in; one that breaks a task is evicted", async (t) => {
  const { box } = await served(t);
  const suite = await recordedSuite(t);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const host = {
    ...{ home: box.folder, now: () => Date.now(), version: () => "1.0.0", suite },
    env: { ...box.env, CLAUDE_CONFIG_DIR: scratch.root },
  };
  const purser = (...argv: string[]) => scratch.purser(argv, host);
  const added = async (text: string) => {
    const { stdout, stderr } = await purser("rules", "add", "backend", "--rule", text);
    const [id = ""] = /^r[0-9a-f]{10}/u.exec(stdout) ?? [];
    assert.notEqual(id, "", stderr);
    return id;
  };
  const good = await added(saving);
  const early = await purser("select", "backend", "--driver", "replay");
  assert.match(early.stderr, /no rule to measure/u, "nothing is measured that was not approved");
  const bad = await added(breaking);
  for (const id of [good, bad]) await purser("rules", "approve", id);

  const measured = await purser("select", "backend", "--driver", "replay", "--json");
  assert.equal(measured.code, 0, measured.stderr);
  const { end, receipts } = selectJson.parse(JSON.parse(measured.stdout));
  assert.equal(end.kind, "done");
  assert.deepEqual(
    receipts.map(({ subject, driver }) => [subject.id, driver]),
    [
      [good, "replay"],
      [bad, "replay"],
    ],
  );
  for (const receipt of receipts) assert.ok(readReceipt(JSON.stringify(receipt)).ok);
  const { rules } = rulesJson.parse(JSON.parse((await purser("rules", "list", "--json")).stdout));
  const statusOf = (id: string) => rules.find((rule) => rule.id === id)?.status;
  assert.equal(statusOf(good), "measured", measured.stderr);
  assert.equal(statusOf(bad), "evicted", measured.stderr);

  const memory = path.join(scratch.root, "agent-memory", "backend", "MEMORY.md");
  assert.equal(existsSync(memory), false, "what passed waits for the user");
  await purser("rules", "approve", good);
  assert.match(readFileSync(memory, "utf8"), /^<!-- purser v1 .*\n- Open only the files/u);
});

test("What is asked wrongly says what would be right", async (t) => {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  for (const [argv, words] of [
    [["select"], /an AGENT is needed/u],
    [["select", "nobody", "--driver", "replay"], /no tasks for "nobody"; it has for /u],
    [["select", "backend", "--budget", "much"], /--budget/u],
  ] as const) {
    const done = await scratch.purser(argv);
    assert.deepEqual([done.code, words.test(done.stderr)], [2, true], done.stderr);
  }
});
