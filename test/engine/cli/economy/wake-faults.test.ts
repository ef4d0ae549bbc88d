import { assert } from "../../support/assert-texts.ts";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { noShell } from "../../support/fake-claude.ts";
import { writeTree } from "../../support/write-tree.ts";
import { wakePlace } from "./wake-place.ts";

describe("purser run, where something is wrong", { skip: noShell, concurrency: true }, () => {
  it("takes quota and failures for what they are", async (t) => {
    const { json, purser, edit, definition } = wakePlace(t, { wake: "QUOTA" });
    const limited = await json("keeper");
    const row = limited.wakes[0]?.wake;
    assert.deepEqual([row?.outcome, row?.sessionId, row?.stateAfter], ["environment", null, "todo"]);
    assert.match(row?.detail ?? "", /^quota: 429/u);
    edit("agents/keeper.md", () => definition().replace("QUOTA", "BREAK"));
    await purser("agent", "agree", "keeper", "--yes");
    const broken = await json("keeper");
    assert.deepEqual([broken.wakes[0]?.wake?.outcome, broken.wakes[0]?.wake?.detail], ["failed", "it broke"]);
    assert.match(
      (await purser("agent", "show", "keeper")).stdout,
      /environment[^]*failed|failed[^]*environment/u,
    );
  });

  it("leaves a session alone that a person has open", async (t) => {
    const { one, purser, box, project } = wakePlace(t);
    const { sessionId } = await one();
    writeTree(box.root, {
      [`sessions/${process.pid}.json`]: JSON.stringify({
        pid: process.pid,
        sessionId,
        cwd: project,
        startedAt: Date.now(),
      }),
    });
    const refused = await purser("run", "keeper", "--yes");
    assert.match(
      refused.stderr,
      /is open in another process; close it there, or begin a new one with --fresh/u,
    );
    assert.equal((await one("--fresh")).reason, "forced");
  });

  it("sets a damaged state aside, and reports it", async (t) => {
    const { one, box } = wakePlace(t);
    await one();
    const wakes = path.join(box.folder, ".purser", "wakes");
    const own = path.join(wakes, readdirSync(wakes).find((name) => name.startsWith("keeper-")) ?? "");
    writeFileSync(path.join(own, "state.json"), '{"schema":1,"sessions":7}');
    const next = await one();
    assert.equal(next.reason, "first");
    assert.match(
      next.said.map(({ text }) => text).join(),
      /was damaged and is set aside as .*state\.json\.damaged-/u,
    );
    assert.ok(readdirSync(own).some((name) => name.startsWith("state.json.damaged-")));
  });

  it("reports a wrong folder, task or source before anything is spent", async (t) => {
    const { purser, edit, starts, definition, project } = wakePlace(t);
    writeTree(project, { ".purser/agents/absent.md": "---\nprogram: codex\nmodel: m\n---\n" });
    assert.match(
      (await purser("run", "absent", "--yes")).stderr,
      /Codex was not found \(no codex in the PATH\)/u,
    );
    for (const [head, argv, expected] of [
      ["folder: nowhere\n", [], /works in .*nowhere, which is no folder/u],
      ["", ["--task", "T9"], /there is no task "T9"/u],
      ["mcp: [moon]\n", [], /no MCP server moon is configured/u],
      [
        "tasks: { command: [sleep, '9'], seconds: 1 }\n",
        [],
        /task source sleep did not answer within 1 seconds|ended with exit code/u,
      ],
      ["budget: { wake: 5 }\nrotation: { turns: none }\n", [], /keeper\.md, line \d+: rotation\.turns/u],
    ] as const) {
      edit("agents/keeper.md", () => definition().replace("---\nYou", `${head}---\nYou`));
      await purser("agent", "agree", "keeper", "--yes");
      const refused = await purser("run", "keeper", "--yes", ...argv);
      assert.match(refused.stderr, expected);
    }
    assert.equal(starts().length, 0);
  });
});
