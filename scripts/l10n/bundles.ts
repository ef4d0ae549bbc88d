import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { placeholdersIn } from "./sentences.ts";

const texts = z.record(z.string(), z.string());

/** A translation, and what is wrong with it. */
export interface CheckedTranslation {
  readonly file: string;
  readonly faults: readonly string[];
  /** Sentences without a translation, which are shown in English. */
  readonly missing: readonly string[];
}

/** The text of `bundle.l10n.json`: each sentence is its own key. */
export function bundleText(messages: readonly string[]): string {
  const entries = Object.fromEntries(messages.map((message) => [message, message]));
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** A translation's text, sorted as the English one, without obsolete sentences. */
export function tidied(messages: readonly string[], translation: string): string {
  const known = texts.parse(JSON.parse(translation));
  const kept = messages.flatMap((message): [string, string][] => {
    const text = Object.hasOwn(known, message) ? known[message] : undefined;
    return text === undefined ? [] : [[message, text]];
  });
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
}

/** Compares every translation with the English texts. */
export function translationsIn(root: string): CheckedTranslation[] {
  return [
    ["l10n/bundle.l10n.json", "l10n/bundle.l10n.*.json"],
    ["package.nls.json", "package.nls.*.json"],
  ].flatMap(([english = "", pattern = ""]) =>
    globSync(pattern, { cwd: root })
      .toSorted()
      .map((file) => {
        const [own, translated] = [textsOf(root, english), textsOf(root, file)];
        return { file, faults: faultsOf(own, translated), missing: missingIn(own, translated) };
      }),
  );
}

/** Returns the sentences that a translation lacks. */
export function missingIn(
  english: Readonly<Record<string, string>>,
  translated: Readonly<Record<string, string>>,
): string[] {
  return Object.keys(english).filter((key) => !Object.hasOwn(translated, key));
}

/** Returns what is unknown in a translation, or differs in its placeholders. */
export function faultsOf(
  english: Readonly<Record<string, string>>,
  translated: Readonly<Record<string, string>>,
): string[] {
  const unknown = Object.keys(translated).filter((key) => !Object.hasOwn(english, key));
  const differing = Object.entries(translated).filter(
    ([key, text]) => Object.hasOwn(english, key) && partsOf(english[key] ?? "") !== partsOf(text),
  );
  return [
    ...unknown.map((key) => `no longer said: ${key}`),
    ...differing.map(([key, text]) => `other placeholders, links or codes than "${key}": ${text}`),
  ];
}

/** Parts that a translation must not change: placeholders, targets of links, icons. A placeholder may be repeated. */
function partsOf(text: string): string {
  const links = [...text.matchAll(/\]\([^)]*\)|\$\([\w~-]+\)/gu)].map(([link]) => link);
  return [...placeholdersIn(text), ...links.toSorted()].join("\n");
}

function textsOf(root: string, file: string): Record<string, string> {
  return texts.parse(JSON.parse(readFileSync(path.join(root, file), "utf8")));
}
