import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { commands, formerNames } from "../../../src/engine/cli/commands.ts";
import { commandGroups } from "../../../src/engine/cli/declaration.ts";
import { firstCommands, firstPage } from "../../../src/engine/cli/first-page.ts";
import { responseRow, Scratch } from "./support/support.ts";

const scratch = new Scratch();
before(() => {
  scratch.transcript("-argo/s-1.jsonl", responseRow({ id: "1" }));
});
after(() => scratch.dispose());

describe("purser alone", () => {
  it("prints the status and at most twelve commands, in groups", async () => {
    const [alone, status] = [await scratch.purser([]), await scratch.purser(["status"])];
    assert.deepEqual({ code: alone.code, stderr: alone.stderr }, { code: 0, stderr: status.stderr });
    assert.ok(alone.stdout.startsWith(`${status.stdout}\nLook\n  status `));
    const page = alone.stdout.slice(status.stdout.length);
    const listed = [...page.matchAll(/^ {2}([a-z-]+) {2,}/gmu)].map(([, name]) => name);
    assert.deepEqual(listed, Object.keys(firstCommands));
    assert.ok(listed.length <= 12);
    assert.ok(page.split("\n").every((line) => line.length <= 80));
    assert.deepEqual(
      page.split("\n").filter((line) => /^[A-Z]/u.test(line)),
      ["Look", "Limit", "Hand Over", "Measure", "Set Up"],
    );
  });

  it("lists only commands that there are", () => {
    const heads = firstPage(commands).sections.flatMap((section) =>
      typeof section !== "string" && "rows" in section ? section.rows.map(({ head }) => head) : [],
    );
    assert.deepEqual(heads, Object.keys(firstCommands));
  });
});

describe("purser help", () => {
  it("lists every command once, in groups", async () => {
    for (const words of [["help"], ["--help"]]) {
      const { code, stdout } = await scratch.purser(words);
      assert.equal(code, 0);
      for (const name of Object.keys(commands))
        assert.equal(stdout.split("Topics")[0]?.match(new RegExp(`^ {2}${name} `, "gmu"))?.length, 1, name);
      for (const heading of Object.values(commandGroups)) assert.ok(stdout.includes(`\n${heading}\n`));
    }
  });
});

describe("names", () => {
  it("version prints the version, and sessions those of the last week", async () => {
    const version = await scratch.purser(["--version"]);
    assert.deepEqual(await scratch.purser(["version"]), version);
    assert.deepEqual(await scratch.purser(["sessions"]), await scratch.purser(["status", "--all"]));
    assert.deepEqual(
      await scratch.purser(["sessions", "--json"]),
      await scratch.purser(["status", "--all", "--json"]),
    );
  });

  for (const [former, name] of Object.entries(formerNames))
    it(`${former} still works, and says that it is ${name} now`, async () => {
      assert.ok(Object.hasOwn(commands, name) && !Object.hasOwn(commands, former));
      const [was, is] = [await scratch.purser([former, "--help"]), await scratch.purser([name, "--help"])];
      assert.deepEqual([was.code, was.stdout, is.stderr], [0, is.stdout, ""]);
      assert.equal(
        was.stderr,
        `purser: ${former} is called ${name} now; the old name works in this version only\n`,
      );
      assert.equal(
        (await scratch.purser(["help", former])).stdout,
        (await scratch.purser(["help", name])).stdout,
      );
    });
});
