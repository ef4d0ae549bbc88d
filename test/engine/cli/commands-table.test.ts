import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { format, resolveConfig } from "prettier";
import { commands } from "../../../src/engine/cli/commands.ts";
import { topics } from "../../../src/engine/cli/guide.ts";

const file = path.join(import.meta.dirname, "../../../media/guide/terminal.md");
const [begin, end] = ["<!-- commands -->\n", "<!-- /commands -->"];

function table(): string {
  const rows = Object.entries(commands).map(([name, { summary, page }]) => {
    assert.ok(page === null || Object.hasOwn(topics, page), name);
    const more = page === null ? "" : `; see [${page.replaceAll("-", " ")}](${page}.md)`;
    return `| \`purser ${name}\` | ${summary}${more} |`;
  });
  return ["| Command | What it does |", "| :- | :- |", ...rows].join("\n");
}

it("The guide has every command; UPDATE_GOLDEN=1 writes its table again", async () => {
  const text = readFileSync(file, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  assert.ok(from !== -1 && to > from);
  const whole = `${text.slice(0, from + begin.length)}\n${table()}\n\n${text.slice(to)}`;
  const expected = await format(whole, { ...(await resolveConfig(file)), filepath: file });
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, expected);
  assert.equal(readFileSync(file, "utf8"), expected);
});
