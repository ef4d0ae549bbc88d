import { readOptions } from "../calls/read-options.ts";
import type { Invocation } from "../commands/invocation.ts";
import { ownValue } from "../own-value.ts";

const programs = new Set(
  "cat head tail less more bat batcat nl tac rev wc ls ll dir tree exa eza find fd fdfind rg grep egrep fgrep zgrep ag ack pwd cd pushd popd echo printf which where whereis type command file stat du df ps pgrep pidof top htop date env printenv uname whoami id hostname arch sort uniq cut paste join fold fmt expand tr awk gawk mawk sed jq yq diff cmp comm column sleep true false test [ [[ : hexdump xxd od strings md5sum sha1sum sha256sum shasum cksum basename dirname realpath readlink nproc free uptime lsof netstat ss ping dig nslookup host nvidia-smi squeue qstat history jobs wait man help tldr set export unset source . alias local declare read seq yes expr bc tty locale getconf lscpu lsblk journalctl nc sum tokei cloc scc".split(
    " ",
  ),
);
/** Programs with subcommands that only read. */
const subcommands: Readonly<Record<string, string>> = {
  git: "status log diff show blame rev-parse rev-list ls-files ls-tree ls-remote describe shortlog grep cat-file reflog for-each-ref merge-base name-rev whatchanged count-objects check-ignore var version help",
  gh: "view list status checks diff search browse",
  glab: "view list status",
  docker: "ps images logs inspect stats top port version info ls",
  podman: "ps images logs inspect stats top port version info ls",
  "docker-compose": "ps logs top port images",
  kubectl: "get describe logs top explain version api-resources",
  oc: "get describe logs",
  npm: "ls list view info outdated root why explain prefix bin help",
  pnpm: "ls list why outdated root",
  yarn: "list why info",
  cargo: "tree metadata search",
  go: "list env version doc help",
  pip: "list show freeze index",
  pip3: "list show freeze index",
  brew: "list info search",
  systemctl: "status is-active is-enabled list-units show cat",
  helm: "list status get show history",
  terraform: "show output state version",
};
/** Options with which a reading program changes something. */
const changing: Readonly<Record<string, RegExp>> = {
  find: /^-(?:delete|exec|execdir|ok|okdir|fprint|fls)$/u,
  sed: /^(?:-i.*|--in-place.*|-[nErsz]+i.*)$/u,
  yq: /^(?:-i|--inplace|-[A-Za-z]*i)$/u,
  awk: /^-i$/u,
  gawk: /^-i$/u,
  sort: /^(?:-o|--output)$/u,
  curl: /^(?:-X|--request|-d|--data.*|-F|--form|-T|--upload-file|-o|-O|--output|--remote-name)$/u,
};

/** PowerShell's commands that only read. */
const cmdlets =
  /^(?:get|select|test|measure|format|where|write|compare|resolve)-[a-z]+$|^(?:out-string|out-host|gci|gc|sls)$/u;

/** Tests whether an invocation only reads. */
export function isLooking({ program, args }: Invocation): boolean {
  if (args.length > 0 && args.every(({ text }) => /^(?:--version|--help|-V|-h)$/u.test(text))) return true;
  const isChanging = ownValue(changing, program);
  if (isChanging !== undefined && args.some(({ text }) => isChanging.test(text.split("=")[0] ?? "")))
    return false;
  if (programs.has(program) || program === "curl" || cmdlets.test(program)) return true;
  const known = ownValue(subcommands, program);
  if (known === undefined) return false;
  const words = readOptions(program, args)
    .operands.slice(0, 2)
    .map(({ text }) => text);
  const [first = "", second = ""] = words;
  const names = known.split(" ");
  if (program === "git" && ["branch", "tag", "remote", "stash", "worktree", "config"].includes(first))
    return (
      second === "" || second === "list" || second === "show" || (first === "remote" && second === "get-url")
    );
  return names.includes(first) || names.includes(second);
}

/** Programs that answer by their exit code. */
export const asking = new Set(
  "grep egrep fgrep zgrep rg ag ack find fd which where whereis type command test [ [[ diff cmp pgrep pidof nc ping systemctl".split(
    " ",
  ),
);
/** Programs that filter another program's output. */
export const filters = new Set(
  "head tail less more grep egrep fgrep rg sed awk wc sort uniq cut tr cat tee nl column jq xargs fold tac".split(
    " ",
  ),
);

/** Programs that show a state that changes by itself. */
const states = new Set(
  "ps pgrep pidof jobs lsof ss netstat nc nvidia-smi squeue qstat sacct uptime top ping journalctl tail".split(
    " ",
  ),
);
/** Words that make a program show such a state. */
const words: Readonly<Record<string, RegExp>> = {
  gh: /^(?:run (?:view|list)|pr (?:checks|view|status)|workflow (?:view|list)|api .*\/(?:runs|checks|status|deployments).*)/u,
  glab: /^(?:ci|pipeline|mr) (?:status|view|list|get)/u,
  kubectl: /^(?:get|describe|logs|top)\b/u,
  oc: /^(?:get|describe|logs)\b/u,
  docker: /^(?:ps|logs|inspect|stats|compose (?:ps|logs|top)|container ls)\b/u,
  podman: /^(?:ps|logs|inspect|stats)\b/u,
  "docker-compose": /^(?:ps|logs|top)\b/u,
  systemctl: /^(?:status|is-active|show)\b/u,
  service: /\bstatus$/u,
  aws: /^\S+ (?:describe|get|list)-/u,
  gcloud: /\b(?:describe|list)\b/u,
  az: /\b(?:show|list)\b/u,
  helm: /^(?:status|list|history)\b/u,
  flyctl: /^(?:status|logs)\b/u,
  fly: /^(?:status|logs)\b/u,
  heroku: /^(?:ps|logs|releases)\b/u,
  vercel: /^(?:inspect|ls|list|logs)\b/u,
  railway: /^(?:status|logs)\b/u,
  argocd: /^app (?:get|list)\b/u,
};
/** Options that make such a program wait. */
const waiting = /^(?:-w|--watch|--watch-only|--follow|--wait|-f)$/u;
const logFile = /(?:\.log|\.out|nohup\.out)$/u;

/** Returns the thing that a program polls; null if the program does something else. */
export function polledBy(invocation: Invocation): string | null {
  const { program, args } = invocation;
  const { flags, operands } = readOptions(program, args);
  if (flags.some((flag) => waiting.test(flag)) && program !== "curl") return null;
  const named = operands.map(({ text }) => text).join(" ");
  const all = `${program} ${args.map(({ text }) => text).join(" ")}`;
  if (program === "curl" || program === "wget" || program === "http") {
    return operands.some(({ text }) => /[.:/]/u.test(text)) ? all : null;
  }
  if (program === "tail") return named === "" ? null : all;
  if (program === "cat" || program === "head" || program === "wc") return logFile.test(named) ? all : null;
  if (states.has(program)) return all;
  const pattern = ownValue(words, program);
  return pattern?.test(named) === true ? all : null;
}
