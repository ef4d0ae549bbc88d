/** Programs that do harm, or run others, by the names that a pattern in a command's place may stand for. */
const programs =
  "rm dd sh bash zsh dash cat mv cp git find xargs sudo env chmod chown shred mkfs curl wget nc psql mysql kubectl docker terraform aws python python3 perl node ruby tee ssh eval".split(
    " ",
  );

/** Returns the program that a pattern such as `/bin/r?` finds; null for none. */
export function fittingProgram(pattern: string): string | null {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  const fits = globFits(name);
  return fits === null ? null : (programs.find((each) => fits.test(each)) ?? null);
}

/** Longest pattern that is looked at. Characters. */
const longest = 40;

/** Returns a regular expression for the names that a pattern of the shell finds; null where it finds any name. */
export function globFits(pattern: string): RegExp | null {
  if (pattern.length > longest || !/[A-Za-z0-9]/u.test(pattern)) return null;
  // Neighbouring stars are one, so that testing takes one pass a star.
  const text = pattern
    .replaceAll(/\*+/gu, "*")
    .replaceAll(/[.+^${}()|\\]/gu, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
    .replaceAll(/\[!/gu, "[^");
  try {
    return new RegExp(`^${text}$`, "u");
  } catch {
    // A bracket that nothing closes is a letter of the name.
    return null;
  }
}
