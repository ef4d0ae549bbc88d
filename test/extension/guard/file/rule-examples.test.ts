import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as z from "zod";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import { parseYaml } from "../../../../src/engine/base/parse-yaml.ts";
import { rulesTemplate } from "../../../../src/extension/guard/file/rule-examples.ts";
import { german } from "../../../engine/support/translation.ts";
import fc from "fast-check";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { recentCalls } from "../../../../src/extension/guard/file/rule-examples.ts";

const messages = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync("l10n/bundle.l10n.de.json", "utf8")));

test("a new rules file explains itself in the user's language, and configures no rule", (t) => {
  const isEmpty = (text: string) => {
    const parsed = parseYaml(text);
    return parsed.ok && parsed.value.value === null;
  };
  assert.match(rulesTemplate(), /^# Your guard rules\./u);
  assert.ok(isEmpty(rulesTemplate()));
  installTranslation(german(messages));
  t.after(() => Reflect.deleteProperty(globalThis, translationKey));
  assert.match(rulesTemplate(), /^# Ihre Wächterregeln\./u);
  assert.ok(isEmpty(rulesTemplate()));
});

const hit = (tool: string | null, excerpt: string | null) => ({ tool, excerpt });

test("calls that rules fired on are written as examples are, each once, the newest first", () => {
  assert.deepEqual(
    recentCalls([
      hit("Bash", "rm -rf build"),
      hit("Read", "/home/ann/.env"),
      hit("run_shell_command", "git push --force"),
      hit("Bash", "rm -rf build"),
      hit("Write", "/home/ann/a b.ts"),
      hit("PowerShell", "Remove-Item x"),
    ]),
    [
      "rm -rf build",
      "Read(/home/ann/.env)",
      "git push --force",
      "Edit(/home/ann/a b.ts)",
      "PowerShell(Remove-Item x)",
    ],
  );
});

test("leaves out truncated calls, calls with unknown parts, and other excerpts", () => {
  const left = [
    hit(null, "ls"),
    hit("Bash", null),
    hit("Bash", " "),
    hit("Bash", "cat a…"),
    hit("Bash", "rm \uFFFC"),
    hit("Bash", "a\nb"),
    hit("Grep", "x"),
    hit("mcp__x__y", "z"),
  ];
  assert.deepEqual(recentCalls(left), []);
});

test("offers at most forty readable calls from any ledger", () => {
  const text = fc.option(fc.string({ unit: "grapheme" }));
  const hits = fc.array(fc.record({ tool: fc.oneof(text, fc.constantFrom("Bash", "Edit")), excerpt: text }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(hits, (some) => {
      const calls = recentCalls(some);
      assert.ok(calls.length <= 40 && new Set(calls).size === calls.length);
      for (const call of calls) readExample(call);
    }),
  );
});
