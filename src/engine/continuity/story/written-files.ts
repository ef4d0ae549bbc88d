import { absolutePath, isUnknown, type Invocation, readOptions } from "../../guard/commands.ts";

/** Maximum files of one line. */
const maxFiles = 20;

/** Programs that write each of their operands. */
const writers = new Set(["tee", "touch", "truncate"]);
/** Programs that write their last operand, from the others. */
const copiers = new Set(["cp", "mv", "install", "ln", "rsync"]);

/** Returns the files that a line writes: by redirection, in place, or as copies. Absolute if the folder is known. */
export function writtenFiles(invocations: readonly Invocation[], folder: string | null): string[] {
  const files = invocations.flatMap((each) => {
    const targets = each.redirections
      .filter(({ kind }) => kind !== "read")
      .flatMap(({ target: { text, isPattern } }) => (isPattern ? [] : [text]));
    return [...targets, ...operandsWritten(each)]
      .filter((file) => file !== "" && !isUnknown(file) && !file.startsWith("&"))
      .map((file) => absolutePath(file, each.folder ?? folder) ?? file);
  });
  return [...new Set(files)].filter((file) => !/^(?:\/dev\/|nul$|\$null$)/iu.test(file)).slice(0, maxFiles);
}

function operandsWritten({ program, args }: Invocation): string[] {
  const words = readOptions(program, args).operands.map(({ text }) => text);
  if (writers.has(program)) return words;
  if (copiers.has(program)) return copied(words);
  if (program === "git" && words[0] === "mv") return copied(words.slice(1));
  const isInPlace = args.some(({ text }) => /^(?:-i|--in-place|-[a-z]*i)/u.test(text));
  // The first operand is the script, unless an option has it.
  const hasScript = args.some(({ text }) => /^(?:-[a-z]*[ef]|--expression|--file)/u.test(text));
  if (/^(?:sed|gsed|perl|ruby)$/u.test(program) && isInPlace) return words.slice(hasScript ? 0 : 1);
  return [];
}

/** The copy of a file: one that goes to a folder keeps its name. */
function copied(words: readonly string[]): string[] {
  const [target = "", ...sources] = words.toReversed();
  if (sources.length === 1 && !target.endsWith("/")) return [target];
  const folder = target.replace(/(?<!\/)\/+$/u, "");
  return sources.map(
    (source) =>
      `${folder}/${
        source
          .replace(/(?<!\/)\/+$/u, "")
          .split("/")
          .at(-1) ?? ""
      }`,
  );
}
