import { isObject } from "../../../base/is-object.ts";

/** Matches lines from `shimLine` and `guardedLines`: the quoted path, followed by the mark. */
const quoted = /(?:"(?<plain>[^"]*)"|(?<posix>'[^']*(?:'\\''[^']*){0,20}')) --purser-hook=/u;

/** Returns the path of the shim that a hook of ours runs; null when it is posted, or written in an unknown form. */
export function shimPathIn(handler: unknown): string | null {
  if (!isObject(handler)) return null;
  const { args, command, bash } = handler;
  // The mark follows the path, as in `shimArguments`.
  const argument: unknown = Array.isArray(args) ? args.at(-2) : undefined;
  if (typeof argument === "string") return argument;
  const lines = [command, bash].filter((each) => typeof each === "string");
  const { plain, posix } = lines.map((line) => quoted.exec(line)?.groups).find(Boolean) ?? {};
  return plain ?? posix?.slice(1, -1).replaceAll(String.raw`'\''`, "'") ?? null;
}
