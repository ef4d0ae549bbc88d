import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { instructionsJson } from "../../../src/engine/cli/instructions-command.ts";
import { wakeEntry } from "../../../src/engine/ledger/woken.ts";
import { wake } from "../../extension/support/recurring.ts";
import { appendEntries, open } from "../ledger/support/support.ts";
import { writeTree } from "../support/write-tree.ts";
import { Scratch } from "./support/support.ts";

function project(t: { after: (end: () => void) => void }, tree: Readonly<Record<string, string>>) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  writeTree(path.join(scratch.root, "orrery"), { ".git/HEAD": "", ...tree });
  const cwd = path.join(scratch.root, "orrery", "gears");
  return {
    scratch,
    purser: (...words: string[]) =>
      scratch.purser(["instructions", ...words], {
        cwd,
        env: { CLAUDE_CONFIG_DIR: path.join(scratch.root, "claude") },
      }),
  };
}

const stamped = { "gears/notes.txt": "", "CLAUDE.md": "# Orrery\n\nLast updated: 2026-11-24\n" };

test("Each file is listed with its tokens, and each finding with its place, its remedy and its cost", async (t) => {
  const { purser } = project(t, { ...stamped, "AGENTS.md": "# Orrery\n" });
  const { code, stdout } = await purser();
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^File +~Tokens +Read in 7 days +~Tokens a week\n─+\nAGENTS\.md +3 +unknown +unknown\nCLAUDE\.md/u,
  );
  assert.match(stdout, /CLAUDE\.md:3:1 date\n {2}“Last updated: 2026-11-24” changes with every edit\./u);
  assert.match(stdout, /~\d+ tokens each time\n\n1 finding\n$/u);
});

test("The same is printed as JSON, and --strict and --ignore decide the exit code", async (t) => {
  const { scratch, purser } = project(t, stamped);
  const { code, stdout } = await purser("--json", "--strict");
  assert.equal(code, 1);
  const { files, project: folder } = instructionsJson.parse(JSON.parse(stdout));
  assert.equal(folder, path.join(scratch.root, "orrery"));
  assert.deepEqual(
    files.map(({ times, findings }) => [times, findings.map(({ kind, line }) => [kind, line])]),
    [[null, [["date", 3]]]],
  );
  assert.equal((await purser("--strict", "--ignore", "date")).code, 0);
  const wrong = await purser("--ignore", "dates");
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /dates.*date/u);
});

test("reports that there are no such files, or that they are clean", async (t) => {
  assert.match((await project(t, { "gears/a.txt": "" }).purser()).stdout, /^No file here is read by agents/u);
  const clean = project(t, { "gears/CLAUDE.md": "Cut gears from brass.\n" });
  assert.match((await clean.purser("--strict")).stdout, /Nothing makes them dearer than they need be\.\n$/u);
});

test("Text of a file cannot write to the terminal, and an unknown project is refused", async (t) => {
  const { purser } = project(t, { "gears/CLAUDE.md": "Read /home/joan/\u001b[31mx\u0007 first.\n" });
  const { stdout } = await purser();
  assert.ok(stdout.includes("machine-path") && !/[\u0007\u001b]/u.test(stdout), JSON.stringify(stdout));
  const missing = await purser("--project", "nowhere");
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /there is no folder .*nowhere/u);
});

test("counts instructions of a recurring agent's wakes once for each wake that got them", async (t) => {
  const long = "Oil every gear of brass. ".repeat(600);
  const { scratch, purser } = project(t, {
    "gears/notes.txt": "",
    ".purser/agents/oiler.md": `---\nprogram: claude\nwake: |\n  ${long}\n---\nLast updated: 2026-11-20\n`,
  });
  const ledger = await open(t, path.join(scratch.root, ".purser"));
  const at = new Date(2026, 10, 20).getTime();
  const told = { at, endedAt: at, agent: "oiler", project: path.join(scratch.root, "orrery") };
  const rows = [wake({ id: "w1", reason: "first" }), wake({ id: "w2" }), wake({ id: "w3" })];
  await appendEntries(ledger, ...rows.map((row) => wakeEntry.parse({ ...row, ...told, kind: "wake" })));
  await ledger.close();
  const { stdout } = await purser("--json");
  const [file] = instructionsJson.parse(JSON.parse(stdout)).files;
  assert.deepEqual(
    file?.findings.map(({ kind, line, tokens, tokensAWeek }) => [kind, line, (tokensAWeek ?? 0) / tokens]),
    [
      ["long-prompt", 4, 3],
      ["date", 6, 1],
    ],
  );
  assert.ok((file.findings[0]?.tokens ?? 0) > 3000);
  assert.match(
    (await purser()).stdout,
    /oiler\.md:4:3 long-prompt\n.*\n.*~[\d,]+ tokens each time, ~[\d,]+ a week/u,
  );
});
