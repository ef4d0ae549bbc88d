import { plainSentence } from "../../../../src/engine/base/language.ts";
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { fail, type Result } from "../../../../src/engine/base/result.ts";
import { GuardHost, type GuardHostPorts } from "../../../../src/engine/guard/host/guard-host.ts";
import { guardRuleBook } from "../../../../src/engine/guard/guard-answers.ts";
import { defaults } from "../../../../src/engine/settings/shape.ts";
import { assert } from "../../support/assert-texts.ts";
import { scratchFolder } from "../../support/scratch.ts";

const now = new Date("2026-11-24T10:00:00").getTime();
const hit = { rule: "delete-home", excerpt: "rm -rf ~", folder: "/home/mara/app" };

function place(t: TestContext, own: Partial<GuardHostPorts> = {}) {
  const folder = path.join(scratchFolder(t), ".purser");
  const file = path.join(folder, "guard.yaml");
  const asked: unknown[] = [];
  const guard = new GuardHost({
    home: { folder, guardRules: file },
    userHome: "/home/mara",
    clock: { now: () => now },
    ledger: {
      answer: (name, params) => {
        asked.push([name, params]);
        return Promise.resolve(fail("no_ledger", plainSentence("not here")));
      },
    },
    settings: { now: () => ({ ...defaults, guardFamilies: { waste: "off" } }) },
    ...own,
  });
  const write = (text: string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, text);
  };
  return { guard, folder, file, asked, write, read: () => readFileSync(file, "utf8") };
}

const detailOf = (result: Result<unknown>): string => (result.ok ? "" : result.detail.text);

test("A view queries the ledger, and reports if there is none", async (t) => {
  const { guard, asked } = place(t);
  assert.equal(detailOf(await guard.view({ since: 7, most: 3 })), "not here");
  assert.deepEqual(asked, [["guardBook", { since: 7, most: 3 }]]);
});

test("An exception is written without a file before, lasts its days, and is removed to the byte", async (t) => {
  const { guard, file, read } = place(t);
  const first = await guard.except({ hit, scope: "command", days: 7 });
  assert.ok(first.ok, detailOf(first));
  assert.partialDeepStrictEqual(first.value, {
    exception: { rule: "delete-home", like: String.raw`(?-i)\Arm -rf ~\z`, until: "2026-12-01" },
    file,
    line: 2,
  });
  const one = read();
  const second = await guard.except({ hit, scope: "everywhere", days: null });
  assert.ok(second.ok && second.value.line === 5);
  const rules = await guard.rules();
  assert.ok(rules.ok);
  const { problem, exceptions } = guardRuleBook.parse(rules.value.book);
  assert.deepEqual([problem, exceptions.length], [null, 2]);
  // The first one is not the file's last change any more.
  assert.match(detailOf(await guard.undo(first.value.id)), /was changed meanwhile, and is left as it is/u);
  assert.ok((await guard.undo(second.value.id)).ok);
  assert.equal(read(), one);
  assert.match(detailOf(await guard.undo(second.value.id)), /can no longer be taken back here/u);
  assert.ok((await guard.undo(first.value.id)).ok);
  assert.equal(read(), "");
});

test("Two exceptions at once are both written", async (t) => {
  const { guard, read } = place(t);
  const done = await Promise.all([
    guard.except({ hit, scope: "folder", days: 1 }),
    guard.except({ hit, scope: "command", days: null }),
  ]);
  assert.deepEqual(
    done.map(({ ok }) => ok),
    [true, true],
  );
  assert.equal(read().match(/- rule: delete-home/gu)?.length, 2);
});

test("A file with a fault is refused with its line, and its rules are described with the fault", async (t) => {
  const { guard, file, write, read } = place(t);
  const text = "# Mine.\nexceptions:\n  - rule: no-such-rule\n";
  write(text);
  assert.equal(
    detailOf(await guard.except({ hit, scope: "command", days: 7 })),
    `${file}: line 3: there is no rule no-such-rule; purser guard list tells them`,
  );
  assert.equal(read(), text);
  const rules = await guard.rules();
  assert.ok(rules.ok);
  assert.match(rules.value.book.problem ?? "", /^line 3: /u);
  assert.ok(rules.value.book.rules.length > 300);
});

test("The user's own rules come first, and the file's changes are described", async (t) => {
  const { guard, write } = place(t);
  write(
    "set: { delete-home: deny, delete-outside-project: off }\nrules:\n  - { id: no-deploy, match: [{ program: make }], message: It deploys. }\n",
  );
  const rules = await guard.rules();
  assert.ok(rules.ok);
  const all = rules.value.book.rules;
  assert.partialDeepStrictEqual(all[0], { id: "no-deploy", isOwn: true, action: "ask" });
  const found = (id: string) => all.find((rule) => rule.id === id);
  assert.partialDeepStrictEqual(found("delete-home"), { action: "deny", isOff: false, isOwn: false });
  assert.partialDeepStrictEqual(found("delete-outside-project"), { isOff: true });
});

test("A hit without the needed text, or of an unknown rule, makes no exception", async (t) => {
  const { guard } = place(t);
  assert.match(
    detailOf(await guard.except({ hit: { ...hit, folder: null }, scope: "folder", days: 7 })),
    /is not known well enough/u,
  );
  assert.match(
    detailOf(await guard.except({ hit: { ...hit, rule: "no-such" }, scope: "everywhere", days: 7 })),
    /there is no rule no-such/u,
  );
});

test("A file that is a link stays one", { skip: process.platform === "win32" }, async (t) => {
  const { guard, folder, file } = place(t);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const target = path.join(folder, "dotfiles.yaml");
  writeFileSync(target, "# Mine.\n");
  symlinkSync(target, file);
  assert.ok((await guard.except({ hit, scope: "everywhere", days: null })).ok);
  assert.ok(lstatSync(file).isSymbolicLink());
  assert.equal(readFileSync(target, "utf8"), "# Mine.\nexceptions:\n  - rule: delete-home\n");
});
