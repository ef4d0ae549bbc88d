/**
 * Translates sentences: in the extension, in panels and in `purser`. The program's entry installs a translation before any other module is evaluated; without one, everything is in English.
 */

export interface Translation {
  /** A BCP 47 tag, such as `de` or `pt-br`. Numbers and dates are formatted for it. */
  readonly language: string;
  readonly messages: Readonly<Record<string, string>>;
}

export type Value = string | number;

/**
 * Name of the global variable that holds the translation. A module's own variable would not do: bundles that share code have several copies of
 * this module, and a page's translation is there before its first module.
 */
export const translationKey = "contextPurserTranslation";

export function installTranslation(translation: Translation): void {
  Reflect.set(globalThis, translationKey, translation);
}

/** Returns the language of the texts: `en` where no translation is installed. */
export function language(): string {
  return installed()?.language ?? "en";
}

/**
 * Returns a sentence in the user's language, with its placeholders filled: `t("{0} of {1} runs", done, all)`, or by name,
 * `t("{done} of {all} runs", { done, all })`. Without values, placeholders are left as they are.
 *
 * @param message the English sentence, always a literal, since `npm run l10n` collects it from the source
 */
export function t(message: string, ...values: readonly Value[]): string;
export function t(message: string, values: Readonly<Record<string, Value>>): string;
export function t(message: string, ...values: readonly (Value | Readonly<Record<string, Value>>)[]): string {
  return filled(translated(message), values);
}

/** Returns a sentence with its placeholders filled, by position or, where the only value is an object, by name. */
export function filled(
  sentence: string,
  values: readonly (Value | Readonly<Record<string, Value>>)[],
): string {
  const [first] = values;
  if (first === undefined) return sentence;
  const named = new Map(
    typeof first === "object" ? Object.entries(first) : values.map((value, index) => [String(index), value]),
  );
  return sentence.replaceAll(/\{(\w+)\}/gu, (placeholder, name: string) => {
    const value = named.get(name);
    return typeof value === "object" || value === undefined ? placeholder : String(value);
  });
}

/**
 * Returns the user's translation of a sentence that is not collected from a call of `t`, such as a command's
 * help.
 */
export function translated(message: string): string {
  const found: unknown = Reflect.get(installed()?.messages ?? {}, message);
  return typeof found === "string" ? found : message;
}

/** Chooses between two whole sentences: `plural(count, t("1 session"), t("{0} sessions", count))`. */
export function plural<Words>(count: number, one: Words, many: Words): Words {
  return count === 1 ? one : many;
}

function installed(): Translation | undefined {
  const found: unknown = Reflect.get(globalThis, translationKey);
  return isTranslation(found) ? found : undefined;
}

function isTranslation(value: unknown): value is Translation {
  if (typeof value !== "object" || value === null || !("language" in value) || !("messages" in value))
    return false;
  return typeof value.language === "string" && typeof value.messages === "object" && value.messages !== null;
}
