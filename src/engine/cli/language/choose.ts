import { readFileSync } from "node:fs";
import path from "node:path";
import type { Translation } from "../../base/language.ts";

/** Everything that decides about the language of `purser`. */
export interface Speaker {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person reads the output: standard output is a terminal. */
  readonly isTerminal: () => boolean;
}

/**
 * Returns the languages to try, the best first; none for English. `PURSER_LANG` decides, else the locale, as
 * for other programs in a terminal. Output for programs stays English: JSON, and, without `PURSER_LANG`,
 * everything that is not printed to a terminal, because agents run `purser` that way.
 */
export function wantedLanguages({ argv, env, isTerminal }: Speaker): string[] {
  const own = env["PURSER_LANG"] ?? "";
  const locale = [own, env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]].find((each) => (each ?? "") !== "");
  const tag = tagOf(locale ?? "");
  const [primary = ""] = tag.split("-");
  if (primary === "" || primary === "en" || argv.includes("--json")) return [];
  if (own === "" && !isTerminal()) return [];
  return [...new Set([tag, primary])];
}

/** Reads the translation in the first of these languages that there is one in. @param folder the folder `l10n` */
export function readTranslation(folder: string, languages: readonly string[]): Translation | undefined {
  for (const language of languages) {
    try {
      const text = readFileSync(path.join(folder, `bundle.l10n.${language}.json`), "utf8");
      return { language, messages: textsIn(JSON.parse(text)) };
    } catch {
      // Not translated into this language.
    }
  }
  return undefined;
}

/** `de_AT.UTF-8@euro` as `de-at`; empty for `C`, `POSIX`, and what is not a language. */
function tagOf(locale: string): string {
  const [name = ""] = locale.split(/[.@]/u);
  const tag = name.replaceAll("_", "-").toLowerCase();
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/u.test(tag) ? tag : "";
}

function textsIn(read: unknown): Record<string, string> {
  const entries = typeof read === "object" && read !== null ? Object.entries(read) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
