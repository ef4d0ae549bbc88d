import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { plainSentence } from "../../../../src/engine/base/language.ts";
import type { LintFinding, TextSpan } from "../../../../src/engine/instructions/lint/found-text.ts";
import { lintInstructions, type LintSurroundings } from "../../../../src/engine/instructions/lint.ts";
import { linesOf } from "../../../../src/engine/instructions/markdown-section.ts";

const nothingNear: LintSurroundings = {
  project: "/home/mara/orrery",
  home: "/home/mara",
  read: () => Promise.resolve(null),
  others: [],
  charactersPerToken: [],
};

function lint(text: string, surroundings: Partial<LintSurroundings> = {}): Promise<LintFinding[]> {
  return lintInstructions(text, { ...nothingNear, ...surroundings });
}

const filesNear = (files: Readonly<Record<string, string>>) => (path: string) =>
  Promise.resolve(Object.hasOwn(files, path) ? (files[path] ?? null) : null);

/** Position of a place in a text, as an editor finds it. */
function offsetOf(text: string, line: number, column: number): number {
  return linesOf(text).slice(0, line).join("").length + column;
}

function fixed(text: string, span: TextSpan, by: string): string {
  const from = offsetOf(text, span.line, span.column);
  return text.slice(0, from) + by + text.slice(offsetOf(text, span.endLine, span.endColumn));
}

const fires: readonly (readonly [string, LintFinding["kind"]])[] = [
  ["Last updated: 2026-11-24", "date"],
  ["*Last reviewed on 24 November 2026*", "date"],
  ["Today's date is Nov 24, 2026.", "date"],
  ["Status as of 2026-11-01: the login works.", "date"],
  ["As of 2026-11-01 the login works.", "date"],
  ["Date: 2026-11-24", "date"],
  ["Stand: 24.11.2026", "date"],
  ["Zuletzt geändert am 24. März 2026", "date"],
  ["Heute ist der 24. November 2026.", "date"],
  ["最終更新: 2026-11-24", "date"],
  ["今日は2026年11月24日です。", "date"],
  ["Today is Tuesday, November 24, 2026.", "date"],
  ["It is now 2026-11-24.", "date"],
  ["Heute ist Dienstag, der 24. November 2026.", "date"],
  ["今天是2026年11月24日。", "date"],
  ["The repository is at commit 4fddb407.", "git-state"],
  ['Read "C:\\\\Users\\\\joan\\\\logs" first.', "machine-path"],
  ["> Generated at 2026-11-24 by make docs", "date"],
  ["The suite currently has 412 tests.", "counter"],
  ["There are 1,204 files in src.", "counter"],
  ["Build #4512 is deployed.", "counter"],
  ["Test coverage is 87 %.", "counter"],
  ["312 tests passing", "counter"],
  ["Migration: 14/20 tasks done", "counter"],
  ["The last commit is 4fddb407.", "git-state"],
  ["HEAD is now at 4fddb407", "git-state"],
  ["Current branch: feature/login", "git-state"],
  ["```\nOn branch main\n```", "git-state"],
  ["```\n\tmodified:   src/a.ts\n```", "git-state"],
  ["Your branch is ahead of 'origin/main' by 2 commits.", "git-state"],
  ["Read /home/joan/notes.md first.", "machine-path"],
  ["```sh\ncd /Users/joan/work && make\n```", "machine-path"],
  ["Logs are in C:\\Users\\joan\\logs.", "machine-path"],
];

const passes: readonly string[] = [
  "Reverts commit 4fddb407.",
  "The law holds (as of June 30, 2025) for all.",
  "- **Current Branch**: for documentation of a branch",
  "Check that the current branch is appropriate.",
  "A pull request shows 0 failing tests.",
  "Until the migration is 50 % done, stop.",
  "If 3 tests failed, run them again.",
  "Show progress (e.g. 75/847 items).",
  "See /Users/myName/a and /home/jdoe/a.",
  "The old API was removed on 2024-03-01.",
  "Dates are written as 2026-11-24.",
  "Die alte API fiel am 1. März 2024 weg.",
  "Der Stand vom 1.1.2025 gilt weiter.",
  "旧APIは2024年3月1日に廃止されました。",
  "Erstellt am 1.3.2024 von Joan.",
  "Use version 4 of the schema, not 3.",
  "Change at most 3 files in one commit.",
  "Keep test coverage at least 80 %.",
  "Run 2 tests at a time.",
  "The repository has 3 packages: core, web and cli.",
  "Never commit to main; work on a branch.",
  "Name a branch feature/NAME.",
  "Commit messages have a subject of 50 characters.",
  "The colour of errors is #deadbeef.",
  "Paths look like /home/user/project or /Users/you/project.",
  "The container works in /home/node/app.",
  "See https://example.org/home/joan/page for more.",
  "Fetch /api/Users/joan to test it.",
  "<!-- Last updated: 2026-11-24 -->",
  "---\nupdated: 2026-11-24\n---\n",
  '```json\n{ "date": "2026-11-24" }\n```',
  "Ask before you change the history of a branch.",
];

