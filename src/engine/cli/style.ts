import type { CliHost } from "./ports.ts";

/** Styles text for a terminal; without colour it changes nothing. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  /** Needs attention. */
  warning(text: string): string;
  /** Needs action now. */
  error(text: string): string;
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
  return { bold: marked(1, 22), dim: marked(2, 22), warning: marked(33, 39), error: marked(31, 39) };
}
