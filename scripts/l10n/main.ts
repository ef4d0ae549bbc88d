/**
 * `npm run l10n`: writes `l10n/bundle.l10n.json`, the sentences to translate, removes obsolete sentences from
 * translations, and reports missing ones.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleText, tidied, translationsIn } from "./bundles.ts";
import { sentencesOf } from "./sentences.ts";

const root = path.resolve(import.meta.dirname, "../..");
const { messages, faults } = sentencesOf(root);
writeFileSync(path.join(root, "l10n/bundle.l10n.json"), bundleText(messages));
for (const file of globSync(path.join(root, "l10n/bundle.l10n.*.json")))
  writeFileSync(file, tidied(messages, readFileSync(file, "utf8")));
console.log(`l10n/bundle.l10n.json: ${messages.length} sentences`);
for (const { file, faults: wrong, missing } of translationsIn(root)) {
  for (const fault of wrong) console.log(`${file}: ${fault}`);
  for (const key of missing) console.log(`${file}: not translated, shown in English: ${key}`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
