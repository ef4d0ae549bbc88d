import { compressOutput, type Compressed } from "./compressors/compress.ts";
import type { CommandNames } from "./compressors/compressor.ts";
import type { ToolFormat } from "./tool-answers.ts";

/** Programs with outputs in the forms of tools' answers. */
const programs: Readonly<Record<ToolFormat, CommandNames | null>> = {
  matches: [["rg"]],
  paths: [["rg", "--files"]],
  page: [["web-page"]],
  data: null,
};

/** Makes a tool's answer smaller by its form; null where too little is to be gained. The tool is known to have succeeded. */
export function compressTool(
  output: string,
  tool: string,
  format: ToolFormat,
): (Compressed & { readonly command: string }) | null {
  const compressed = compressOutput(output, { command: programs[format], isFailure: false });
  return compressed === null ? null : { ...compressed, command: tool };
}
