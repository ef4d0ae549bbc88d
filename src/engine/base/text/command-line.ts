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
