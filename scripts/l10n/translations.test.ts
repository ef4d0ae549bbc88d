import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { bundleText, faultsOf, missingIn, tidied, translationsIn } from "./bundles.ts";
import { pseudo } from "./pseudo.ts";
import { placeholdersIn, sentencesIn, sentencesOf } from "./sentences.ts";

const root = path.resolve(import.meta.dirname, "../..");

test("every sentence is in the bundle, as a whole and with a value for each placeholder: npm run l10n", () => {
  const { messages, faults } = sentencesOf(root);
  assert.deepEqual(faults, []);
  assert.ok(messages.length > 800, `only ${messages.length} sentences were found`);
  assert.equal(readFileSync(path.join(root, "l10n/bundle.l10n.json"), "utf8"), bundleText(messages));
});

test("every translation has only sentences of the product, with the same placeholders", () => {
  for (const { file, faults } of translationsIn(root)) assert.deepEqual(faults, [], file);
});

test("sentences are found however t is called, and only whole ones", () => {
  const source = [
    't("One");',
    "t(`Two`);",
    'ports.t("{0} of {1}", 1, 2);',
    't("{done} done", { done: 1 });',
    'filled(t("In {0}"), link);',
    'other("No");',
    'sentence("Three");',
    't("Tot" + "al");',
    "t(`${count} runs`);",
    't("{0} and {1}", 1);',
    't("{1}, says {0}", ...values);',
    'vscode.l10n.t("Four");',
  ];
  const { messages, faults } = sentencesIn("file.ts", source.join("\n"));
  assert.deepEqual(messages, [
    "One",
    "Two",
    "{0} of {1}",
    "{done} done",
    "In {0}",
    "Three",
    "{1}, says {0}",
    "Four",
  ]);
  assert.deepEqual(
    faults.map((fault) => fault.slice(0, 10)),
    ["file.ts:8:", "file.ts:9:", "file.ts:10", "file.ts:12"],
  );
});

test("reports a translation's faults", () => {
  const english = { a: "{0} runs", b: "See [the log](command:log)", c: "$(warning) Purser" };
  assert.deepEqual(
    faultsOf(english, { a: "{0} Läufe, {0}", b: "[Log](command:log)", c: "$(warning) P" }),
    [],
  );
  assert.deepEqual(faultsOf(english, { a: "{1} Läufe", b: "[Log](command:dog)", d: "?" }), [
    "no longer said: d",
    'other placeholders, links or codes than "a": {1} Läufe',
    'other placeholders, links or codes than "b": [Log](command:dog)',
  ]);
});

test("a sentence without a translation is not a fault", () => {
  assert.deepEqual(faultsOf({ a: "{0} runs" }, {}), []);
  assert.deepEqual(missingIn({ a: "{0} runs", b: "b" }, { b: "B" }), ["a"]);
});

test("sorts a translation as the sentences, without obsolete ones", () => {
  const text = tidied(["a", "b", "constructor"], JSON.stringify({ c: "3", b: "2", a: "1" }));
  assert.equal(text, '{\n  "a": "1",\n  "b": "2"\n}\n');
});

test("the pseudo-language is accented, longer, and keeps placeholders", () => {
  const text = pseudo("Saved {0} of {all} tokens today");
  assert.deepEqual(placeholdersIn(text), ["0", "all"]);
  assert.doesNotMatch(text.replaceAll(/\{\w+\}/gu, ""), /[A-PR-Za-z]/u);
  assert.ok(text.length >= 1.4 * 31);
  assert.equal(pseudo("{0} · {1}"), "{0} · {1}");
  const linked = "$(warning) [Open](command:purser.open)";
  assert.deepEqual(faultsOf({ linked }, { linked: pseudo(linked) }), []);
});
