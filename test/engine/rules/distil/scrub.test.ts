import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { scrub } from "../../../../src/engine/rules/distil/scrub.ts";

const letters = "Zk3vQ9xLm2Rt7WpB5nYc8HdJ4sFg6TaE1uVi0oXq";

for (const [what, text, secret] of [
  ["an Anthropic key", `sk-ant-api03-${letters}`, letters],
  ["a project key", `export K=sk-proj-${letters}`, letters],
  ["a GitHub token", `git clone with ghp_${letters.slice(0, 36)}`, letters.slice(0, 30)],
  ["a fine GitHub token", `github_pat_${letters}`, letters],
  ["an AWS key", "aws AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"],
  ["a Slack token", "xoxb-123456789012-abcdefABCDEF", "123456789012"],
  ["a JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4", "SflKxwRJSMeKKF2QT4"],
  ["a password in an address", "psql postgres://dev:hunter2@db.local/x", "hunter2"],
  ["a header", 'curl -H "Authorization: Bearer abcdef123456"', "abcdef123456"],
  ["a basic header", "Authorization: Basic ZGV2Omh1bnRlcjI", "ZGV2Omh1bnRlcjI"],
  ["an environment variable", "DB_PASSWORD=hunter2 npm start", "hunter2"],
  ["JSON", '{"apiKey": "hunter2 and more", "a": 1}', "hunter2"],
  ["an option", "login --token hunter2", "hunter2"],
  ["an option with =", "login --client-secret=hunter2", "hunter2"],
  ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "MIIE"],
  ["a private key cut off", "-----BEGIN PRIVATE KEY-----\nMIIEabc", "MIIEabc"],
  ["a key nobody knows", `X-Thing: ${letters}`, letters],
  ["a long number in hexadecimal", "id 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "9f86d081884c7d65"],
  ["an address", "mail dev.one@example.org", "dev.one@example.org"],
] as const)
  test(`Taken out: ${what}`, () => {
    assert.ok(!scrub(text).includes(secret), scrub(text));
  });

test("Paths, commands and names stay as they are", () => {
  for (const text of [
    "/home/dev/projects/context-purser/src/engine/transcripts/claude/row-schema.ts",
    "npm test -- --test-name-pattern 'a rule is measured'",
    "git log --oneline -20 src/engine",
    "grep -rn 'tokensOf(text)' src",
    "src/components/VeryLongComponentNameForSettingsPanelHeader.tsx",
  ])
    assert.equal(scrub(text), text);
});

test("Whatever surrounds a key, it does not stay, and scrubbing again changes nothing more of it", () => {
  const around = fc.string({ maxLength: 40 });
  fc.assert(
    fc.property(around, around, (before, after) => {
      const scrubbed = scrub(`${before} sk-ant-api03-${letters} ${after}`);
      assert.ok(!scrubbed.includes(letters));
    }),
  );
});
