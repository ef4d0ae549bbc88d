import { assert } from "../../support/assert-texts.ts";
import { stripVTControlCharacters } from "node:util";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, describe, it } from "node:test";
import { usageJson } from "../../../../src/engine/cli/usage/usage-schema.ts";
import { responseRow, Scratch } from "../support/support.ts";

const scratch = new Scratch();
const empty = new Scratch();
after(() => {
  scratch.dispose();
  empty.dispose();
});
scratch.transcript(
  "-argo/s-1.jsonl",
  responseRow({ id: "1" }) +
    responseRow({ id: "1" }) +
    responseRow({ id: "2", model: "claude-haiku-4-5-20251001", day: 21 }),
);
scratch.transcript("-argo/s-2.jsonl", responseRow({ id: "3", day: 21, cwd: "/argo \u001b[31m/red\u202e" }));

const json = async (...argv: string[]) => {
  const { code, stdout, stderr } = await scratch.purser(["usage", "--json", ...argv]);
  assert.deepEqual([code, stderr], [0, ""]);
  return usageJson.parse(JSON.parse(stdout));
};

describe("purser usage --json", () => {
  it("prints each response's tokens once, at list prices", async () => {
    const { rows, totals, files, roots } = await json();
    assert.deepEqual(rows[0], {
      key: "2026-11-20",
      model: "claude-opus-4-5",
      input: 1000,
      output: 10,
      cacheCreation: 0,
      cacheRead: 2_000_000,
      usd: 1.00525,
      provenance: "estimated",
      responses: 1,
      unpriced: 0,
      standardTier: 0,
    });
    assert.deepEqual([rows.length, totals.responses, totals.input, files], [3, 3, 3000, 2]);
    assert.equal(roots[0], scratch.root);
  });

  it("groups by session, project or model", async () => {
    assert.deepEqual(
      (await json("--by", "session")).rows.map(({ key }) => key),
      ["s-1", "s-1", "s-2"],
    );
    assert.deepEqual(
      (await json("--by", "model")).rows.map(({ key }) => key),
      ["claude-haiku-4-5-20251001", "claude-opus-4-5"],
    );
    assert.equal((await json("--by", "project")).rows[0]?.key, "/argo");
  });

  it("reports an agent's folder that cannot be read", async () => {
    const other = new Scratch();
    try {
      const link = path.join(other.root, ".codex", "sessions");
      mkdirSync(path.dirname(link));
      symlinkSync(link, link);
      const { stdout } = await other.purser(["usage", "--json"]);
      const { problems } = usageJson.parse(JSON.parse(stdout));
      assert.deepEqual(problems, [{ path: link, reason: "ELOOP" }]);
    } finally {
      other.dispose();
    }
  });

  it("keeps a worktree in its project after it was removed", async () => {
    const other = new Scratch();
    try {
      const at = (name: string) => path.join(other.root, name);
      mkdirSync(at("argo/.git/worktrees/fix"), { recursive: true });
      mkdirSync(at("fix"));
      mkdirSync(at(".purser"));
      writeFileSync(at("fix/.git"), `gitdir: ${at("argo/.git/worktrees/fix")}\n`);
      other.transcript("-argo/s-1.jsonl", responseRow({ id: "1", cwd: at("argo") }));
      other.transcript("-fix/s-2.jsonl", responseRow({ id: "2", cwd: at("fix") }));
      for (const isThere of [true, false]) {
        const { stdout } = await other.purser(["usage", "--json", "--by", "project"]);
        const rows = usageJson.parse(JSON.parse(stdout)).rows.map(({ key, responses }) => [key, responses]);
        assert.deepEqual(rows, [[at("argo"), 2]], isThere ? "there" : "removed");
        rmSync(at("fix"), { recursive: true, force: true });
      }
    } finally {
      other.dispose();
    }
  });

  it("counts only the requested days", async () => {
    assert.equal((await json("--since", "today")).totals.responses, 2);
    assert.equal((await json("--until", "2026-11-20")).totals.responses, 1);
    assert.deepEqual((await json("--since=2026-12-01")).rows, []);
  });
});

