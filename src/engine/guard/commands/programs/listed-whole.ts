import type { Argument } from "../invocation.ts";

const engines = new Set(["docker", "podman", "nerdctl"]);
/** Options of `pgrep` that choose by a user or a group, and take the next word. */
const byUser = new Set(["-u", "-U", "-G", "--euid", "--uid", "--group"]);

/** Returns what the output of a command is known by where it lists all containers of the machine, or all processes of a user. */
export function listedWhole(program: string, args: readonly Argument[]): readonly string[] {
  if (engines.has(program)) return listsContainers(args) ? ["all-containers"] : [];
  if (program !== "pgrep") return [];
  const named = args.filter(({ text }, at) => !text.startsWith("-") && !byUser.has(args[at - 1]?.text ?? ""));
  return args.some(({ text }) => byUser.has(text)) && named.length === 0 ? ["all-processes"] : [];
}

/** Tests whether it lists the containers, without a condition that leaves some of them out. */
function listsContainers(args: readonly Argument[]): boolean {
  const [first, second] = args.filter(({ text }) => !text.startsWith("-"));
  const isList =
    first?.text === "ps" || (first?.text === "container" && /^(?:ls|ps|list)$/u.test(second?.text ?? ""));
  const isNarrowed = args.some(({ text }) => /^(?:--filter|--last|--latest|-[aqns]*[fln]$)/u.test(text));
  return isList && !isNarrowed;
}
