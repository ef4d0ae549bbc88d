import { ownValue } from "../own-value.ts";
import type { CommandNode, Redirection as RedirectionNode } from "unbash";
import { programName, type Redirection, type Shown } from "./invocation.ts";

const order: readonly Shown[] = ["none", "part", "whole"];

export function lesserShown(first: Shown, second: Shown): Shown {
  return order.indexOf(first) < order.indexOf(second) ? first : second;
}

/** Tests whether a redirection takes the output, not only errors. */
export function isStandardOutput({ operator, ...node }: RedirectionNode): boolean {
  if (operator.startsWith("&")) return true;
  const { descriptor } = node;
  return descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 1);
}

/** Kinds of redirections by operator. */
export const redirectionKinds: Readonly<Record<string, Redirection["kind"]>> = {
  ">": "write",
  ">|": "write",
  "&>": "write",
  ">&": "write",
  "<>": "write",
  ">>": "append",
  "&>>": "append",
  "<": "read",
};

const terminals = new Set(["/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2"]);

/** Returns how much of an output is shown after redirections. */
export function afterRedirections(shown: Shown, redirections: readonly Redirection[]): Shown {
  const isTaken = redirections.some(
    ({ kind, target, isOutput }) => kind !== "read" && isOutput && !terminals.has(target.text),
  );
  return isTaken ? "none" : shown;
}

/** Programs that print their whole input. */
const passing = new Set("cat tee less more most nl sort tac pv column fold expand bat batcat".split(" "));
/** Programs that print a part of it, or all in another form. */
const cutting = new Set(
  "head tail grep egrep fgrep rg ag sed awk gawk mawk cut uniq tr rev jq yq fmt strings base64 base32 xxd od hexdump hd python python3 perl ruby node comm paste shuf openssl gzip uuencode".split(
    " ",
  ),
);
/** Words that make such a program drop the values of `NAME=value` lines, or all text. */
const namesOnly: Readonly<Record<string, RegExp>> = {
  grep: /(?:^|\s)(?:(?:-[abd-km-pr-zA-KM-Z]*[cqlL][a-zA-Z]*|--count|--quiet|--silent)(?:\s|$)|--files-with)/u,
  rg: /(?:^|\s)(?:-[abd-km-pr-zA-Z]*[cql][a-zA-Z]*|--count|--quiet)(?:\s|$)/u,
  cut: /(?:^|\s)-f ?1(?:\s|$)/u,
  sed: /=\.\*/u,
  awk: /^(?!.*\$[02-9]).*\$1/u,
};

/** Returns how much of a command's output is shown after the later commands of its pipeline. */
export function shownAfter(later: readonly CommandNode[]): Shown {
  let shown: Shown = "whole";
  for (const node of later) {
    if (node.type !== "Command") return "none";
    const program = programName(node.name?.value ?? "");
    if (passing.has(program)) continue;
    if (!cutting.has(program)) return "none";
    if (ownValue(namesOnly, program)?.test(node.args.map(({ text }) => text).join(" ")) === true)
      return "none";
    shown = "part";
  }
  return shown;
}
