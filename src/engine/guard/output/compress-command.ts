import type { ShellContext } from "../commands/invocation.ts";
import { readCommandLine } from "../commands/shell-reader.ts";
import { compressOutput, type Compressed } from "./compressors/compress.ts";

/** Makes a command's output smaller by the programs that it runs. A bundle of its own, loaded with the first long output. */
export function compressCommand(output: string, command: string, context: ShellContext): Compressed | null {
  const invocations = readCommandLine(command, context);
  const isGuess = invocations.some((each) => each.isGuess);
  const names = invocations.map(({ program, args }) => [program, ...args.map(({ text }) => text)]);
  return compressOutput(output, { command: isGuess ? null : names, isFailure: false });
}
