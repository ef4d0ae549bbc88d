import type { ToolCall } from "../../hooks/event/tool-call.ts";
import type { Invocation } from "../commands/invocation.ts";

/** Programs that change nothing, whatever they are given. */
const readers = new Set(
  "cat tac head less more nl wc ls dir tree stat file du df pwd cd echo printf true false test [ grep egrep fgrep rg ag cut uniq tr rev column fold diff cmp comm basename dirname realpath readlink which type whoami id uname date env printenv jq".split(
    " ",
  ),
);

const gitReaders = new Set(
  "status log diff show blame ls-files rev-parse describe grep shortlog cat-file".split(" "),
);

/** Programs whose result depends on another machine or on time, so that running them again is reasonable. */
const elsewhere = new Set(
  "curl wget ping ssh scp sftp rsync nc ncat telnet dig nslookup host gh glab hub docker podman kubectl oc helm aws gcloud az terraform tofu pip pip3 uv poetry apt apt-get brew dnf yum gem bundle mvn gradle gradlew psql mysql redis-cli mongosh sleep wait timeout watch until pgrep pkill kill lsof ss netstat systemctl service".split(
    " ",
  ),
);

/** Subcommands of package managers and git that reach a registry or a remote. */
const reaching = new Set(
  "install i ci add update upgrade fetch pull push clone publish audit outdated login dlx exec x create get download ls-remote submodule".split(
    " ",
  ),
);
const reachers = new Set("npm pnpm yarn bun npx cargo go git dotnet composer".split(" "));

/** Tools that change no file. */
const unchanging = new Set("WebFetch WebSearch ToolSearch web_fetch google_web_search web_search".split(" "));

/** Whether a call may have changed what a later command depends on. */
export function mayChange(call: ToolCall, invocations: readonly Invocation[]): boolean {
  switch (call.kind) {
    case "read":
    case "search":
    case "list":
    case "todos":
    case "new-task":
    case "changed-task":
      return false;
    case "command":
      return invocations.length === 0 || !invocations.every(onlyReads);
    case "other":
      return !unchanging.has(call.tool);
    case "edit":
    case "spawn":
    case "message":
      return true;
  }
}

function onlyReads({ program, args, redirections, isGuess }: Invocation): boolean {
  const isWritten = redirections.some(({ kind, target }) => kind !== "read" && target.text !== "/dev/null");
  if (isGuess || isWritten) return false;
  const words = args.map(({ text }) => text);
  if (program === "git") return gitReaders.has(words.find((word) => !word.startsWith("-")) ?? "");
  if (program === "find")
    return !words.some((word) => /^-(?:delete|exec|execdir|ok|okdir|fprint.*)$/u.test(word));
  if (program === "sed") return words[0] === "-n" && !words.some((word) => /^-.*i|^--in-place/u.test(word));
  return readers.has(program);
}

/** Whether a command that failed must fail again unless something is changed on this machine. */
export function failsAgain(invocations: readonly Invocation[]): boolean {
  return (
    invocations.length > 0 &&
    invocations.every(({ program, args, place, isGuess }) => {
      if (isGuess || place !== "here" || elsewhere.has(program)) return false;
      return !(reachers.has(program) && args.some(({ text }) => reaching.has(text)));
    })
  );
}
