import { isDeepStrictEqual } from "node:util";
import { readOptions } from "../calls/read-options.ts";
import { plainArgument, type Invocation, type ShellContext } from "../commands/invocation.ts";
import { readCommandLine } from "../commands/shell-reader.ts";

/** A command with unbounded output, and the option that bounds it. */
interface UnboundedCommand {
  /** Programs, by `|`. */
  readonly program: string;
  /** Its first operands. */
  readonly words: readonly string[];
  /** Allowed options. With any other one the limit might mean something else. */
  readonly options: string;
  /** Minimum and maximum operands after `words`. */
  readonly operands: readonly [number, number];
  readonly limit: readonly [string, string];
}

const gitOptions =
  "--no-pager -C -c --oneline --all --graph --stat --decorate --name-only --name-status --abbrev-commit --no-merges --merges --first-parent --no-color --format --pretty --date --shortstat --numstat --no-decorate";
const podOptions = "--namespace --context -c --container --timestamps -p --previous --prefix --kubeconfig";

const unbounded: readonly UnboundedCommand[] = [
  { program: "git", words: ["log"], options: gitOptions, operands: [0, 0], limit: ["-n", "50"] },
  {
    program: "git",
    words: ["log"],
    options: `${gitOptions} -p --patch -u`,
    operands: [0, 0],
    limit: ["-n", "5"],
  },
  { program: "git", words: ["reflog"], options: gitOptions, operands: [0, 0], limit: ["-n", "50"] },
  {
    program: "docker|podman|nerdctl",
    words: ["logs"],
    options: "-t --timestamps --details",
    operands: [1, 1],
    limit: ["--tail", "200"],
  },
  {
    program: "docker|podman|nerdctl",
    words: ["container", "logs"],
    options: "-t --timestamps --details",
    operands: [1, 1],
    limit: ["--tail", "200"],
  },
  {
    program: "docker",
    words: ["compose", "logs"],
    options: "-f --file -p --project-name -t --timestamps --no-color --no-log-prefix",
    operands: [0, 5],
    limit: ["--tail", "200"],
  },
  {
    program: "kubectl|oc",
    words: ["logs"],
    options: `${podOptions} -n`,
    operands: [1, 2],
    limit: ["--tail", "200"],
  },
  {
    program: "journalctl",
    words: [],
    options: "-u --unit --no-pager -b -k --dmesg -p --priority --user -x -e -o --output",
    operands: [0, 0],
    limit: ["-n", "200"],
  },
  { program: "svn|hg", words: ["log"], options: "-v --verbose", operands: [0, 0], limit: ["-l", "50"] },
];

export interface LimitedCommand {
  readonly command: string;
  readonly added: string;
}

/**
 * Adds a limit to the last program of a command line if its output is unbounded and shown whole. Returns null unless the new line
 * reads as the same programs, with the limit after the words of the last one.
 */
export function addLimit(command: string, context: ShellContext): LimitedCommand | null {
  const before = readCommandLine(command, context);
  const last = before.at(-1);
  const limit = last === undefined ? undefined : limitOf(last);
  if (last === undefined || limit === undefined || before.some(({ isGuess }) => isGuess)) return null;
  const added = limit.join(" ");
  const limited = `${command.trimEnd()} ${added}`;
  const expected = [...before.slice(0, -1), { ...last, args: [...last.args, ...limit.map(plainArgument)] }];
  return isDeepStrictEqual(readCommandLine(limited, context), expected) ? { command: limited, added } : null;
}

function limitOf({
  program,
  args,
  place,
  via,
  shown,
  from,
}: Invocation): readonly [string, string] | undefined {
  if (place !== "here" || shown !== "whole" || via.length + from.length > 0) return undefined;
  if (args.some(({ text }) => text === "--")) return undefined;
  const { flags, operands, values } = readOptions(program, args);
  const found = unbounded.find((each) => {
    const { words, options } = each;
    const count = operands.length - words.length;
    const [min, max] = each.operands;
    const allowed = options.split(" ");
    return (
      each.program.split("|").includes(program) &&
      words.every((word, at) => operands[at]?.text === word) &&
      count >= min &&
      count <= max &&
      flags.every((flag) => allowed.includes(flag))
    );
  });
  // An option at the end may need a value.
  const [name, value] = found?.limit ?? [];
  if (found === undefined || name === undefined || value === undefined) return undefined;
  const after = readOptions(program, [...args, plainArgument(name), plainArgument(value)]);
  const isTaken = [...values].every(([option, given]) => after.values.get(option)?.length === given.length);
  return isTaken && after.flags.length === flags.length + 1 ? found.limit : undefined;
}
