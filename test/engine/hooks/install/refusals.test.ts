import { readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import * as z from "zod";
import { inWords, plainSentence, type Sentence } from "../../../../src/engine/base/language.ts";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import { planInstall } from "../../../../src/engine/hooks/install/plan-change.ts";
import { assert } from "../../support/assert-texts.ts";
import { german } from "../../support/translation.ts";
import { MemoryDisk } from "./support/memory-disk.ts";
import { claudeHooks } from "./support/settings-files.ts";

const messages = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync("l10n/bundle.l10n.de.json", "utf8")));
const file = "/home/nana/.claude/settings.json";

async function refusalOf(text: string | Buffer): Promise<Sentence> {
  const disk = new MemoryDisk();
  disk.put(file, text);
  const ports = { disk, records: "/home/nana/.purser/installed-hooks", unique: () => "t" };
  const asked = {
    file: { program: "claude-code", scope: "user", file, choice: null } as const,
    wanted: claudeHooks(),
    hasSecret: false,
  };
  const plan = await planInstall(asked, ports);
  return plan.ok ? plainSentence("none") : plan.detail;
}

function speakGerman(t: TestContext): void {
  installTranslation(german(messages));
  t.after(() => Reflect.deleteProperty(globalThis, translationKey));
}

test("A German user reads in German why a settings file is not changed", async (t) => {
  const refusals = await Promise.all(
    ["{", Buffer.from([0xff, 0xfe]), "[]", '{"hooks": 1}', '{"hooks": {"Stop": 1}}'].map(refusalOf),
  );
  speakGerman(t);
  assert.deepEqual(refusals.map(inWords), [
    `${file}: Zeile 1 ist kein JSON`,
    `${file}: sie ist nicht UTF-8`,
    `${file}: sie enthält kein Objekt`,
    `${file}: ihr "hooks" ist kein Objekt`,
    `${file}: ihre Hooks für "Stop" sind keine Liste`,
  ]);
});

test("A settings file that is nested too deeply for its tree to be read is refused, and one that is not is taken", async () => {
  const nested = (depth: number) => `{"a": ${"[".repeat(depth)}${"]".repeat(depth)}}`;
  for (const depth of [3000, 100_000, 201])
    assert.match(await refusalOf(nested(depth)), /nested too deeply/u, String(depth));
  for (const text of [
    nested(100),
    `{"a": ${JSON.stringify("[".repeat(5000))}}`,
    `{"a": 1 /* ${"[".repeat(5000)} */}`,
  ])
    assert.equal(await refusalOf(text), "none");
});
