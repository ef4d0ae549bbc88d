import { starPattern } from "../../base/text.ts";
import { isUnknown } from "./invocation.ts";

/** Programs that do harm, or run others, by the names that a pattern in a command's place may stand for. */
const programs =
  "rm dd sh bash zsh dash cat mv cp git find xargs sudo env chmod chown shred mkfs curl wget nc psql mysql kubectl docker terraform aws python python3 perl node ruby tee ssh eval mkfs.ext4 scp rsync npm gh gcloud az helm dropdb redis-cli mongosh mongo crontab killall pkill kill shutdown reboot wipefs".split(
    " ",
  );

/** Returns the program that a pattern such as `/bin/r?` finds; null for none. */
export function fittingProgram(pattern: string): string | null {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  const fits = globFits(name);
  return fits === null ? null : (programs.find((each) => fits.test(each)) ?? null);
}

/** Folders and files that matter most, by the names that a pattern may stand for. */
const names =
  "bin boot etc home lib opt root sbin srv sys usr var proc Users .env .env.local .env.production .ssh .aws .gnupg .git .claude .codex .gemini .purser .docker .kube .config id_rsa id_ed25519 id_ecdsa credentials authorized_keys config.json settings.json guard.yaml shadow passwd sudoers .pgpass .git-credentials .bashrc .zshrc master.key".split(
    " ",
  );
/** Paths that one pattern is taken for, at most. */
const mostPaths = 12;

/** Returns paths that matter among those that a pattern finds. */
export function fittingPaths(pattern: string): readonly string[] {
  const known = found.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > longestPath) return [];
  let paths = [""];
  for (const [index, part] of pattern.split("/").entries()) {
    const fits = /[*?[]/u.test(part) ? globFits(part) : null;
    const isDotted = part.startsWith(".") || part.startsWith("[");
    const choices =
      fits === null ? [part] : names.filter((each) => (isDotted || !each.startsWith(".")) && fits.test(each));
    paths = paths
      .flatMap((before) => choices.map((choice) => (index === 0 ? choice : `${before}/${choice}`)))
      .slice(0, mostPaths);
  }
  const others = paths.filter((each) => each !== pattern);
  if (found.size >= mostKept) found.clear();
  found.set(pattern, others);
  return others;
}

/** Likewise, of a whole path. */
const longestPath = 300;

/** Patterns are few, and tested by many rules. */
const found = new Map<string, readonly string[]>();
const mostKept = 100;

/** Returns the names of hidden files that matter, and hold a text. */
export function hiddenWith(text: string): readonly string[] {
  return text === "" ? [] : names.filter((name) => name.startsWith(".") && name.includes(text));
}

/** Longest pattern that is looked at. Characters. */
const longest = 40;

/** Returns a regular expression for the names that a pattern of the shell finds; null where it finds any name. */
function globFits(pattern: string): RegExp | null {
  if (pattern.length > longest || !/[A-Za-z0-9]/u.test(pattern) || /\[[^[\]*]*\*/u.test(pattern)) return null;
  const text = pattern
    .replaceAll(/[.+^${}()|\\]/gu, "\\$&")
    .replaceAll("?", ".")
    .replaceAll(/\[!/gu, "[^");
  try {
    return starPattern(text.split(/\*+/u));
  } catch {
    // A bracket that nothing closes is a letter of the name.
    return null;
  }
}

export const hasPattern = (text: string): boolean => /[*?[]/u.test(text);

/**
 * Returns a text without the beginning or the end that a pattern matches, as `${x#…}` and `${x%…}` do; null for patterns other than plain
 * text and plain text behind or before a `*`.
 */
export function withoutMatch(
  text: string,
  operator: "#" | "##" | "%" | "%%",
  pattern: string,
): string | null {
  const isStart = operator.startsWith("#");
  const literal = isStart ? pattern.replace(/^\*/u, "") : pattern.replace(/\*$/u, "");
  if (hasPattern(literal) || literal === "" || isUnknown(literal) || isUnknown(text)) return null;
  if (literal === pattern)
    return isStart
      ? text.slice(text.startsWith(literal) ? literal.length : 0)
      : text.slice(0, text.endsWith(literal) ? -literal.length : undefined);
  const isFirst = operator === "#" || operator === "%%";
  const at = isFirst ? text.indexOf(literal) : text.lastIndexOf(literal);
  if (at === -1) return text;
  return isStart ? text.slice(at + literal.length) : text.slice(0, at);
}
