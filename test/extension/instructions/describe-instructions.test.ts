import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TextRent } from "../../../src/engine/instructions/section-rent.ts";
import { isRentFile } from "../../../src/extension/instructions/instructions-files.ts";
import {
  findingText,
  fixTitle,
  rentPage,
  rentTitle,
  rentTooltip,
} from "../../../src/extension/instructions/describe-instructions.ts";
import { t } from "../support/session.ts";

const rent: TextRent = {
  part: "section",
  line: 3,
  title: "Tests",
  tokens: 1312,
  times: 41,
  per: "sessions",
  isAtMost: false,
  usd: null,
  how: plainSentence("counted by words"),
};

test("a rent shows its tokens, and its total in a week", () => {
  const cases: [Partial<TextRent>, string][] = [
    [{}, "~1,310 tokens · ~53,800 a week"],
    [{ part: "file" }, "Whole file: ~1,310 tokens · ~53,800 a week"],
    [{ tokens: 1, times: 1 }, "~1 token · ~1 a week"],
    [{ times: 0 }, "~1,310 tokens · ~0 a week"],
    [{ times: null }, "~1,310 tokens"],
    [{ isAtMost: true }, "~1,310 tokens · up to ~53,800 a week"],
    [{ usd: 0.16 }, "~1,310 tokens · ~$0.16 a week"],
    [{ part: "description", tokens: 20 }, "Description: ~20 tokens · ~820 a week"],
  ];
  for (const [over, title] of cases) assert.equal(rentTitle({ ...rent, ...over }, t), title);
});

test("the page of a file lists each part with its frequency and its total", () => {
  const page = rentPage(
    [
      { ...rent, part: "file", title: null, usd: 0.16 },
      { ...rent, per: "runs", times: 9, title: "a|b" },
      { ...rent, per: "uses", times: 1, isAtMost: true },
      { ...rent, times: null },
      { ...rent, per: "wakes", times: 2, title: "Rules" },
    ],
    "CLAUDE.md",
    t,
  );
  assert.match(page, /^# What CLAUDE\\\.md costs\n/u);
  assert.deepEqual(
    page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| :")),
    [
      "| Part | Tokens | Last 7 days | Tokens a week | Cost a week |",
      "| Whole file | ~1,310 | 41 sessions | ~53,800 | ~$0.16 |",
      "| a\\|b | ~1,310 | 9 runs | ~11,800 | – |",
      "| Tests | ~1,310 | up to 1 use | ~1,310 | – |",
      "| Tests | ~1,310 | – | – | – |",
      "| Rules | ~1,310 | 2 wakes with a new session | ~2,620 | – |",
    ],
  );
});

test("the tooltip shows the total, and the source of each figure", () => {
  assert.equal(
    rentTooltip(rent, t),
    "About 53,792 tokens a week: it is sent with each of these. Tokens are estimated: counted by words. " +
      "Sessions of the last 7 days are counted from transcripts: measured.",
  );
  assert.match(rentTooltip({ ...rent, times: null }, t), /not known yet/u);
  assert.match(rentTooltip({ ...rent, isAtMost: true }, t), /names paths/u);
});

test("loads code only for files that agents may read automatically", () => {
  for (const path of ["/a/CLAUDE.md", "/a/CLAUDE.local.md", "AGENTS.md", "C:\\a\\.claude\\rules\\x\\y.md"])
    assert.ok(isRentFile(path), path);
  for (const path of ["/a/.claude/agents/sql.md", "/a/.claude/skills/ship/SKILL.md"])
    assert.ok(isRentFile(path), path);
  for (const path of [
    "/a/README.md",
    "/a/NOTCLAUDE.md",
    "/a/CLAUDE.md.bak",
    "/a/.claude/settings.json",
    "/a/SKILL.md",
  ])
    assert.ok(!isRentFile(path), path);
});

test("a finding names its remedy and its cost, and its fix is one clean line", () => {
  const finding = {
    kind: "date",
    span: { line: 0, column: 0, endLine: 0, endColumn: 4 },
    message: plainSentence("It changes."),
    remedy: plainSentence("Remove it."),
    text: "It",
    fix: null,
  } as const;
  const cost = { tokens: 9, times: 41, per: "sessions" } as const;
  assert.equal(findingText(finding, cost, t), "It changes. Remove it.\n~9 tokens a session, ~369 a week");
  assert.match(findingText(finding, { ...cost, times: null }, t), /\n~9 tokens a session$/u);
  assert.match(findingText(finding, { ...cost, per: "wakes" }, t), /\n~9 tokens a wake, ~369 a week$/u);
  const fix = { title: plainSentence("Replace by the Name of a\u001b[31m\nb"), span: finding.span, text: "" };
  assert.match(fixTitle(fix), /^Replace by the Name of a[^\n\u001b]*$/u);
});
