import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { projectOf, repositoryOf } from "./support/project.ts";

const part = fc.oneof(
  fc.constantFrom(
    "src",
    "a b",
    "größe",
    "x'y",
    'q"r',
    "$HOME",
    "*",
    "-",
    "--flag",
    "~",
    "#x",
    "a=b",
    "日本",
    ".hidden",
    "..x",
    "é",
    "e\u0301",
    "[ab]",
    "{a,b}",
    "!x",
    "back\\slash",
    "a`b",
    "c:d",
    "2>1",
    "index.ts",
    "if",
  ),
  fc.stringMatching(/^[\w. -]{1,8}$/u).filter((name) => !/^(?:\.{1,2})$/u.test(name)),
);
const spellings: readonly ((file: string) => string)[] = [
  (file) => `'${file.replaceAll("'", String.raw`'\''`)}'`,
  (file) => `./'${file.replaceAll("'", String.raw`'\''`)}'`,
  (file) => file.replaceAll(/[^\w./\p{L}\p{M}]/gu, String.raw`\$&`).replace(/^-/u, "./-"),
  (file) => `"${file.replaceAll(/["\\$`]/gu, String.raw`\$&`)}"`,
  (file) => `"$PWD/${file.replaceAll(/["\\$`]/gu, String.raw`\$&`)}"`,
];
const readers = [
  "cat",
  "head -n 3",
  "ls -la",
  "wc -l",
  "grep -n x",
  "sed -n 1p",
  "stat",
  "cp -r",
  "tail -5",
  "rg x",
];

test("things that exist are never reported as missing, however they are written", async (t) => {
  const { root, before } = projectOf(t, { "there/file.txt": "" });
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...spellings),
      fc.constantFrom(...readers),
      fc.boolean(),
      async (parts, spell, reader, isEntered) => {
        const [first = "", ...rest] = parts;
        const file = path.join(root, ...parts);
        mkdirSync(file, { recursive: true });
        const own = isEntered && rest.length > 0 ? rest : parts;
        const word = spell(own.join("/"));
        const target = reader === "cp -r" ? " there/copy" : "";
        const line = `${reader} ${word}${target}`;
        const entered = `cd ${(spellings[0] ?? String)(first).replace(/^'(?=-)/u, "./'")} && `;
        const command = own === rest ? entered + line : line;
        assert.equal(await before(command), "", command);
      },
    ),
  );
});

const names = fc.stringMatching(/^[a-z][\w:.-]{0,10}$/u);

test("scripts, targets and branches that exist are never reported as missing", async (t) => {
  const { root, before } = repositoryOf(t, { "sub/file": "" });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(names, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(
        "npm run",
        "pnpm run",
        "yarn run",
        "cd sub && npm run",
        "npm --prefix . run",
        "CI=1 npm run -s",
      ),
      async (scripts, run) => {
        writeFileSync(
          path.join(root, "package.json"),
          JSON.stringify({ scripts: Object.fromEntries(scripts.map((name) => [name, "true"])) }),
        );
        for (const name of scripts) assert.equal(await before(`${run} ${name}`), "", name);
      },
    ),
    { numRuns: 40 },
  );
  const target = fc.stringMatching(/^[a-z][\w-]{0,8}$/u);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(target, { minLength: 1, maxLength: 6 }), async (targets) => {
      const [first = "x", ...others] = targets;
      writeFileSync(
        path.join(root, "Makefile"),
        `V = a:b\n.PHONY: ${first}\n${others.map((each) => `${each}: ${first}\n\ttrue\n`).join("")}`,
      );
      writeFileSync(
        path.join(root, "justfile"),
        targets.map((each) => `${each} arg="a:b":\n    true\n`).join(""),
      );
      writeFileSync(
        path.join(root, "Taskfile.yml"),
        `tasks:\n${targets.map((each) => `  ${each}:\n    cmds: [a]\n`).join("")}`,
      );
      for (const name of targets)
        for (const tool of ["make", "just", "task"])
          assert.equal(await before(`${tool} ${name}`), "", `${tool} ${name}`);
    }),
    { numRuns: 40 },
  );
});

test("branches and tags that exist are never reported as missing", async (t) => {
  const { git, before } = repositoryOf(t, { file: "" });
  const taken = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc
        .stringMatching(/^[a-z][a-z\d]{0,3}[./_@#+é-]?[a-z\d]{1,4}$/u)
        .filter((name) => !name.endsWith(".lock")),
      fc.constantFrom(
        "checkout",
        "switch",
        "merge",
        "rebase",
        "diff",
        "log --oneline",
        "show",
        "reset --hard",
        "branch -D",
        "cherry-pick",
      ),
      fc.constantFrom("", "~1", "^", "..HEAD", "...main", "@{0}"),
      async (name, command, suffix) => {
        const isFree = ![...taken].some((each) => each.startsWith(`${name}/`) || name.startsWith(`${each}/`));
        if (!taken.has(name) && isFree) {
          git(taken.size % 2 === 0 ? "branch" : "tag", name);
          taken.add(name);
        }
        if (!taken.has(name)) return;
        assert.equal(await before(`git ${command} ${name}${suffix}`), "", name);
      },
    ),
    { numRuns: 60 },
  );
});
