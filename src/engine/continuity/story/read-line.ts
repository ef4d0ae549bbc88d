import {
  fileCommand,
  absolutePath,
  type ShellContext,
  type Invocation,
  isUnknown,
  readPowerShell,
  readCommandLine,
  readOptions,
} from "../../guard/commands.ts";
import { type CheckKind, readCommand } from "../../guard/work.ts";

/** Maximum files of one line. */
const maxFiles = 20;

const writers = new Set(["tee", "touch", "truncate"]);
/** Programs that write their last operand, from the others. */
const copiers = new Set(["cp", "mv", "install", "ln", "rsync"]);

/** Returns the files that a line writes: by redirection, in place, or as copies. Absolute if the folder is known. */
function writtenFiles(invocations: readonly Invocation[], folder: string | null): string[] {
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

/** The meaning of a command line for the story of a session. */
export interface LineFacts {
  /** Program and subcommand of the first thing that it really runs, such as `git status`. */
  readonly name: string;
  /** Whether it only reads, checks the project, or may change something. */
  readonly effect: "look" | "check" | "change";
  readonly checks: readonly CheckKind[];
  /** It searches or compares: an exit code that is not zero can be an answer. */
  readonly isQuestion: boolean;
  /** The file that it prints. Null for none. Absolute if the folder is known. */
  readonly reads: string | null;
  /** Source files that it writes, as far as known. */
  readonly writes: readonly string[];
  /** Other files that it writes, such as documents: no check verifies them. Absolute if the folder is known. */
  readonly artefacts: readonly string[];
  /** Files with changes that it discards; `all` for every file of the project. */
  readonly undoes: readonly string[] | "all";
  /** First line of a commit message. Null if it makes no commit, or opens an editor for the message. */
  readonly commit: string | null;
}

export type ReadLine = (command: string, folder: string | null, shell: "posix" | "powershell") => LineFacts;

/** Makes a reader of command lines that were run on this machine, or on one like it. */
export function lineReader({ home, temporary }: Pick<ShellContext, "home" | "temporary">): ReadLine {
  return (command, folder, shell) => {
    const context = { folder, project: folder, home, temporary };
    const { name, effect, checks, isQuestion, writes } = readCommand(command, context, shell);
    const all = shell === "powershell" ? readPowerShell(command, context) : readCommandLine(command, context);
    const here = all.filter(({ place }) => place === "here");
    const git = here.filter(({ program }) => program === "git").map((each) => gitFacts(each, folder));
    const sources = writes.map((file) => absolutePath(file, folder) ?? file);
    return {
      name,
      effect,
      checks,
      isQuestion,
      reads: fileCommand(all)?.file ?? null,
      writes: sources,
      artefacts: writtenFiles(here, folder).filter((file) => !sources.includes(file)),
      undoes: git.some(({ undoes }) => undoes === "all")
        ? "all"
        : git.flatMap(({ undoes }) => (undoes === "all" ? [] : undoes)),
      commit: git.map(({ commit }) => commit).findLast((each) => each !== null) ?? null,
    };
  };
}

interface GitFacts {
  readonly undoes: readonly string[] | "all";
  readonly commit: string | null;
}

const nothing: GitFacts = { undoes: [], commit: null };

function gitFacts({ args, folder }: Invocation, outer: string | null): GitFacts {
  const { operands, flags, values } = readOptions("git", args);
  const words = operands.map(({ text }) => text).filter((text) => !isUnknown(text));
  const [subcommand = "", ...rest] = words;
  const paths = (names: readonly string[]) =>
    names.some((name) => name === "." || name === ":/")
      ? "all"
      : names.map((name) => absolutePath(name, folder ?? outer) ?? name);
  switch (subcommand) {
    case "commit": {
      const message =
        values.get("-m")?.[0]?.text ?? values.get("--message")?.[0]?.text ?? wordAfter(args, "-m");
      const [line = ""] = (message ?? "").trim().split("\n");
      return { undoes: [], commit: line === "" || isUnknown(line) ? null : line };
    }
    case "checkout": {
      // Without `--` an operand may be a branch.
      const at = args.findIndex(({ text }) => text === "--");
      if (at >= 0) return { ...nothing, undoes: paths(args.slice(at + 1).map(({ text }) => text)) };
      return rest.length === 1 && rest[0] === "." ? { ...nothing, undoes: "all" } : nothing;
    }
    case "restore":
      return flags.includes("--staged") && !flags.includes("--worktree")
        ? nothing
        : { ...nothing, undoes: paths(rest) };
    case "reset":
      return flags.includes("--hard") ? { ...nothing, undoes: "all" } : nothing;
    case "stash":
      return rest.length === 0 || rest[0] === "push" || rest[0] === "save"
        ? { ...nothing, undoes: "all" }
        : nothing;
    default:
      return nothing;
  }
}

/** Options may stand together, as in `-am TEXT`. */
function wordAfter(args: Invocation["args"], option: string): string | undefined {
  const letter = option.slice(1);
  const at = args.findIndex(({ text }) => new RegExp(`^-[a-zA-Z]*${letter}$`, "u").test(text));
  return at < 0 ? undefined : args[at + 1]?.text;
}
