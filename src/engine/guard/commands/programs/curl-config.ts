import type { Effort } from "../../effort.ts";
import { plainArgument, type Argument } from "../invocation.ts";

/** Lines of a configuration that are read. */
const maxLines = 50;
const line = /^\s{0,20}-{0,2}([\w-]{1,40})(?:\s{0,9}[=:]\s{0,9}|\s{1,9})"?([^"\n]{1,1000})"?/u;

/** Returns the words of curl with those that it reads from its input: `data = "@FILE"` is `--data @FILE`. */
export function withConfig(
  program: string,
  args: readonly Argument[],
  input: string | null,
  effort: Effort,
): readonly Argument[] {
  if (program !== "curl" || input === null) return args;
  const isRead = args.some(({ text }, at) => {
    const value =
      text === "-K" || text === "--config" ? args[at + 1]?.text : /^(?:-K|--config=)(.+)$/u.exec(text)?.[1];
    return value === "-" || value?.startsWith("/dev/") === true;
  });
  if (!isRead) return args;
  const lines = input.split("\n");
  if (lines.length > maxLines) effort.leaveOut();
  const read = lines.slice(0, maxLines).flatMap((each) => {
    const [, name, value] = line.exec(each) ?? [];
    return name === undefined || value === undefined
      ? []
      : [`${name.length === 1 ? "-" : "--"}${name}`, value];
  });
  return [...args, ...read.map(plainArgument)];
}