test("Text that changes by itself, or is valid on one machine only, is found", async () => {
  for (const [text, kind] of fires)
    assert.deepEqual(
      (await lint(text)).map((each) => each.kind),
      [kind],
      text,
    );
});

test("Text that stays true is not reported", async () => {
  for (const text of passes) assert.deepEqual(await lint(text), [], text);
});

test("A line with only such text is removed whole; in another only the finding is marked", async () => {
  const text = "# Orrery\n\nLast updated: 2026-11-24\nThe suite currently has 412 tests of the gear train.\n";
  const [stamp, counter] = await lint(text);
  assert.ok(stamp?.fix && counter);
  assert.equal(
    fixed(text, stamp.fix.span, stamp.fix.text),
    "# Orrery\n\nThe suite currently has 412 tests of the gear train.\n",
  );
  assert.equal(counter.fix, null);
});

test("A path of this machine is written by the project, or from the home folder", async () => {
  const text = "Read /home/mara/orrery/docs/gears.md and /home/mara/notes.md, not /home/joan/x.md.";
  const found = await lint(text);
  assert.deepEqual(
    found.map(({ fix }) => fix?.text ?? null),
    ["docs/gears.md", "~/notes.md", null],
  );
  const [last] = await lint("All tests are in /home/mara/orrery/test.");
  assert.equal(last?.fix?.text, "test", "the full stop stays");
  const windows = await lint("See C:\\Users\\mara\\orrery\\docs\\a.md", {
    project: "C:\\Users\\mara\\orrery",
    home: "C:\\Users\\mara",
  });
  assert.equal(windows[0]?.fix?.text, "docs/a.md");
});

const code = Array.from({ length: 12 }, (_, number) => `export const gear${number} = ${number * 7};`);

test("A copy of a file is found by the name that stands with it, also where the file has changed since", async () => {
  const file = ["// gears", ...code, "// end"].join("\n");
  const block = ["```ts", ...code, "```"].join("\n");
  const text = `# Gears\n\nThe gears are in \`src/gears.ts\`:\n\n${block}\n\nThat is all.\n`;
  const read = filesNear({ "src/gears.ts": file });
  const [found, ...others] = await lint(text, { read });
  assert.ok(found?.fix);
  assert.deepEqual(others, []);
  assert.equal(found.kind, "inlined-file");
  assert.match(found.message.text, /^12 lines of src\/gears\.ts are repeated here/u);
  assert.equal(
    fixed(text, found.fix.span, found.fix.text),
    "# Gears\n\nThe gears are in `src/gears.ts`:\n\nSee `src/gears.ts`.\n\nThat is all.\n",
  );
  const changed = await lint(text, { read: filesNear({ "src/gears.ts": file.replace("gear3", "wheel3") }) });
  assert.match(changed[0]?.message.text ?? "", /no longer matches it: 92% of its lines/u);
  assert.deepEqual(await lint(text, { read: filesNear({ "src/gears.ts": "// something else" }) }), []);
  assert.deepEqual(await lint(text), []);
  const named = `\`\`\`ts title="src/gears.ts"\n${code.join("\n")}\n\`\`\`\n`;
  assert.equal((await lint(named, { read })).length, 1);
});

test("An import of a large file is found, one of a small file or of instructions is not", async () => {
  const large = "The planets turn around the sun in their order.\n".repeat(400);
  const read = filesNear({ "docs/planets.md": large, "docs/small.md": "Small.", "AGENTS.md": large });
  const text = "Read @docs/planets.md, @docs/small.md and @AGENTS.md, not `@docs/planets.md`. Ask @mara.";
  const [found, ...others] = await lint(text, { read });
  assert.deepEqual(others, []);
  assert.equal(found?.text, large);
  assert.ok(found.fix);
  assert.equal(
    fixed(text, found.fix.span, found.fix.text),
    text.replace("@docs/planets.md", "`docs/planets.md`"),
  );
});

