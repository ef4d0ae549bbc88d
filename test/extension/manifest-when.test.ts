import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const items = z.array(z.looseObject({ command: z.string(), when: z.string().optional() }));
const manifest = z.looseObject({
  contributes: z.looseObject({ menus: z.record(z.string(), items) }),
});

it("Measure is in the menus of rules and agents on every system: there the path is the system's own", () => {
  const text = readFileSync(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8");
  const { menus } = manifest.parse(JSON.parse(text)).contributes;
  const patterns = Object.values(menus)
    .flat()
    .flatMap(({ command, when = "" }) => {
      const found = /resourcePath =~ \/(?<pattern>(?:[^/\\]|\\.)+)\//u.exec(when)?.groups?.["pattern"];
      return command === "purser.measureHere" && found !== undefined ? [new RegExp(found, "u")] : [];
    });
  assert.ok(patterns.length > 0);
  for (const pattern of patterns) {
    for (const path of [
      "/home/nana/argo/.claude/rules/tests.md",
      "/home/nana/.claude/agents/backend.md",
      String.raw`c:\Users\Nana B\argo\.claude\rules\tests.md`,
      String.raw`\\wsl$\Debian\argo\.claude\agents\deep\backend.md`,
    ])
      assert.match(path, pattern);
    for (const path of [
      "/argo/.claude/rules.md",
      "/argo/claude/rules/a.md",
      String.raw`c:\.claude\skills\a.md`,
    ])
      assert.doesNotMatch(path, pattern);
  }
});
