import { starPattern } from "../../base/text.ts";
import { isUnknown } from "./invocation.ts";

/** Dangerous programs, and programs that run others, for patterns in a command's place. */
const programs =
  "rm dd sh bash zsh dash cat mv cp git find xargs sudo env chmod chown shred mkfs curl wget nc psql mysql kubectl docker terraform aws python python3 perl node ruby tee ssh eval mkfs.ext4 scp rsync npm gh gcloud az helm dropdb redis-cli mongosh mongo crontab killall pkill kill shutdown reboot wipefs".split(
    " ",
  );

/** Returns the program that a pattern such as `/bin/r?` matches; null for none. */
export function fittingProgram(pattern: string): string | null {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  const fits = globFits(name);
  return fits === null ? null : (programs.find((each) => fits.test(each)) ?? null);
}

/** Important folders and files, for patterns in paths. */
const names =
  "bin boot etc home lib opt root sbin srv sys usr var proc Users .env .env.local .env.production .ssh .aws .gnupg .git .claude .codex .gemini .purser .docker .kube .config id_rsa id_ed25519 id_ecdsa credentials authorized_keys config.json settings.json guard.yaml shadow passwd sudoers .pgpass .git-credentials .bashrc .zshrc master.key".split(
    " ",
  );
/** Maximum paths of one pattern. */
const maxPaths = 12;

/** Returns the important paths that a pattern matches. */
export function fittingPaths(pattern: string): readonly string[] {
  const known = found.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > maxPathLength) return [];
  let paths = [""];
  for (const [index, part] of pattern.split("/").entries()) {
    const fits = /[*?[]/u.test(part) ? globFits(part) : null;
    const isDotted = part.startsWith(".") || part.startsWith("[");
    const choices =
      fits === null ? [part] : names.filter((each) => (isDotted || !each.startsWith(".")) && fits.test(each));
    paths = paths
      .flatMap((before) => choices.map((choice) => (index === 0 ? choice : `${before}/${choice}`)))
      .slice(0, maxPaths);
  }
  const others = paths.filter((each) => each !== pattern);
  if (found.size >= maxCached) found.clear();
  found.set(pattern, others);
  return others;
}

/** Maximum length of a path with patterns. Characters. */
const maxPathLength = 300;

/** Cached, as many rules test the same few patterns. */
const found = new Map<string, readonly string[]>();
const maxCached = 100;

/** Returns the important hidden files with a text in their name. */
export function hiddenWith(text: string): readonly string[] {
  return text === "" ? [] : names.filter((name) => name.startsWith(".") && name.includes(text));
}

/** Maximum length of a name with patterns. Characters. */
const maxLength = 40;

/** Returns a regular expression for the names that a shell pattern matches; null if it matches any name. */
function globFits(pattern: string): RegExp | null {
  if (pattern.length > maxLength || !/[A-Za-z0-9]/u.test(pattern) || /\[[^[\]*]*\*/u.test(pattern))
    return null;
  const text = pattern
    .replaceAll(/[.+^${}()|\\]/gu, "\\$&")
    .replaceAll("?", ".")
    .replaceAll(/\[!/gu, "[^");
  try {
    return starPattern(text.split(/\*+/u));
  } catch {
    // An unclosed bracket is a letter of the name.
    return null;
  }
}

export const hasPattern = (text: string): boolean => /[*?[]/u.test(text);

/** Removes the beginning or end that a pattern matches, as `${x#…}` and `${x%…}` do; null unless the pattern is plain text with at most one outer `*`. */
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
