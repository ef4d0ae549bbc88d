import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { compareJson } from "../../../../src/engine/cli/compare/compare-schema.ts";
import { commandLine } from "../../../../src/engine/base/text/version-order.ts";
import { readReceipt } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { writeFiles } from "../../bench/support/disk-suite.ts";
import { childEnv } from "../../support/child-env.ts";
import { served } from "../../service/support/rules-service.ts";
import { agentText, makeCompareSetup, variantText, type CompareSetup } from "./setup.ts";
import { Scratch } from "../support/support.ts";

const cheaper = { when: { model: "claude-haiku-4-5" }, tokens: 3000 };
const asItIs = { when: null, tokens: 5000 };
const haiku = ["compare", "model", "backend", "--model", "claude-haiku-4-5", "--driver", "replay", "--yes"];

function purserIn(t: TestContext, place: CompareSetup) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  return (argv: readonly string[], signal = new AbortController().signal) =>
    scratch.purser(argv, {
      home: place.home,
      cwd: place.workspace,
      scratch: place.scratch,
      suite: place.suite,
      signal,
      env: { ...childEnv, CLAUDE_CONFIG_DIR: path.join(place.home, ".claude") },
    });
}

test("a cheaper model wins: exit code 0, one sentence, and a sealed receipt with its path", async (t) => {
  const place = await makeCompareSetup(t, [asItIs, cheaper]);
  const purser = purserIn(t, place);
  const { code, stdout } = await purser(haiku);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /claude-haiku-4-5 saves 2,000 tokens .* against claude-sonnet-5-5/u);
  assert.match(
    stdout,
    /24 runs, 98,820 recorded tokens, none spent\nDemo: replays a recording\. It says nothing about a model/u,
  );
  const file = /Receipt: \S+ \(and (\S+)\)/u.exec(stdout)?.[1] ?? "";
  assert.ok(readReceipt(readFileSync(file, "utf8")).ok);
  assert.deepEqual(await readdir(place.scratch), [".keep"]);

  // A repeated command measures again, and replayed runs are not added up.
  const again = await purser([...haiku, "--json", "--runs", "1", "--baseline", "claude-sonnet-5-5"]);
  const json = compareJson.parse(JSON.parse(again.stdout));
  assert.deepEqual([json.exitCode, json.state, json.verdict?.kind], [3, "measured", "undecided"]);
  assert.equal((await place.benches()).length, 2);
  assert.match(again.stderr, /Round 1 of at most 1: saves/u);
});

test("A comparison and its receipt are in the service's ledger", async (t) => {
  const { box, ledger } = await served(t);
  const place = await makeCompareSetup(t, [asItIs, cheaper]);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const { code, stdout } = await scratch.purser([...haiku, "--runs", "1", "--json"], {
    home: box.folder,
    cwd: place.workspace,
    scratch: place.scratch,
    suite: place.suite,
    env: box.env,
    now: () => Date.now(),
    version: () => "1.0.0",
  });
  assert.equal(code, 3);
  const { files } = compareJson.parse(JSON.parse(stdout));
  const [known] = ledger.ask("ruleBook", null).receipts;
  assert.deepEqual([known?.subject, known?.verdict], ["comparison", "undecided"]);
  const written = readReceipt(readFileSync(files.receipt ?? "", "utf8"));
  const kept = readReceipt(ledger.ask("receipt", known?.id ?? "") ?? "");
  assert.ok(written.ok && kept.ok);
  assert.deepEqual(kept.value, written.value);
});

