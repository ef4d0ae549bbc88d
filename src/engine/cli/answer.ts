import { succeed, type Result } from "../base/result.ts";
import { printedJson } from "../base/text.ts";
import type { ParsedOptions } from "./args.ts";
import type { CliHost } from "./cli-ports.ts";

export interface Invocation {
  readonly options: ParsedOptions;
  readonly host: CliHost;
}

/** Prints JSON if the options ask for it, else text. */
export function answer<Json>(
  json: Json,
  text: string | ((json: Json) => string),
  { options, host }: Invocation,
): Result<number> {
  if (options.has("json")) host.stdout.write(`${printedJson(json, 2)}\n`);
  else host.stdout.write(typeof text === "string" ? text : text(json));
  return succeed(0);
}

/** Standard error when JSON goes to standard output. */
export function humanOutput({ options, host }: Invocation): CliHost {
  return options.has("json") ? { ...host, stdout: host.stderr } : host;
}
