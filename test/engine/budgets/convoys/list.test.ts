import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { nodeFiles } from "../../../../src/engine/base/disk/file-port.ts";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { checkBudget, type BudgetPorts } from "../../../../src/engine/budgets/check/check.ts";
import { readConvoyId } from "../../../../src/engine/budgets/convoys/id.ts";
import { FileSpending } from "../../../../src/engine/budgets/spending/spending-file.ts";
import { listBudgets } from "../../../../src/engine/budgets/convoys/list.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { callOf, portsOn, valueOf } from "../support/ports.ts";

/** A project on the disk with a budget that a call of 11 tokens exceeds. */
async function scene(t: TestContext) {
  const project = scratchFolder(t);
  const own = { project, files: nodeFiles, unique: () => `u${(words += 1)}`, pause: () => Promise.resolve() };
  const ports = portsOn(nodeFiles, { ...own, spending: new FileSpending(own) });
  valueOf(await createBudget({ convoyId: "fleet", levels: { convoy: { limit: 10, period: "day" } } }, ports));
  const folder = path.join(project, ".purser", "budgets");
  return { ports, folder, file: (name: string) => path.join(folder, name) };
}

let words = 0;

async function reasonFor(ports: BudgetPorts): Promise<string> {
  const checked = await checkBudget(callOf({ projectedTokens: 11 }), ports);
  return checked.ok ? checked.value.reason : checked.reason;
}

async function seen(ports: BudgetPorts) {
  const { budgets, strays } = valueOf(await listBudgets(ports));
  return {
    budgets: budgets.map(({ file, stored }) => `${path.basename(file)} ${stored.ok ? "ok" : stored.reason}`),
    strays: strays.map(({ file }) => path.basename(file)),
    details: strays
      .map(({ detail }) => detail)
      .map(({ text }) => text)
      .join("\n"),
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;
const strange: readonly [string, string, (at: Scene) => void, RegExp][] = [
  [
    "a copy by Finder",
    "fleet copy.json",
    ({ file }) => copyFileSync(file("fleet.json"), file("fleet copy.json")),
    /no group's id.*rename or remove it/u,
  ],
  ["a note", "README.json", ({ file }) => writeFileSync(file("README.json"), "{}"), /no group's id/u],
  ["capitals", "Fleet2.json", ({ file }) => writeFileSync(file("Fleet2.json"), "{}"), /no group's id/u],
  ["another ending", "oars.JSON", ({ file }) => writeFileSync(file("oars.JSON"), "{}"), /no group's id/u],
  ["a device of Windows", "con.json", ({ file }) => writeFileSync(file("con.json"), "{}"), /no group's id/u],
  [
    "a sync client's conflict",
    "fleet-laptop.json",
    ({ file }) => copyFileSync(file("fleet.json"), file("fleet-laptop.json")),
    /it is a copy of fleet\.json; remove it/u,
  ],
  ["a folder", "oars.json", ({ file }) => mkdirSync(file("oars.json")), /it is a folder/u],
  [
    "a link that leads nowhere",
    "oars.json",
    ({ file }) => symlinkSync(file("gone"), file("oars.json")),
    /leads nowhere/u,
  ],
  [
    "a link to itself",
    "oars.json",
    ({ file }) => symlinkSync(file("oars.json"), file("oars.json")),
    /leads nowhere/u,
  ],
  [
    "a link to a folder",
    "oars.json",
    ({ file, folder }) => symlinkSync(folder, file("oars.json")),
    /it is a folder/u,
  ],
  [
    "a pipe, which nobody ever writes",
    "oars.json",
    ({ file }) => void execFileSync("mkfifo", [file("oars.json")]),
    /no file that could be read/u,
  ],
];

describe("other files among the budgets", () => {
  for (const [name, stray, lay, message] of strange)
    it(`${name} limits nothing, is reported, and leaves every budget in force`, async (t) => {
      const at = await scene(t);
      lay(at);
      const { budgets, strays, details } = await seen(at.ports);
      assert.deepEqual([budgets, strays], [["fleet.json ok"], [stray]]);
      assert.match(details, message);
      assert.ok(details.startsWith(at.file(stray)));
      assert.equal(await reasonFor(at.ports), "convoy_budget_exceeded");
    });

  it("and is hidden, or no JSON, is not worth a word", async (t) => {
    const { ports, file } = await scene(t);
    for (const name of [".DS_Store", ".fleet.json.u9.tmp", ".json", "Thumbs.db", "README.md", "fleet.json~"])
      writeFileSync(file(name), "{");
    assert.deepEqual(await seen(ports), { budgets: ["fleet.json ok"], strays: [], details: "" });
  });

  it("is a budget if it is the only file of a renamed budget, so it stops agents", async (t) => {
    const { ports, file } = await scene(t);
    copyFileSync(file("fleet.json"), file("ships.json"));
    rmSync(file("fleet.json"));
    assert.deepEqual((await seen(ports)).budgets, ["ships.json corrupt"]);
    assert.equal(await reasonFor(ports), "corrupt");
  });

  it("do not include a damaged budget with a valid name, which stops agents", async (t) => {
    const { ports, file } = await scene(t);
    writeFileSync(file("oars.json"), "{");
    assert.deepEqual((await seen(ports)).budgets, ["fleet.json ok", "oars.json corrupt"]);
    assert.equal(await reasonFor(ports), "corrupt");
  });

  it("do not include an unreadable budget, which is reported as such", async (t) => {
    const { ports, file } = await scene(t);
    writeFileSync(file("oars.json"), "{}");
    chmodSync(file("oars.json"), 0);
    const isRoot = process.getuid?.() === 0;
    assert.deepEqual((await seen(ports)).budgets, [
      "fleet.json ok",
      `oars.json ${isRoot ? "corrupt" : "unusable"}`,
    ]);
  });

  it("may be called anything", async (t) => {
    const { ports, file } = await scene(t);
    const names = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
      .map((name) => `${name.replaceAll(/[/\0]/gu, "")}.json`)
      .filter((name) => Buffer.byteLength(name) < 255 && !readConvoyId(name.slice(0, -5)).ok);
    await fc.assert(
      fc.asyncProperty(names, fc.string(), async (name, content) => {
        writeFileSync(file(name), content);
        assert.equal(await reasonFor(ports), "convoy_budget_exceeded");
        assert.deepEqual((await seen(ports)).budgets, ["fleet.json ok"]);
        rmSync(file(name));
      }),
    );
  });
});
