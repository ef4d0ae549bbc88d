import { isolated } from "../base/text.ts";
import type { CliHost } from "./cli-ports.ts";

/** Without colour, styles change nothing. */
export interface Style {
  /** Infinity for a file or a pipe, where lines may have any length. Cells. */
  readonly width: number;
  /** Keeps a text that may run from right to left from reordering its line; a file or a pipe gets it as it is. */
  readonly isolated: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  /** Needs attention. */
  readonly warning: (text: string) => string;
  /** Needs action now. */
  readonly error: (text: string) => string;
}

/** `FORCE_COLOR` overrides `NO_COLOR`, which overrides the kind of output. An empty value counts as unset. */
export function styleFor({ env, stdout }: Pick<CliHost, "env" | "stdout">): Style {
  const forced = env["FORCE_COLOR"] ?? "";
  const isForced = forced !== "" && forced !== "0" && forced !== "false";
  const isRefused =
    forced === "0" || forced === "false" || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const isColoured = isForced || (!isRefused && stdout.isTTY === true);
  const marked = (code: number, end: number) => (text: string) =>
    isColoured ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return {
    width: lineWidth(stdout),
    isolated: (text) => (stdout.isTTY === true ? isolated(text) : text),
    bold: marked(1, 22),
    dim: marked(2, 22),
    warning: marked(33, 39),
    error: marked(31, 39),
  };
}

/** Nothing can be read in narrower terminals. Cells. */
const minWidth = 20;

/** A terminal that does not know its width reports 0, or none. */
function lineWidth({ isTTY, columns }: CliHost["stdout"]): number {
  if (isTTY !== true || columns === undefined || columns < 1) return Infinity;
  return Math.max(minWidth, columns);
}
