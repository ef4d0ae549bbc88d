import type { Finding } from "../../delivery.ts";

/** Facts about the machine that checks look up. Each answers null, or `unknown`, if it is not certain. */
export interface FactPorts {
  /** Returns what is at a path, following links. */
  readonly look: (path: string) => Promise<"file" | "folder" | "none" | "unknown">;
  /** Returns the text of a small file; null for none. */
  readonly text: (path: string) => Promise<string | null>;
  readonly list: (folder: string) => Promise<readonly string[] | null>;
  /** Returns files of a project, relative with slashes. The list may be some seconds old and incomplete. */
  readonly filesOf: (project: string) => Promise<readonly string[]>;
  /** Returns all current files below a folder except those of packages; null for too many. */
  readonly walk: (folder: string) => Promise<readonly string[] | null>;
  /** Runs git in a folder so that it starts no other program. Null if it could not be run. */
  readonly git: (
    folder: string,
    args: readonly string[],
  ) => Promise<{ readonly code: number; readonly output: string } | null>;
  /** Returns the help of a trusted installed program about its options; null for any other. */
  readonly help: (program: string, subcommand: string | null, folder: string) => Promise<string | null>;
  /** The folders in which programs are searched. */
  readonly searched: readonly string[];
  /** Returns the root of the project that a folder is in. */
  readonly projectOf: (folder: string) => string;
}

/** Quotes a name as data: on one line, and short. */
export function quoted(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}`]/gu, "?");
  return `\`${plain.length > 200 ? `${plain.slice(0, 200)}…` : plain}\``;
}

export function listed(names: readonly string[]): string {
  const all = names.map(quoted);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1) ?? ""}`;
}

/** Lists the similar names that exist, or else the first of all. */
export function nearestOrAll(nearest: readonly string[], all: readonly string[], max = 8): string {
  if (nearest.length > 0) return `The nearest that it has: ${listed(nearest)}.`;
  if (all.length === 0) return "";
  return `It has: ${all.slice(0, max).map(quoted).join(", ")}${all.length > max ? ", …" : ""}.`;
}

/** Makes the report about a missing thing: a sentence about it, and one about existing things. */
export function missing(
  rule: string,
  { about, says, nearest }: { readonly about: string; readonly says: string; readonly nearest: string },
): Finding {
  return { rule, family: "facts", text: nearest === "" ? says : `${says} ${nearest}`, excerpt: about, about };
}