test("An interrupted comparison without a service names its own command, which adds its runs", async (t) => {
  const place = await makeCompareSetup(t, [asItIs, cheaper]);
  const { box, ledger } = await served(t);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const stop = new AbortController();
  let printed = "";
  const write = (text: string | Uint8Array) => {
    printed += String(text);
    if (printed.includes("Round 1: saves")) stop.abort();
  };
  const command = [...haiku, "--cwd", path.join(place.workspace, "it's here")];
  await writeFiles(place.workspace, { "it's here/.keep": "" });
  const { home, workspace, suite } = place;
  const places = { cwd: workspace, scratch: place.scratch, suite };
  const env = { ...childEnv, CLAUDE_CONFIG_DIR: path.join(home, ".claude") };
  const { signal } = stop;
  const ended = await scratch.purser(command, { ...places, home, env, signal, stderr: { write } });
  assert.equal(ended.code, 130, printed);
  const [, runs, again] = /: (\d+) runs are not in the ledger; (purser .+) adds them\n/u.exec(printed) ?? [];
  assert.equal(again, commandLine(["purser", ...command], process.platform));
  const [bench = ""] = await place.benches();
  const kept = path.join(home, ".purser", "bench", bench);
  const made = readFileSync(path.join(kept, "runs.ndjson"), "utf8").trimEnd().split("\n").length;
  assert.equal(Number(runs), made);

  // The same command, where a service runs, adds these and the rest.
  cpSync(kept, path.join(box.home.benches, bench), { recursive: true });
  const withService = { home: box.folder, env: box.env, now: () => Date.now(), version: () => "1.0.0" };
  const whole = await scratch.purser(command, { ...places, ...withService });
  assert.equal(whole.code, 0, whole.stderr);
  assert.doesNotMatch(whole.stderr, /not in the ledger/u);
  assert.equal(ledger.ask("goldenBook", 0).runs.length, 24);

  // One that is done is added by a new service: its command would measure again.
  const done = await scratch.purser(command, { ...places, home, env });
  assert.match(done.stderr, /: 24 runs are not in the ledger; purser service restart adds them\n/u);
});

test("a prompt that fails a task never wins at any price: exit code 1", async (t) => {
  const variant = { when: { definition: variantText }, tokens: 1000, fails: ["backend-two"] };
  const place = await makeCompareSetup(t, [asItIs, variant]);
  await writeFiles(place.workspace, { "short.md": variantText });
  const purser = purserIn(t, place);
  const { code, stdout } = await purser([
    "compare",
    "prompt",
    "backend",
    "--variant",
    "short.md",
    "--driver",
    "replay",
    "--yes",
  ]);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /short\.md fails where shipped prompt passes: backend-two/u);
});

test("equal sides stay undecided: exit code 3", async (t) => {
  const place = await makeCompareSetup(t, [asItIs]);
  await writeFiles(place.workspace, { "CLAUDE.md": "# Words\n\nBe kind.\n\n## Tests\n\nRun them.\n" });
  const purser = purserIn(t, place);
  const argv = [
    "try-without",
    "CLAUDE.md#tests",
    "--agent",
    "backend",
    "--driver",
    "replay",
    "--runs",
    "2",
    "--yes",
  ];
  const { code, stdout } = await purser(argv);
  assert.equal(code, 3, stdout);
  assert.match(
    stdout,
    /No difference found with and without CLAUDE\.md#tests: 0 tokens a run \(90% CI 0 to 0\) after 1 of 2 rounds\. More rounds would not decide it\./u,
  );
});

test("decides nothing when interrupted, and continues the next time", async (t) => {
  const place = await makeCompareSetup(t, [asItIs, cheaper]);
  const purser = purserIn(t, place);
  const short = [...haiku, "--runs", "1"];
  const stopped = await purser(short, AbortSignal.abort());
  assert.equal(stopped.code, 130);
  assert.match(stopped.stdout, /run the same command to continue/u);
  const { code, stdout } = await purser(short);
  assert.equal(code, 3);
  assert.match(stdout, /\n6 runs, /u);
  assert.equal((await place.benches()).length, 1);
});

