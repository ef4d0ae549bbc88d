import { cleanText } from "./text.ts";

/** Words that no shell changes. */
const plain = /^[\w./:=@%+,-]+$/u;

/** Returns a command line that a person can paste into a shell. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  const quote = platform === "win32" ? inDoubleQuotes : inSingleQuotes;
  return words.map((word) => (plain.test(word) ? word : quote(cleanText(word)))).join(" ");
}

function inSingleQuotes(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function inDoubleQuotes(word: string): string {
  return `"${word.replaceAll('"', '\\"')}"`;
}
