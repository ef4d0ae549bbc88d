import type { ShellContext } from "../commands/invocation.ts";
import { compressCommand, keptOutputsIn, type Shortened } from "./compress-command.ts";
import { compressTool } from "./compress-tool.ts";
import type { OutputSource } from "./tool-answers.ts";

/** A bundle of its own, loaded with the first long output. */
export { keptOutputsIn };

/** Makes the output of a command, or of another tool, smaller; null where too little is to be gained. */
export function compressFrom(
  output: string,
  source: OutputSource,
  context: ShellContext,
  isSuccess: boolean,
): Shortened | null {
  if (source.kind === "command") return compressCommand(output, source.line, context, isSuccess);
  return isSuccess ? compressTool(output, source.tool, source.format) : null;
}
