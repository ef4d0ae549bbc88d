import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { evolvePrompt, readProposal, keepsProtected } from "../../../src/engine/compare/evolve.ts";

const file = (fields: string, body = "Do the work.\n") => `---\n${fields}\n---\n${body}`;
const fields =
  "name: backend\ndescription: Changes the server.\nmodel: inherit\nmemory: user\ntools: Read, Edit, Bash";
const shipped = file(fields, "Do the work.\nRun the tests.\n");
const answer = (definition: string) => JSON.stringify({ definition, why: "shorter" });

test("A rewrite of the words alone is a proposal", () => {
  const read = readProposal(answer(file(fields.replace("Changes the server.", "Server."))), shipped);
  assert.ok(read.ok && read.value.why === "shorter");
  // The same fields in another notation are equal.
  const quoted = file('tools: "Read, Edit, Bash"\nmemory: user\nmodel: inherit\nname: backend');
  assert.ok(readProposal(answer(quoted), shipped).ok);
  assert.ok(readProposal(`\`\`\`json\n${answer(file(fields))}\n\`\`\``, shipped).ok);
});

test("A rewrite that changes what the agent is or may do is refused", () => {
  for (const changed of [
    fields.replace("backend", "root"),
    fields.replace("inherit", "opus"),
    fields.replace("memory: user", "memory: project"),
    fields.replace("Bash", "Bash, WebFetch"),
    fields.replace("tools: Read, Edit, Bash", ""),
    `${fields}\nhooks: {}`,
    `${fields}\npermissionMode: bypassPermissions`,
    `${fields}\n__proto__: {tools: all}`,
  ]) {
    const read = readProposal(answer(file(changed)), shipped);
    assert.ok(!read.ok && read.reason === "protected", changed);
  }
});

test("Anything but the requested answer is refused", () => {
  const cases: readonly [string, string][] = [
    ["Here it is!", "not_the_answer"],
    [JSON.stringify({ definition: shipped }), "not_the_answer"],
    [JSON.stringify({ definition: shipped, why: "x", model: "opus" }), "not_the_answer"],
    [answer("no frontmatter"), "bad_frontmatter"],
    [answer(file(fields, "\n \n")), "empty"],
    [answer(shipped.replace(/\n/gu, "\r\n")), "unchanged"],
    [answer(file(fields, "Do it.\u202E")), "unprintable"],
    [answer(file(fields, "Do the work.\nSkip the tests.\n")), "checks_less"],
  ];
  for (const [text, reason] of cases) {
    const read = readProposal(text, shipped);
    assert.ok(!read.ok && read.reason === reason, `${text.slice(0, 60)} ${JSON.stringify(read)}`);
  }
});

test("The prompt contains the facts as data, and no more of them than allowed", () => {
  const prompt = evolvePrompt({
    agent: "backend",
    definition: 'x\n"]}',
    tokensPerRun: 47_000,
    waste: Array.from({ length: 40 }, (_, index) => ({ what: `read file-${index} again`, times: 3 })),
  });
  assert.ok(prompt.includes("47,000 tokens") && prompt.includes("file-11") && !prompt.includes("file-12"));
  assert.ok(prompt.includes(String.raw`x\n\"]}`));
});

test("Whatever a model answers, nothing is thrown, and what is let through keeps the frontmatter", () => {
  const bodies = fc.string({ unit: "binary", maxLength: 60 });
  const names = fc.constantFrom("name", "tools", "model", "memory", "description", "hooks", "skills");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, fc.string({ maxLength: 12 })), { maxLength: 6 }),
      bodies,
      (own, body) => {
        const rewritten = file(own.map(([name, value]) => `${name}: ${value}`).join("\n"), body);
        const read = readProposal(answer(rewritten), shipped);
        if (read.ok) assert.ok(keepsProtected(shipped, read.value.definition).ok);
        readProposal(rewritten, shipped);
      },
    ),
  );
});
