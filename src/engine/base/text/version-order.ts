/**
 * Returns a number below 0 if `a` is older than `b`. A text that is not a version of three numbers is older
 * than any.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const differing = left.findIndex((number, index) => number !== right[index]);
  return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}

function numbersOf(version: string): number[] {
  const parts = /^(\d+)\.(\d+)\.(\d+)/u.exec(version)?.slice(1).map(Number);
  return parts ?? [-1, -1, -1];
}

export function isVersionBefore(version: string, other: string): boolean {
  return compareVersions(version, other) < 0;
}

/** Words that no shell changes. */
export const plainWord = /^[\w@%+=:,./-]+$/u;

/** Returns a command line that a person can paste into a shell: PowerShell on Windows, else one that quotes as `sh` does. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => (plainWord.test(word) ? word : quotedWord(word, platform))).join(" ");
}

/** Quotes a word, so that a shell never interprets it. */
export function quotedWord(word: string, platform: NodeJS.Platform): string {
  // A line break would run the part before it, an escape could end the terminal's bracketed paste, and marks of direction hide what is there.
  const line = word.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "");
  // PowerShell treats typographic quotes as quotes too.
  return platform === "win32"
    ? `'${line.replace(/['\u2018-\u201b]/gu, "$&$&")}'`
    : `'${line.replaceAll("'", `'\\''`)}'`;
}