test("A list that grows with the work is moved to its own file", async () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, number) => `- gear ${number} was cut\n`).join("");
  const text = `# Orrery\n\n## Progress\n\n${items(8)}\n## Rules\n\n${items(9)}`;
  const [found, ...others] = await lint(text);
  assert.ok(found?.fix?.file);
  assert.deepEqual(others, []);
  assert.deepEqual([found.kind, found.span.line], ["growing-list", 2]);
  assert.deepEqual(found.fix.file, { path: "docs/progress.md", text: `## Progress\n\n${items(8)}\n` });
  const after = fixed(text, found.fix.span, found.fix.text);
  assert.equal(
    after,
    `# Orrery\n\n## Progress\n\n\`docs/progress.md\` has it: read it when you need it.\n\n## Rules\n\n${items(9)}`,
  );
  assert.deepEqual(await lint(after), []);
  assert.deepEqual(await lint(`## Progress\n\n${items(7)}`), []);
  for (const title of ["Definition of Done", "Step 4: Log Analysis", "Update the Changelog"])
    assert.deepEqual(await lint(`## ${title}\n\n${items(20)}`), [], title);
  for (const title of [
    "Lessons Learned",
    "Critical Lessons Learned",
    "4. Recent Changes",
    "✅ Completed",
    "TODO",
  ])
    assert.equal((await lint(`## ${title}\n\n${items(20)}`)).length, 1, title);
  const days = Array.from({ length: 5 }, (_, day) => `- **2026-11-0${day + 1}** a gear was cut\n`).join("");
  assert.deepEqual(
    (await lint(`# Notes\n\n${days}`)).map(({ kind }) => kind),
    ["growing-list"],
  );
});

const rule = "Cut every gear from brass, and check the number of its teeth before you polish it.";

test("Text repeated from another file of the same sessions, or within a file, is found", async () => {
  const others = [{ name: plainSentence("../AGENTS.md"), text: `# Rules\n\n${rule}\n` }];
  const text = `# Here\n\n- **Cut every gear** from brass, and check the number\n  of its teeth before you polish it.\n- Short.\n`;
  const [found, ...more] = await lint(text, { others });
  assert.ok(found?.fix);
  assert.deepEqual(more, []);
  assert.match(found.message.text, /said in \.\.\/AGENTS\.md, line 3, too/u);
  assert.equal(fixed(text, found.fix.span, found.fix.text), "# Here\n\n- Short.\n");
  assert.deepEqual(await lint(text), []);
  assert.deepEqual(await lint(`${rule}\n\n${rule}\n`), [], "a step may be repeated");
  const long = `${rule} ${"Then oil the axle again. ".repeat(8)}`;
  const twice = `${long}\n\nAnother thing.\n\n${long}\n`;
  assert.deepEqual(
    (await lint(twice)).map(({ kind, span }) => [kind, span.line]),
    [["repeated", 4]],
  );
});

const piece = fc.oneof(
  fc.constantFrom(
    ...fires.map(([text]) => text),
    ...passes,
    "## Progress",
    "- an item",
    "- 2026-11-01 an item",
    "```",
    "~~~ts title=a.ts",
    "<!--",
    "-->",
    "---",
    "@docs/a.md",
    rule,
    "",
  ),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
const anyText = fc
  .tuple(fc.array(piece, { maxLength: 40 }), fc.constantFrom("\n", "\r\n", "\n\n"))
  .map(([pieces, newline]) => pieces.join(newline));

test("In any file, each finding is a part of it, and its fix removes it and adds none of its kind", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.boolean(), async (text, hasOther) => {
      const surroundings = {
        others: hasOther ? [{ name: plainSentence("AGENTS.md"), text: rule }] : [],
        read: filesNear({ "docs/a.md": "word ".repeat(4000), "a.ts": rule }),
      };
      const found = await lint(text, surroundings);
      const count = (all: readonly LintFinding[], kind: string) =>
        all.filter((each) => each.kind === kind).length;
      for (const { kind, span, fix } of found) {
        const [from, to] = [
          offsetOf(text, span.line, span.column),
          offsetOf(text, span.endLine, span.endColumn),
        ];
        assert.ok(0 <= from && from < to && to <= text.length, JSON.stringify(span));
        if (fix === null) continue;
        const after = await lint(fixed(text, fix.span, fix.text), surroundings);
        assert.ok(count(after, kind) < count(found, kind), `${kind}: ${JSON.stringify(fix)}`);
      }
    }),
    { numRuns: 300 },
  );
});
