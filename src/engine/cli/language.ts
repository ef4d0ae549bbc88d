import { readFileSync } from "node:fs";
import path from "node:path";
import type { Translation } from "../base/language.ts";
import { parseJson } from "../base/parse.ts";

export interface Speaker {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: () => boolean;
}

/**
 * Languages to try, best first; none for English. `PURSER_LANG` decides, else the locale. Output for programs is English: JSON, and without
 * `PURSER_LANG` everything that is not printed to a terminal, since agents run `purser` that way.
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

/** The first of these languages that has a translation in `folder`. */
export function readTranslation(folder: string, languages: readonly string[]): Translation | undefined {
  for (const language of languages) {
    try {
      const text = readFileSync(path.join(folder, `bundle.l10n.${language}.json`), "utf8");
      const read = parseJson(text);
      if (read !== undefined) return { language, messages: textsIn(read) };
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
