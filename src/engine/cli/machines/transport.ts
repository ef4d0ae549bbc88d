import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import { sentence } from "../../base/language.ts";
import type { KnownMachine } from "./machines-file.ts";

/** A program that prints another machine's rows. */
export interface Transport {
  readonly program: string;
  readonly args: readonly string[];
}

/** Names that no program takes for an option or a part of a command. */
const host = /^(?:[A-Za-z0-9_][\w.-]*@)?(?:[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/u;
const name = /^[A-Za-z0-9][\w.-]*$/u;
const scheme = /^(ssh|wsl|docker):\/\/(.*)$/u;

/** Seconds until a host counts as out of reach. */
const connectTime = 15;

/** An address as it is stored; a folder becomes absolute. */
export function addressIn(text: string, cwd: string): Result<string, "bad_argument"> {
  const [, kind, rest = ""] = scheme.exec(text) ?? [];
  if (kind === undefined)
    return text.includes("://")
      ? fail("bad_argument", sentence("{0} is not ssh://HOST, wsl://NAME, docker://NAME or a folder", text))
      : succeed(path.resolve(cwd, text));
  if ((kind === "ssh" ? host : name).test(rest)) return succeed(text);
  return fail("bad_argument", sentence("{0} has no valid name of a machine after {1}", text, `${kind}://`));
}

/** Null for a folder. @param cursor see `cursorIn`, which lets only letters, digits and points pass */
export function transportOf(
  { address, command, titles, paths }: Pick<KnownMachine, "address" | "command" | "titles" | "paths">,
  cursor: string | null,
): Transport | null {
  const [, kind, rest = ""] = scheme.exec(address) ?? [];
  const words = [
    ...command,
    "ledger",
    "export",
    "--format",
    "ndjson",
    ...(cursor === null ? [] : ["--since", cursor]),
    ...(titles ? ["--titles"] : []),
    ...(paths ? ["--paths"] : []),
  ];
  if (kind === "wsl") return { program: "wsl.exe", args: ["-d", rest, "-e", ...words] };
  if (kind === "docker") return { program: "docker", args: ["exec", rest, ...words] };
  if (kind !== "ssh") return null;
  const [, target = "", port] = /^(.*?)(?::(\d+))?$/u.exec(rest) ?? [];
  const options = ["-T", "-o", "BatchMode=yes", "-o", `ConnectTimeout=${connectTime}`];
  return {
    program: "ssh",
    // The far shell gets one line: each word is quoted for it.
    args: [
      ...options,
      ...(port === undefined ? [] : ["-p", port]),
      "--",
      target.replaceAll(/[[\]]/gu, ""),
      words.map(quoted).join(" "),
    ],
  };
}

function quoted(word: string): string {
  return /^[\w./:=@%+-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
