import { filled, type Value } from "./l10n.ts";

/**
 * Makes an English sentence for a person in the service or in a worker, which serve people of several
 * languages. It is stored, sent and exported unchanged. The code that shows it translates it with
 * `inLanguage`. A placeholder with a name that begins with `said` stands for another such sentence:
 * `english("Held back: {saidWhy}", { saidWhy })`; one with `saidEach` for several, joined by commas.
 *
 * @param message the English sentence, always a literal, since `npm run l10n` collects it from the source
 */
export function english(message: string, ...values: readonly Value[]): string;
export function english(message: string, values: Readonly<Record<string, Value>>): string;
export function english(
  message: string,
  ...values: readonly (Value | Readonly<Record<string, Value>>)[]
): string {
  return filled(message, values);
}