test("reports wrong arguments before any run: exit code 2", async (t) => {
  const place = await makeCompareSetup(t, [asItIs]);
  const other = variantText.replace("name: backend", "name: frontend");
  await writeFiles(place.workspace, { "other.md": other, "a.md": "x", "agents/backend.md": agentText });
  const purser = purserIn(t, place);
  const replay = ["--driver", "replay", "--yes"];
  const cases: [string[], RegExp][] = [
    [["compare", "model"], /missing AGENT/u],
    [["compare", "model", "backend", ...replay], /--model is required/u],
    [
      ["compare", "model", "nobody", "--model", "m", ...replay],
      /there is no agent "nobody"; there are backend/u,
    ],
    [["compare", "model", "backend", "--model", "claude-sonnet-5-5", ...replay], /Both sides are the same/u],
    [["compare", "prompt", "backend", ...replay], /--variant is required/u],
    [["compare", "prompt", "backend", "--variant", "no.md", ...replay], /no\.md cannot be read/u],
    [
      ["compare", "prompt", "backend", "--variant", "other.md", ...replay],
      /defines the agent "frontend", not backend/u,
    ],
    [["compare", "setting", "backend", ...replay], /one of --settings.* is required/u],
    [["compare", "setting", "backend", "--effort", "low", "--mcp", "a.md", ...replay], /only one: /u],
    [["compare", "setting", "backend", "--skill", ".", ...replay], /it has no SKILL\.md/u],
    [
      ["compare", "setting", "guard=on", "--agent", "backend", ...replay],
      /recordings cannot show what guards do/u,
    ],
    [["compare", "setting", "backend", "--guard", "on", ...replay], /recordings cannot show what guards do/u],
    [["compare", "setting", "guard=off", "--agent", "backend", ...replay], /guard=off cannot be measured/u],
    [["compare", "setting", "guard=on", ...replay], /there is no agent "guard=on"/u],
    [["try-without", ...replay], /missing FILE or FILE#heading/u],
    [["try-without", "a.md#nothing", "--agent", "backend", ...replay], /no heading "nothing"/u],
    [["try-without", "agents/backend.md", ...replay], /Name a heading/u],
    [["try-without", "../../elsewhere.md", ...replay], /cannot be read/u],
    [["shorten-prompt", ...replay], /missing AGENT/u],
  ];
  for (const [argv, expected] of cases) {
    const { code, stderr } = await purser(argv);
    assert.deepEqual([argv, code], [argv, 2], stderr);
    assert.match(stderr, expected);
  }
  assert.ok(!existsSync(path.join(place.home, ".purser", "bench")));
});

test("asks for no new prompt if it cannot be measured: exit code 3", async (t) => {
  const purser = purserIn(t, await makeCompareSetup(t, [asItIs]));
  const { code, stderr } = await purser(["shorten-prompt", "backend", "--driver", "replay"]);
  assert.deepEqual([code, stderr.includes("replay cannot be asked")], [3, true], stderr);
});

test("A skill is left out with its other files staying, and one server out of several", async (t) => {
  const place = await makeCompareSetup(t, [asItIs]);
  const servers = { mcpServers: { one: { command: "true" }, two: { command: "true" } } };
  await writeFiles(place.workspace, {
    ".claude/skills/words/SKILL.md": "---\nname: words\ndescription: d\n---\nUse words.\n",
    ".claude/skills/words/list.txt": "a\n",
    ".mcp.json": JSON.stringify(servers),
  });
  const purser = purserIn(t, place);
  const rest = ["--agent", "backend", "--driver", "replay", "--runs", "1", "--yes"];
  const skill = await purser(["try-without", ".claude/skills/words/SKILL.md", ...rest]);
  const server = await purser(["try-without", ".mcp.json#two", ...rest]);
  assert.deepEqual([skill.code, server.code], [3, 3], skill.stderr + server.stderr);
  const overlays = (await place.benches()).map((name) => {
    const file = path.join(place.home, ".purser", "bench", name, "bench.json");
    return JSON.stringify(JSON.parse(readFileSync(file, "utf8")));
  });
  assert.ok(overlays.some((text) => text.includes('"path":".claude/skills/words/SKILL.md","text":null')));
  assert.ok(overlays.every((text) => text.includes("words/list.txt") || text.includes('".mcp.json"')));
});
