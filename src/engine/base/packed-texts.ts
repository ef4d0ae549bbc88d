import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { parseJson } from "./parse.ts";
import type { Translation } from "./text/l10n.ts";

/** The file with all English sentences of a build: a JSON array, compressed with Brotli. */
export const sentencesFile = "texts.br";

/** The file with a language's texts: a JSON array with the text, or null, of each English sentence, in the same order. */
export function packedTextsFile(language: string): string {
  return `texts.${language}.br`;
}

/** Returns the translation into the first of these languages that the build in `folder` has. */
export function readPackedTranslation(folder: string, languages: readonly string[]): Translation | undefined {
  for (const language of languages) {
    const texts = readTexts(path.join(folder, packedTextsFile(language)));
    if (texts === undefined) continue;
    const sentences = readTexts(path.join(folder, sentencesFile)) ?? [];
    const messages: Record<string, string> = {};
    for (const [at, sentence] of sentences.entries()) {
      const text = texts[at];
      if (typeof sentence === "string" && typeof text === "string") messages[sentence] = text;
    }
    return { language, messages };
  }
  return undefined;
}

function readTexts(file: string): readonly unknown[] | undefined {
  try {
    const read = parseJson(brotliDecompressSync(readFileSync(file)).toString());
    return Array.isArray(read) ? read : undefined;
  } catch {
    // Not translated into this language.
    return undefined;
  }
}
