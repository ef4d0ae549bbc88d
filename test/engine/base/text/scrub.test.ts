import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { scrub, scrubJson, scrubLine, scrubName, scrubStart } from "../../../../src/engine/base/scrub.ts";
import { noSecrets, secretsInCommands } from "../../support/secrets/in-commands.ts";
import { letters, secretKinds } from "../../support/secrets/kinds.ts";

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
  ["a private key without its first line", "IEabc\nabcd+e==\n-----END RSA PRIVATE KEY-----", "abcd+e"],
  ["the same within JSON", String.raw`"IEabc\nabcd+e==\n-----END PRIVATE KEY-----\n"`, "IEabc"],
  ["the second of two", "x -----END PRIVATE KEY-----\nab: cdef\n-----END PRIVATE KEY-----", "cdef"],
  ["a key nobody knows", `X-Thing: ${letters}`, letters],
  ["a long number in hexadecimal", "id 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b77", "9f86d081884c7d65"],
  ["an address", "mail dev.one@example.org", "dev.one@example.org"],
] as const)
  test(`Taken out: ${what}`, () => {
    assert.ok(!scrub(text).includes(secret), scrub(text));
  });

test("Paths, commands and names stay as they are", () => {
  for (const text of [
    "/home/dev/projects/context-purser/src/engine/transcripts/claude/claude-row-schema.ts",
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

const surroundings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Please use ${text} for the deployment`,
  (text) => `日本語 ${text} 漢字`,
  (text) => `first line\n${text}\nlast line`,
  (text) => `${text}\nAlways use ${text}.`,
];

test("removes every kind of secret from any surrounding text", () => {
  const left = secretKinds.flatMap(([text, secret]) =>
    surroundings.map((around) => scrub(around(text))).filter((scrubbed) => scrubbed.includes(secret)),
  );
  assert.deepEqual(left, []);
});

test("recognizes a secret by its command, header or statement", () => {
  const around = [
    (text: string) => text,
    (text: string) => `please run ${text} now`,
    (text: string) => JSON.stringify({ command: text }),
  ];
  const left = secretsInCommands.flatMap(([text, secret]) =>
    around.map((each) => scrub(each(text))).filter((scrubbed) => scrubbed.includes(secret)),
  );
  assert.deepEqual(left, []);
});

test("The same words without a secret stay as they are", () => {
  assert.deepEqual(noSecrets.map(scrub), noSecrets);
});

test("The name of a branch loses keys, and keeps what means nothing", () => {
  assert.equal(scrubName(`fix/ghp_${letters}`), "fix/[secret]");
  assert.equal(scrubName(`try/AKIAIOSFODNN7EXAMPLE-again`), "try/[secret]-again");
  for (const name of [
    `claude/fix-011CUq${letters.slice(0, 20)}`,
    "dependabot/npm_and_yarn/a-1.2.3",
    "token=1",
  ])
    assert.equal(scrubName(name), name);
});

test("scrubbing twice changes nothing", () => {
  for (const [text] of secretKinds)
    for (const around of surroundings) {
      const once = scrub(around(text));
      assert.equal(scrub(once), once);
    }
});

test("Each text within JSON is scrubbed, and JSON stays JSON", () => {
  const left = secretKinds.filter(([text, secret]) => {
    const scrubbed = scrubJson(JSON.stringify({ a: [{ text }], [`b ${text}`]: 1 }));
    return scrubbed.includes(secret) || JSON.parse(scrubbed) === null;
  });
  assert.deepEqual(left, []);
  assert.equal(scrubJson('{"password": "hunter2x", "n": 1}'), '{"password":"[secret]","n":1}');
  assert.equal(scrubJson('{ "a": "npm test",  "tokens": 12 }'), '{ "a": "npm test",  "tokens": 12 }');
  assert.equal(scrubJson("password=hunter2x {"), "password=[secret] {");
});

test("A text is scrubbed before it is cut, and a word that is cut goes", () => {
  assert.equal(scrubStart(`use ghp_${letters} now`, 15), "use ");
  assert.equal(scrubStart("長い文章".repeat(10), 8), "長い文章長い文章");
  assert.equal(scrubStart("short", 8), "short");
  assert.equal(scrubLine(`use\n it: ghp_${letters} now`, 15), "use it:");
  assert.equal(scrubLine("DB_PASS\u200BWORD=hunter2x\nnpm start", 100), "DB_PASSWORD=[secret] npm start");
});

test("A long number behind the name of a secret is read in one way only", () => {
  const text = `password${"1".repeat(200)} in a log`;
  assert.equal(scrub(text), text);
  assert.equal(scrub(`password${"1".repeat(200)}=abc`), `password${"1".repeat(200)}=[secret]`);
});

test("Ordinary text stays as it is", () => {
  for (const text of [
    "fix 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b of 9f86d08",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "session 123e4567-e89b-42d3-a456-426614174000 ended",
    "git clone git@github.com:owner/repository.git",
    "total_tokens: 1200, maxTokens: 300",
    "docker run -u 1000:1000 alpine",
    "PWD=/home/dev/shop",
    "add basic authentication and bearer tokens to the login page",
    "the password field is required",
    "pass: 12, fail: 0",
    "src/engine/ledger/collect/claude/session-metadata.ts:115",
    "https://example.com/docs/page?id=12&lang=en#part",
    "pk_columns and sk-learn and key-value stores",
  ])
    assert.equal(scrub(text), text);
});
