import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { findHits } from "../../../../src/engine/guard/calls/find-hits.ts";
import { RuleSet } from "../../../../src/engine/guard/calls/rule-set.ts";
import { actionOf } from "../../../../src/engine/guard/calls/rule-action.ts";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";
import { testContext } from "../support/shell-context.ts";

const rules = new RuleSet(catalogue);

function stoppedBy(command: string): string[] {
  return findHits({ kind: "command", command, shell: "posix" }, rules, testContext)
    .filter(({ rule }) => actionOf(rule) !== "advise")
    .map(({ rule }) => rule.id);
}

/** Reads the shell commands of a folder's lists, one a line. */
function listed(folder: string): string[] {
  const place = path.join(import.meta.dirname, folder);
  return readdirSync(place)
    .flatMap((name) => readFileSync(path.join(place, name), "utf8").split("\n"))
    .filter((line) => line !== "" && !/^(?:#|(?:PowerShell|Read|Edit|Write)\()/u.test(line));
}

const destructive = listed("destructive").filter((line) => stoppedBy(line).length > 0);
/** Commands that change nothing for those behind them: no folder, no variable, and nothing left open, such as zsh's `() { echo $1 }`. */
const ordinary = listed("ordinary").filter(
  (line) =>
    stoppedBy(line).length === 0 &&
    !/<<|[\\&#`]$|#|\b(?:cd|pushd|popd|export|set|unset|alias|exec|exit|return|source|trap|read)\b|^\s*(?:for|while|if|case|\w*\(\)|\w+=)/u.test(
      line,
    ),
);

/** Draws numbers below a bound, the same ones for a seed. */
function drawer(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

function some(draw: (bound: number) => number, count: number): string[] {
  return Array.from({ length: count }, () => ordinary[draw(ordinary.length)] ?? "");
}

test("stops a destructive command before, between and after 1 to 40 ordinary ones", () => {
  assert.ok(destructive.length >= 1000 && ordinary.length >= 500);
  const draw = drawer(20);
  // A quote that a line leaves open takes the lines behind it.
  const closed = destructive.filter((line) => line.split("'").length % 2 === 1);
  const missed = closed.flatMap((line) => {
    const before = some(draw, draw(41));
    const behind = some(draw, before.length === 0 ? 1 + draw(40) : draw(41 - before.length));
    const all = [...before, line, ...behind].join("\n");
    return stoppedBy(all).length > 0 ? [] : [{ line, all }];
  });
  assert.deepEqual(missed, []);
});

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const forms: Readonly<Record<string, (line: string) => string>> = {
  "a loop": (line) => `for i in 1 2 3 4 5 6 7 8 9 10 11 12; do\n${line}\ndone`,
  "a condition": (line) => `if true; then\n${line}\nfi`,
  brackets: (line) => `(\n${line}\n)`,
  "20 brackets": (line) => `${"(\n".repeat(20)}${line}\n${")".repeat(20)}`,
  "the script of a shell": (line) => `bash -c ${quoted(line)}`,
  "20 scripts of eval": (line) => `${"eval ".repeat(20)}${quoted(line)}`,
  "a substitution": (line) => `echo "$(\n${line}\n)"`,
};

for (const [name, form] of Object.entries(forms))
  test(`stops a destructive command in ${name}`, () => {
    const missed = destructive.filter((line) => stoppedBy(form(line)).length === 0);
    assert.deepEqual(missed, []);
  });

/** Ways to hide a command behind what a reader may give up on. */
const padded: Readonly<Record<string, string>> = {
  "two long moves": `${"mv src/components/settings/panels/advanced/experimental-features-a.tsx lib/b.tsx && ".repeat(3)}rm -rf ~`,
  "ten edits": `${'sed -i "s/a/b/" x; '.repeat(10)}rm -rf ~`,
  "a loop over nine words": "for d in a b c d e f g h ~; do rm -rf $d; done",
  "a loop over lines": `while read -r d; do rm -rf "$d"; done <<'EOF'\n${"a\nb\nc\nd\n".repeat(4)}~\nEOF`,
  "600 names": `rm -rf ${Array.from({ length: 600 }, (_, at) => `a${at}`).join(" ")} ~`,
  "50 assignments": `${Array.from({ length: 50 }, (_, at) => `A${at}=${at}`).join(" ")} rm -rf ~`,
  "40 wrappers": `${"env ".repeat(40)}rm -rf ~`,
  "60 pairs of wrappers": `${"nohup nice ".repeat(60)}rm -rf ~`,
  "15 substitutions": `echo ${"$(echo ".repeat(15)}$(rm -rf ~)${")".repeat(15)}`,
  "200 kB of quoted text": `echo '${"x y ".repeat(50_000)}'; rm -rf ~; echo '${"x y ".repeat(50_000)}'`,
  "200 kB of bare text": `echo ${"x y ".repeat(50_000)}; rm -rf ~; echo ${"x y ".repeat(50_000)}`,
  "8,000 commands": `${"true; ".repeat(8000)}rm -rf ~; ${"true; ".repeat(8000)}`,
  "a list for parallel": `parallel rm -rf ::: ${"a b c d ".repeat(20)}~`,
  "a list for xargs": `echo ${"a b c d ".repeat(40)}~ | xargs rm -rf`,
  "starts of a search": `find ${Array.from({ length: 70 }, (_, at) => `a${at}`).join(" ")} ~ -delete`,
  "choices in braces": `rm -rf {${Array.from({ length: 90 }, (_, at) => `x${at}`).join(",")},/}`,
  "a long script for a shell": `bash <<'EOF'\n${"echo a line of text\n".repeat(8000)}rm -rf ~\nEOF`,
  "a long script with variables": `bash <<EOF\n${"echo $A line of text\n".repeat(800)}rm -rf ~\nEOF`,
  "a long script that is written first": `cat > a.sh <<'EOF'\n${"echo a line of text\n".repeat(5000)}rm -rf ~\nEOF\nbash a.sh`,
  "a long variable": `X='${"echo a; ".repeat(4000)}rm -rf ~'; bash -c "$X"`,
  "long code": `node -e '${"let a = 1;\n".repeat(9000)}require("fs").rmSync("/home/ann", { recursive: true })'`,
  "a long script of SQL": `psql shop <<'EOF'\n${"insert into a values (1);\n".repeat(1200)}drop database shop;\nEOF`,
};

for (const [name, line] of Object.entries(padded))
  test(`stops a destructive command after ${name}`, () => {
    assert.notDeepEqual(stoppedBy(line), []);
  });

const text = "A line of text; with $signs, (brackets) and 'quotes'.\n";
const plain = text.replaceAll("'", "").replaceAll("$", "");
/** Long data that no command runs. */
const data: Readonly<Record<string, string>> = {
  "a file that is written": `cat > notes.md <<'EOF'\n${text.repeat(2500)}EOF`,
  "a file with variables": `cat > notes.md <<EOF\n${text.repeat(2500)}EOF`,
  "a message": `git commit -m '${plain.repeat(1000)}'`,
  "a message by a substitution": `git commit -m "$(cat <<'EOF'\n${text.repeat(500)}EOF\n)"`,
  "a body": `curl -s -X POST http://localhost:3000/a -d '${JSON.stringify({ a: plain.repeat(600) })}'`,
  "printed text": `printf '%s' "${plain.repeat(1500)}" > notes.md`,
  "a loop over many names": `for f in ${Array.from({ length: 200 }, (_, at) => `src/a${at}.ts`).join(" ")}; do wc -l "$f"; done`,
  "many files": `git add ${Array.from({ length: 200 }, (_, at) => `src/parts/module-${at}.ts`).join(" ")}`,
};

for (const [name, line] of Object.entries(data))
  test(`asks no question about ${name}, however long`, () => {
    assert.deepEqual(stoppedBy(line), []);
  });
