import { absolutePath } from "../waste/file-command.ts";
import { namesLines } from "../waste/delivered-text.ts";

/** A smaller file may be read whole. Bytes. */
const leastHugeFile = 100_000;
/** Lines that are read of a larger one. */
const mostLines = 500;

/** Files that are not read by lines. */
const notText = /\.(?:pdf|ipynb|png|jpe?g|gif|webp|bmp|ico|svgz|zip|gz)$/iu;

/** The members by which tools take a limit. */
const limits: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Read: { limit: mostLines },
  view: { view_range: [1, mostLines] },
};

interface LimitedRead {
  readonly input: Readonly<Record<string, unknown>>;
  readonly excerpt: string;
  readonly text: string;
}

/** Limits the reading of a huge file to its first lines; null for any other call. */
export async function limitRead(
  { tool, file }: { readonly tool: string; readonly file: string | null },
  input: Readonly<Record<string, unknown>>,
  {
    folder,
    sizeOf,
  }: { readonly folder: string | null; readonly sizeOf: (file: string) => Promise<number | null> },
): Promise<LimitedRead | null> {
  const limit = Object.hasOwn(limits, tool) ? limits[tool] : undefined;
  if (limit === undefined || file === null || namesLines(input) || notText.test(file)) return null;
  const full = absolutePath(file, folder);
  const bytes = full === null ? null : await sizeOf(full);
  if (bytes === null || bytes < leastHugeFile) return null;
  const kilobytes = Math.round(bytes / 1000);
  return {
    input: { ...input, ...limit },
    excerpt: file,
    text: `the file has ${kilobytes} kB, so only its first ${mostLines} lines are read. For others, give a first line and a number of lines.`,
  };
}
