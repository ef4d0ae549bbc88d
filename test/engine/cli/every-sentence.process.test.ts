import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { installTranslation } from "../../../src/engine/base/text/l10n.ts";
import { pseudo, pseudoBundle } from "../../../scripts/l10n/pseudo.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const bundle = readFileSync(path.join(root, "l10n/bundle.l10n.json"), "utf8");
const sentences = Object.keys(z.record(z.string(), z.string()).parse(JSON.parse(bundle)));

// Before the first module with sentences as constants, as the program does it.
installTranslation({ language: "ja", messages: pseudoBundle(sentences) });
const { commands } = await import("../../../src/engine/cli/commands.ts");
const { pageOf, sentencesOf } = await import("../../../src/engine/cli/help.ts");
const { firstPage } = await import("../../../src/engine/cli/first-page.ts");
const { mainHelp } = await import("../../../src/engine/cli/guide.ts");
const { responseRow, Scratch } = await import("./support/support.ts");

/** Texts that stay as they are in every language, and why. */
const kept = [
  // Lines that a change writes into a file.
  /^[-+@].*$/gmu,
  // Products, programs, and commands to type.
  /Claude Code|Codex|Copilot CLI|Gemini CLI|VS Code|Node|purser(?: [a-z]+)*/gu,
  // Paths and files.
  /(?:\/|~\/|\.purser|\.claude)[^\s,)]*|[\w-]+\.(?:md|json|yaml|local)\b/gu,
  // Options and quoted arguments, which a person types.
  /--?[a-z][\w-]*|"[^"]*"/gu,
];

/** Names that a person types again, and placeholders of usage lines. */
const names = new Set(
  `claude codex copilot gemini vscode user project .json AGENT DIR FILE ID NAME on observe learned
  safety secrets protect facts waste output loops verification
  LearnEffectiveness BuildResumePacket LearnSequences ClusterErrors LearnRepairPatterns LearnConventions UpdateWorkingSetRanking
  BuildDeadEndMemory ScoreArtifacts ConsolidateEvents fleet TOKENS argo`.split(/\s+/u),
);

/**
 * Not run here, as they stay English: answers of `task`, which agents read; titles of golden tasks (`golden list`), which are their files';
 * scripts of `completion`, which shells keep; and `--json`.
 */
function untranslated(text: string): string[] {
  let rest = text;
  for (let last = ""; last !== rest;) [last, rest] = [rest, rest.replaceAll(/\[[^[\]]*\]/gu, " ")];
  for (const pattern of kept) rest = rest.replaceAll(pattern, " ");
  return [...new Set(rest.split(/[^\p{L}\d_.-]+/u))].filter(
    (word) => /[A-Za-z]{2}/u.test(word) && !names.has(word),
  );
}

const scratch = new Scratch();
before(() => {
  scratch.transcript("p/s.jsonl", responseRow({ id: "r1" }));
  mkdirSync(path.join(scratch.root, "project"));
  writeFileSync(path.join(scratch.root, "CLAUDE.md"), "# Rules\n\nUse tabs.\n");
});
after(() => scratch.dispose());

describe("prints nothing in English in another language", () => {
  for (const name of ["", ...Object.keys(commands)])
    it(`in the help of purser ${name}`.trimEnd(), async () => {
      const command = await commands[name]?.load();
      const page = command === undefined ? mainHelp(commands) : pageOf(command.declaration);
      const { stdout } = await scratch.purser(name === "" ? ["help"] : [name, "--help"]);
      const printed = stdout.replaceAll(/\s/gu, "");
      const own = sentencesOf(page);
      assert.ok(own.length > 1);
      for (const sentence of own) {
        assert.ok(sentences.includes(sentence), `npm run l10n finds no ${sentence}`);
        assert.ok(printed.includes(pseudo(sentence).replaceAll(/\s/gu, "")), sentence);
      }
    });

  it("in the first page of purser", async () => {
    const { stdout } = await scratch.purser([]);
    const printed = stdout.replaceAll(/\s/gu, "");
    for (const sentence of sentencesOf(firstPage(commands)))
      assert.ok(printed.includes(pseudo(sentence).replaceAll(/\s/gu, "")), sentence);
  });

  const runs = `status|status --all|usage|usage --by wheat|usage --since never|usage --project /nowhere|session show|session show abc|service status
service stop|service logs|ledger status|ledger export --table x|ledger backup|doctor|hooks status|hooks install --dry-run|hooks profile|hooks install --agent x
budget list|budget set x|budget show x|budget create con|budget create fleet --convoy 100k|budget check fleet --agent a --tokens 200k|budget report fleet|guard status|guard list --effects|guard effects|guard explain no|guard test|instructions
output|output --lines x|output on x|output undo x|agent list|agent check|agent add|run|run --due --dry-run|economy|task|golden check --task x
bench --budget x|bench --shard 1/2|compare|compare model x|try-without|shorten-prompt|ablate|select|plan rules|learn status|learn show|learn wake x|handover --preview|nothing|--what|usage --bye|usage what`;
  for (const line of runs.split(/[|\n]/u))
    it(`by purser ${line}`, async () => {
      const { stdout, stderr } = await scratch.purser(line.split(" "));
      assert.ok(`${stdout}${stderr}`.includes("ĩ"), "it prints something");
      assert.deepEqual(untranslated(`${stdout}\n${stderr}`), []);
    });
});
