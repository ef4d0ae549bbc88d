import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { z } from "zod";
import { packedTextsFile, sentencesFile } from "../../src/engine/base/packed-texts.ts";

type Texts = Readonly<Record<string, string>>;

/**
 * Writes the texts of all languages in `l10n` into a build's folder. The English sentences are there once, for all languages: as files of
 * the editor's own form, which repeat them, they take a half more of the package.
 * @param isNeeded whether a program of that folder shows the sentence
 */
export function packTexts(
  l10n: string,
  folder: string,
  quality: number,
  isNeeded: (sentence: string) => boolean = () => true,
): void {
  const sentences = Object.keys(textsIn(path.join(l10n, "bundle.l10n.json"))).filter(isNeeded);
  writeFileSync(path.join(folder, sentencesFile), packed(sentences, quality));
  for (const file of globSync("bundle.l10n.*.json", { cwd: l10n })) {
    const language = file.slice("bundle.l10n.".length, -".json".length);
    packTranslation({ folder, language, sentences, texts: textsIn(path.join(l10n, file)), quality });
  }
}

/** @param quality of Brotli, 0 to 11 */
export function packTranslation({
  folder,
  language,
  sentences,
  texts,
  quality,
}: {
  readonly folder: string;
  readonly language: string;
  readonly sentences: readonly string[];
  readonly texts: Texts;
  readonly quality: number;
}): void {
  const own = sentences.map((sentence) => (Object.hasOwn(texts, sentence) ? texts[sentence] : null));
  writeFileSync(path.join(folder, packedTextsFile(language)), packed(own, quality));
}

function packed(value: unknown, quality: number): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotliCompressSync(json, {
    params: {
      [BROTLI_PARAM_QUALITY]: quality,
      [BROTLI_PARAM_LGWIN]: 24,
      [BROTLI_PARAM_SIZE_HINT]: json.length,
    },
  });
}

function textsIn(file: string): Texts {
  return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8")));
}
