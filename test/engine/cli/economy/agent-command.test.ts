import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, it, type TestContext } from "node:test";
import { agentJson } from "../../../../src/engine/cli/economy/economy-schema.ts";
import { Scratch } from "../support/support.ts";

function place(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  mkdirSync(path.join(scratch.root, ".git"));
  const below = path.join(scratch.root, "src");
  mkdirSync(below);
  const purser = (...argv: string[]) => scratch.purser(["agent", ...argv], { cwd: below });
  const at = (answer: string, ...argv: string[]) =>
    scratch.purser(["agent", ...argv], {
      cwd: below,
      isTTY: true,
      stdin: () => Object.assign(Readable.from([answer]), { isTTY: true }),
    });
  const file = path.join(scratch.root, ".purser", "agents", "keeper.md");
  return { scratch, purser, at, file };
}

const add = ["add", "keeper", "--program", "claude", "--model", "claude-sonnet-4-5"];

describe("purser agent", () => {
  it("writes a new agent's file once it was seen, and no file where one is", async (t) => {
    const { purser, at, file } = place(t);
    assert.match((await purser(...add)).stderr, /no terminal to ask in; --yes/u);
    const declined = await at("n", ...add);
    assert.deepEqual([declined.code, existsSync(file)], [1, false]);
    assert.match(declined.stdout, /program: claude\nmodel: claude-sonnet-4-5\n/u);
    const written = await at("y", ...add);
    assert.deepEqual([written.code, written.stderr], [0, ""]);
    const text = readFileSync(file, "utf8");
    const again = await purser(...add, "--yes");
    assert.match(again.stderr, /exists already/u);
    assert.equal(readFileSync(file, "utf8"), text);
  });

  it("lists and shows agents, agreed to only as their files are", async (t) => {
    const { purser, file } = place(t);
    assert.match((await purser("list")).stdout, /There is no agent in/u);
    await purser(...add, "--yes");
    writeFileSync(file, readFileSync(file, "utf8").replace("# schedule", "schedule"));
    const isAgreed = async () =>
      agentJson.parse(JSON.parse((await purser("list", "--json")).stdout)).agents[0]?.isAgreed;
    assert.equal(await isAgreed(), false);
    assert.match((await purser("list")).stdout, /keeper .* none; scheduled .* nobody: not agreed to/u);
    assert.match((await purser("agree", "keeper")).stderr, /no terminal to ask in/u);
    assert.equal((await purser("agree", "keeper", "--yes")).code, 0);
    assert.equal(await isAgreed(), true);
    writeFileSync(file, `${readFileSync(file, "utf8")}\nAnd more.\n`);
    assert.equal(await isAgreed(), false);
    const shown = await purser("show", "keeper");
    assert.match(shown.stdout, /Tools +Bash, Read, Edit, Write\n[^]*Unattended +not agreed to/u);
    assert.match(shown.stdout, /New session +after 400 turns, purser's default/u);
  });

  it("names the wrong line of each file", async (t) => {
    const { purser, file } = place(t);
    assert.match((await purser("check")).stderr, /there is no agent in/u);
    await purser(...add, "--yes");
    assert.deepEqual((await purser("check")).stdout, "keeper: no problem found\n");
    writeFileSync(path.join(path.dirname(file), "Bad Name.md"), "---\n---\n");
    writeFileSync(path.join(path.dirname(file), "other.md"), "---\nprogram: claude\nmodle: x\n---\n");
    const checked = await purser("check");
    assert.equal(checked.code, 1);
    assert.match(
      checked.stdout,
      /Bad Name\.md:1: the file's name[^]*other\.md:3: Unrecognized key: "modle"/u,
    );
    assert.match((await purser("list")).stdout, /never, see check/u);
    assert.match((await purser("show", "other")).stderr, /other\.md, line \d+: /u);
  });

  it("refuses what it cannot make an agent of", async (t) => {
    const { purser } = place(t);
    for (const [argv, expected] of [
      [["add", "Keeper", "--program", "claude", "--model", "m", "--yes"], /lower-case/u],
      [
        ["add", "keeper", "--program", "clod", "--model", "m", "--yes"],
        /--program "clod" is not one of claude, codex/u,
      ],
      [["add", "keeper", "--model", "m", "--yes"], /--program is needed, one of/u],
      [["add", "keeper", "--program", "claude", "--yes"], /--model is needed/u],
      [["show", "keeper"], /there is no agent "keeper"/u],
      [["show", "../keeper"], /there is no agent/u],
    ] as const)
      assert.match((await purser(...argv)).stderr, expected);
  });
});
