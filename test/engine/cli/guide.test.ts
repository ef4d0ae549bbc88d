import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { cellsOf } from "../../../src/engine/cli/text-cells.ts";
import { commands } from "../../../src/engine/cli/commands.ts";
import { blocksOf, pageText, topics } from "../../../src/engine/cli/guide.ts";
import { styleFor } from "../../../src/engine/cli/style.ts";
import { Scratch } from "./support/support.ts";

const folder = path.join(import.meta.dirname, "../../../media/guide");
const scratch = new Scratch();
after(() => scratch.dispose());

function textOf(topic: string): string {
  return readFileSync(path.join(folder, `${topic}.md`), "utf8");
}

function styleOf(columns: number) {
  return styleFor({ env: {}, stdout: { isTTY: true, columns, write: () => true } });
}

describe("a page of the guide", () => {
  it("has a topic, and each topic a page", () => {
    const pages = readdirSync(folder).map((name) => path.parse(name).name);
    assert.deepEqual(Object.keys(topics).toSorted(), pages.toSorted());
  });

  it("is printed as plain text", () => {
    const page = `# Hooks

![A picture](../hooks.png)

Run \`purser hooks install\`; see **[Budgets](budgets.md#levels)**, [a file](../x.json), [the
site](https://example.com) and _snake_case_, \`_as_it_is_\`.

- one item that is too long for
  one line
- another

| Key          | Meaning   |
| :----------- | :-------- |
| \`a\\|b\`    | \`x y\` z |

\`\`\`
code   # as it is
\`\`\`

<!-- a comment
of two lines -->
1. first
`;
    assert.equal(
      pageText(page, styleOf(50)),
      `\u001b[1mHooks\u001b[22m

Run \`purser hooks install\`; see Budgets (purser
help budgets), a file, the site
(https://example.com) and snake_case, _as_it_is_.

- one item that is too long for one line
- another

\u001b[1mKey  Meaning\u001b[22m
\u001b[2m────────────\u001b[22m
a|b  x y z

  code   # as it is

1. first
`,
    );
  });

  it("is printed by its topic: purser help sample", async () => {
    const { code, stdout, stderr } = await scratch.purser(["help", "sample"]);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.equal(
      stdout,
      `The sample

Run Purser: Open Sample to see every panel filled before you have measured anything. You need no
agent.

The sample is a month of work by all five agents: a ledger, rules with their evidence, benchmarks,
recurring agents, and comparisons that came out better, worse and undecided.

- One session is played as if it happened now. Its own item in the status bar goes from room enough
  to red in less than a minute; then the session is handed over to a new one, and the item shows
  what that saves. Stop it with the button above the sample's sessions, or hand over earlier on its
  page.
- A budget is in the item's tooltip. The page of the session about the tide table shows what a
  compaction kept and lost. A run of a benchmark has a timeline.
- Its newest other sessions are recordings of Claude Code, Codex, Copilot CLI and Gemini CLI, and
  made-up ones of Copilot CLI and VS Code's chat. Everything older is made up.
- Its verdicts are computed from its runs, as yours would be.
- Every panel says that it shows the sample.
- It uses a temporary folder and a service of its own. It runs nothing and spends nothing.

Close Sample stops and removes it, and so does closing the window. From the sources, \`npm run try --
--sample\` opens it.
`,
    );
  });

  it("names the command of the same name, and leaves that command's help unchanged", async () => {
    const { stdout } = await scratch.purser(["help", "guard"]);
    assert.match(stdout, /^Guard\n\n.*\n\nOptions: purser guard --help\n$/su);
    assert.match((await scratch.purser(["guard", "--help"])).stdout, /^purser guard: /u);
    assert.equal(
      (await scratch.purser(["help", "status"])).stdout,
      (await scratch.purser(["status", "--help"])).stdout,
    );
  });

  it("reports a missing page, with what to do", async () => {
    const lost = await scratch.purser(["help", "guard"], { guide: "/nowhere" });
    const file = path.join("/nowhere", "guard.md");
    assert.deepEqual(lost, {
      code: 1,
      stdout: "",
      stderr: `purser: there is no ${file}. Install purser again.\n`,
    });
  });

  it("on the terminal names every command", () => {
    const named = new Set([...textOf("terminal").matchAll(/`purser ([a-z-]+)/gu)].map(([, name]) => name));
    assert.deepEqual(
      Object.keys(commands).filter((name) => !named.has(name)),
      [],
    );
  });

  it("on threats names an existing test in each line on what can happen", () => {
    const page = textOf("threat-model");
    const tests = path.join(import.meta.dirname, "../..");
    const named = [...page.matchAll(/`(?<file>(?:[\w-]+\/)+[\w.-]+): (?<title>[^`]+)`/gu)];
    const missing = named.filter(({ groups }) => {
      const file = path.join(tests, `${groups?.["file"] ?? ""}.test.ts`);
      // A title may be longer, or end with what differs between cases.
      return !existsSync(file) || !readFileSync(file, "utf8").includes(groups?.["title"] ?? "?");
    });
    assert.deepEqual(
      missing.map(([whole]) => whole),
      [],
    );
    const untested = page
      .slice(page.indexOf("## What the agent can do"))
      .split("\n")
      .filter((line) => line.startsWith("- ") && !line.includes("`engine/") && !line.includes("`webview/"));
    // These lines follow from other lines.
    assert.deepEqual(untested, [
      "- Its answers mislead the agent. The command that follows is judged as any other.",
    ]);
    assert.ok(named.length >= 30);
    assert.ok(Buffer.byteLength(page) <= 8192);
  });

  for (const topic of Object.keys(topics))
    it(`fits any terminal, without marks: ${topic}`, () => {
      const blocks = blocksOf(textOf(topic));
      const code = new Set(blocks.flatMap((block) => (block.kind === "code" ? block.lines : [])));
      assert.equal(blocks[0]?.kind, "heading");
      for (const columns of [40, 80, 120])
        for (const marked of pageText(textOf(topic), styleOf(columns)).split("\n")) {
          const line = stripVTControlCharacters(marked);
          if (code.has(line.slice(2))) continue;
          assert.ok(cellsOf(line) <= columns, `${columns}: ${line}`);
          assert.doesNotMatch(line, /\*\*|\]\(|^#|<!--/u);
        }
    });
});
