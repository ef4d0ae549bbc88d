import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { inWords, plainSentence } from "../../../../src/engine/base/language.ts";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import * as catalogue from "../../../../src/engine/guard/catalogue/judge-all.ts";
import { checksOf } from "../../../../src/engine/guard/user-rules/config-file.ts";
import { describeKey } from "../../../../src/engine/guard/user-rules/suggest.ts";
import { readHookify } from "../../../../src/engine/guard/user-rules/hookify.ts";
import { readConfig } from "../../../../src/engine/guard/user-rules/read-config.ts";
import { german } from "../../support/translation.ts";

const messages = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync("l10n/bundle.l10n.de.json", "utf8")));
const context = { folder: null, home: "/home/ann", project: null, temporary: "/tmp" };

function shown(text: string, scope: "user" | "project" = "user"): string {
  const read = readConfig(text, checksOf(catalogue, { scope, context }));
  return read.ok ? "none" : inWords(read.detail);
}

function speakGerman(t: TestContext): void {
  installTranslation(german(messages));
  t.after(() => Reflect.deleteProperty(globalThis, translationKey));
}

test("a German user reads the faults of a rules file in German", (t) => {
  speakGerman(t);
  assert.deepEqual(
    [
      shown("set:\n  no-such-rule: off"),
      shown("set:\n  delete-home: maybe"),
      shown("exception: []"),
      shown("rules:\n  - id: Deploy"),
      shown("set:\n  delete-home: off", "project"),
      shown("exceptions:\n  - rule: delete-home\n    like: (?=a)"),
      shown("set: {}\nset: {}"),
    ],
    [
      "Zeile 2: die Regel no-such-rule gibt es nicht; purser guard list zeigt sie",
      'Zeile 2: set.delete-home: Ungültiger Wert: Erwartet wird einer von "off"|"advise"|"ask"|"deny"',
      'Zeile 1: Unbekannter Schlüssel: "exception"',
      "Zeile 2: rules.0.id: Wörter aus Kleinbuchstaben mit Bindestrichen dazwischen, etwa no-force-push",
      "Zeile 2: ein Projekt kann delete-home nicht ausschalten; das kann nur Ihre eigene guard.yaml",
      "Zeile 3: exceptions.0.like ist kein linearer regulärer Ausdruck: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
      "Zeile 2: Schlüssel einer Zuordnung dürfen nur einmal vorkommen",
    ],
  );
});

test("and why a hookify rule is not imported", (t) => {
  speakGerman(t);
  const faultOf = (text: string) =>
    readHookify(text, "hookify.a.local.md").faults.map(({ message }) => inWords(message));
  assert.deepEqual(faultOf("---\nevent: stop\n---\n"), [
    "Wächterregeln betreffen Tool-Aufrufe, nicht stop",
    "sie hat weder ein Muster noch Bedingungen",
    "sie sagt nach ihrem Kopf nichts",
  ]);
});

test("and what the keys of a rules file mean", (t) => {
  speakGerman(t);
  assert.equal(
    inWords(describeKey(["exceptions", "*", "until"]) ?? plainSentence("none")),
    "Nur vor diesem Tag.",
  );
});

test("a pattern that is not linear is a fault in every field with a pattern", () => {
  const ofArguments = ["operand", "every", "last", "word", "writes"].flatMap((name) => [
    `${name}: { like: (?=a) }`,
    `${name}: { givenVariable: (?=a) }`,
  ]);
  const others = ["text: (?=a)", "notText: (?=a)", "value: { of: -o, like: (?=a) }"];
  const statements = ["statement: { like: (?=a) }", "statement: { like: a, unlike: (?=a) }"];
  for (const field of [...ofArguments, ...others, ...statements]) {
    const match = `      - program: git\n        ${field}`;
    const fault = shown(`rules:\n  - id: no-push\n    message: It pushes.\n    match:\n${match}`);
    assert.match(fault, /^line 6: rules\.0\.match\.0\..* is no linear regular expression/u, field);
  }
});
