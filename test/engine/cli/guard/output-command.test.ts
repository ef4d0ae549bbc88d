import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { guardJson } from "../../../../src/engine/cli/guard/guard-schema.ts";
import { outputsJson } from "../../../../src/engine/cli/guard/output-command.ts";
import { StoredOutputs } from "../../../../src/engine/guard/host/stored-outputs.ts";
import { Scratch } from "../support/support.ts";

const text = `${Array.from({ length: 40 }, (_, index) => `\u001B[32mline ${index + 1}\u001B[0m`).join("\n")}\n`;

async function place(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const home = path.join(scratch.root, ".purser");
  const now = () => Date.now();
  const files = new StoredOutputs({ folder: path.join(home, "outputs"), now });
  const kept = await files.keep(text, {
    compressor: "tap",
    hit: "t:smaller-output-tap",
    session: "s",
    program: "codex",
    line: "npm test -- --all",
  });
  assert.ok(kept.ok);
  const purser = (...argv: string[]) => scratch.purser(["output", ...argv]);
  return { scratch, home, id: kept.value, purser };
}

test("an original is printed whole, or some of its lines, and as JSON", async (t) => {
  const { id, purser } = await place(t);
  assert.deepEqual(await purser(id), { code: 0, stdout: text, stderr: "" });
  const lines = async (range: string) => (await purser(id, "--lines", range)).stdout.match(/line \d+/gu);
  assert.deepEqual(await lines("2-4"), ["line 2", "line 3", "line 4"]);
  assert.deepEqual(await lines("40"), ["line 40"]);
  assert.deepEqual(await lines("39-"), ["line 39", "line 40"]);
  assert.deepEqual(await lines("39-9000"), ["line 39", "line 40"]);
  const { output } = outputsJson.parse(JSON.parse((await purser(id, "--lines", "3-3", "--json")).stdout));
  assert.deepEqual([output?.id, output?.from, output?.text], [id, 3, "\u001B[32mline 3\u001B[0m\n"]);
});

test("lists stored originals, the newest first", async (t) => {
  const { id, purser } = await place(t);
  assert.match((await purser()).stdout, new RegExp(`${id} .* 40 .* npm test -- --all\n`, "u"));
  const { outputs } = outputsJson.parse(JSON.parse((await purser("--json")).stdout));
  assert.deepEqual(
    outputs?.map((each) => each.id),
    [id],
  );
});

test("corrects wrong arguments, and prints no other file", async (t) => {
  const { id, home, purser } = await place(t);
  writeFileSync(path.join(home, "settings.json"), "{}");
  const table: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["../settings.json"], 1, /no output has the id "\.\.\/settings\.json"/u],
    [["2zzzzz"], 1, /the output 2zzzzz is not kept/u],
    [[id, "--lines", "9-3"], 2, /"9-3" is not a range of lines such as/u],
    [[id, "--lines", "x"], 2, /"x" is not a range of lines such as/u],
    [[id, "--lines", "41-50"], 2, /it has 40 lines/u],
    [["--lines", "1-2"], 2, /needs an ID/u],
    [[id, "more"], 2, /unexpected argument "more"/u],
    [[id, "--no"], 2, /unknown option "--no"/u],
    [["on", "npm", "test"], 1, /outputs of "npm test" are shortened already; no format is switched off/u],
  ];
  for (const [argv, code, message] of table) {
    const printed = await purser(...argv);
    assert.deepEqual([printed.code, printed.stdout], [code, ""], argv.join(" "));
    assert.match(printed.stderr, message);
  }
});

test("guard status reports hooks of other programs that may replace outputs", async (t) => {
  const { scratch } = await place(t);
  const file = path.join(scratch.root, ".claude", "settings.json");
  mkdirSync(path.dirname(file), { recursive: true });
  const hook = { type: "command", command: "trim" };
  writeFileSync(file, JSON.stringify({ hooks: { PostToolUse: [{ matcher: "Bash", hooks: [hook] }] } }));
  const status = await scratch.purser(["guard", "status"]);
  assert.match(
    status.stdout,
    /Other hooks of Claude Code may replace outputs, so outputs in this folder are not shortened .*PostToolUse Bash/su,
  );
  const { outputs } = guardJson.parse(
    JSON.parse((await scratch.purser(["guard", "status", "--json"])).stdout),
  );
  assert.deepEqual(outputs?.rivals, [{ file, matcher: "Bash" }]);
  assert.equal(readFileSync(file, "utf8").includes("trim"), true);
});