describe("purser usage", () => {
  it("prints an aligned table without colour when it is not on a terminal", async () => {
    const { code, stdout, stderr } = await scratch.purser(["usage"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(
      stdout,
      [
        "Day         Model                      Input  Output  Cache write  Cache read   USD",
        "───────────────────────────────────────────────────────────────────────────────────",
        "2026-11-20  claude-opus-4-5            1,000      10            0   2,000,000  1.01",
        "2026-11-21  claude-haiku-4-5-20251001  1,000      10            0   2,000,000  0.20",
        "            claude-opus-4-5            1,000      10            0   2,000,000  1.01",
        "───────────────────────────────────────────────────────────────────────────────────",
        "Total                                  3,000      30            0   6,000,000  2.21",
        "USD at list prices, not what you were charged.",
        "",
      ].join("\n"),
    );
  });

  it("colours only for a terminal, unless set otherwise", async () => {
    const env = { CLAUDE_CONFIG_DIR: scratch.root };
    const isColoured = async (isTTY: boolean, more: Record<string, string>) =>
      (await scratch.purser(["usage"], { isTTY, env: { ...env, ...more } })).stdout.includes("\u001b[");
    assert.equal(await isColoured(true, {}), true);
    assert.equal(await isColoured(false, {}), false);
    assert.equal(await isColoured(true, { NO_COLOR: "1" }), false);
    assert.equal(await isColoured(true, { NO_COLOR: "" }), true);
    assert.equal(await isColoured(true, { TERM: "dumb" }), false);
    assert.equal(await isColoured(false, { FORCE_COLOR: "1" }), true);
    assert.equal(await isColoured(true, { FORCE_COLOR: "0" }), false);
  });

  it("cleans texts of transcripts before printing them to a terminal", async () => {
    const { stdout } = await scratch.purser(["usage", "--by", "project"]);
    assert.match(stdout, /^\/argo \/red /mu);
    assert.doesNotMatch(stdout, /[\u001b\u202e]/u);
  });

  it("names the folders searched when there are no transcripts", async () => {
    const printed = await empty.purser(["usage"]);
    assert.deepEqual([printed.code, printed.stderr], [0, ""]);
    assert.ok(printed.stdout.startsWith(`No transcripts. Looked in: ${empty.root}, `), printed.stdout);
    assert.ok(printed.stdout.includes(path.join(empty.root, ".codex", "sessions")));
    const inJson = await empty.purser(["usage", "--json"]);
    const { rows, totals, roots } = usageJson.parse(JSON.parse(inJson.stdout));
    assert.deepEqual([inJson.code, rows, totals.usd], [0, [], 0]);
    for (const part of [".codex", ".copilot", ".gemini", "User"])
      assert.ok(
        roots.some((root) => root.split(path.sep).includes(part)),
        part,
      );
  });

  it("reports that no response is in the requested days", async () => {
    const { stdout } = await scratch.purser(["usage", "--since", "2027-01-01"]);
    assert.equal(stdout, "No responses since 2027-01-01 in 2 transcripts.\n");
  });

  it("reports what it could not price or read", async () => {
    const odd = new Scratch();
    odd.transcript(
      "-argo/s-1.jsonl",
      `${responseRow({ id: "1", model: "ship-1" })}${responseRow({ id: "2" })}{"type":\n`,
    );
    mkdirSync(path.join(odd.root, "projects/-argo/folder.jsonl"), { recursive: true });
    const { code, stdout, stderr } = await odd.purser(["usage", "--by", "model"]);
    odd.dispose();
    assert.equal(code, 0);
    assert.match(stdout, /^ship-1 .* unknown$/mu);
    assert.match(stdout, /^Total .* ≥ 1\.01$/mu);
    assert.equal(stderr, "No known price for 1 response, of ship-1.\nLeft out: 1 malformed row.\n");
  });

  it("calls a session by its project in a narrow terminal, and keeps a project's folder whole", async (t) => {
    const place = new Scratch();
    t.after(() => place.dispose());
    const id = "5f0c0000-1111-4111-8111-111111111111";
    const cwd = "/home/dev/projects/harbor-works/packages/web/frontend";
    place.transcript(`-argo/${id}.jsonl`, responseRow({ id: "1", cwd }));
    const inTerminal = async (by: string) => {
      let text = "";
      const stdout = {
        isTTY: true,
        columns: 80,
        write: (part: string | Uint8Array) => (text += String(part)),
      };
      await place.purser(["usage", "--by", by], { stdout });
      return stripVTControlCharacters(text).split("\n");
    };
    // Its project and time tell it from others; in a wider terminal, its id too.
    assert.match((await inTerminal("session"))[2] ?? "", /^frontend · \S+.*… +claude-opus-4-5 /u);
    const [first, second] = await inTerminal("project");
    assert.equal(first, cwd);
    assert.match(second ?? "", /^ {2}Model claude-opus-4-5 · Input 1,000 · /u);
  });

  const wrong: [string[], string][] = [
    [
      ["--by", "week"],
      'purser usage: --by "week" is not one of day, session, project, model, agent, branch, subagent, tool, skill, server, machine. See purser usage --help.\n',
    ],
    [
      ["--agent", "clod"],
      'purser usage: --agent "clod" is not one of claude-code, codex, copilot, gemini, vscode-chat. See purser usage --help.\n',
    ],
    [
      ["--since", "soon"],
      'purser usage: --since "soon" is not a day such as 2026-11-21, today, yesterday, or 7d for seven days ago. See purser usage --help.\n',
    ],
    [
      ["--since", "today", "--until", "yesterday"],
      "purser usage: --since 2026-11-21 is after --until 2026-11-20. See purser usage --help.\n",
    ],
    [["now"], 'purser usage: unexpected argument "now". See purser usage --help.\n'],
  ];
  for (const [argv, stderr] of wrong) {
    it(`refuses in one line: ${argv.join(" ")}`, async () => {
      assert.deepEqual(await empty.purser(["usage", ...argv]), { code: 2, stdout: "", stderr });
    });
  }
});

describe("purser", () => {
  it("prints help and its version", async () => {
    for (const argv of [["--help"], ["-h"], ["help"]]) {
      const { code, stdout } = await empty.purser(argv);
      assert.equal(code, 0);
      assert.match(stdout, /^ {2}usage +tokens and cost/mu);
    }
    assert.match((await empty.purser(["usage", "--help"])).stdout, /--since D/u);
    assert.equal((await empty.purser(["--version"])).stdout, "1.2.3\n");
  });

  it("refuses a command it does not have, in one line", async () => {
    const { code, stdout, stderr } = await empty.purser(["toString"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^purser: unknown command "toString"\. See purser --help\.\n$/u);
  });
});
