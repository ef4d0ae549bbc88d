import { isObject } from "./entry.ts";

/** The line's form is `shimLine`'s or `guardedLines`'s: the path is quoted, and the mark comes after it. */
const quoted = /(?:"(?<plain>[^"]*)"|(?<posix>'(?:[^']|'\\'')*')) --purser-hook=/u;

/** The path of the shim that a hook of ours runs; null when it is posted, or written in a form that is none of ours. */
export function shimPathIn(handler: unknown): string | null {
  if (!isObject(handler)) return null;
  const { args, command, bash } = handler;
  // The mark comes after it, as `shimArguments` writes them.
  const told: unknown = Array.isArray(args) ? args.at(-2) : undefined;
  if (typeof told === "string") return told;
  const lines = [command, bash].filter((each) => typeof each === "string");
  const { plain, posix } = lines.map((line) => quoted.exec(line)?.groups).find(Boolean) ?? {};
  return plain ?? posix?.slice(1, -1).replaceAll(String.raw`'\''`, "'") ?? null;
}
