import { type EventNamed, toolCallOf, type ToolCall } from "../../hooks/event.ts";
import type { Invocation } from "../commands/invocation.ts";
import type { Finding } from "../delivery.ts";
import { actionOf } from "../work/ended-action.ts";
import { textHash } from "./delivered-text.ts";
import { rulesOfWaste } from "./waste-rules.ts";
import { withFailure, withoutFailures, type WasteState } from "./waste-state.ts";

/** Programs that change nothing. */
const readers = new Set(
  "cat tac head less more nl wc ls dir tree stat file du df pwd cd echo printf true false test [ grep egrep fgrep rg ag cut uniq tr rev column fold diff cmp comm basename dirname realpath readlink which type whoami id uname date env printenv jq".split(
    " ",
  ),
);

const gitReaders = new Set(
  "status log diff show blame ls-files rev-parse describe grep shortlog cat-file".split(" "),
);

/** Programs that depend on another machine or on time: running them again is reasonable. */
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
function mayChange(call: ToolCall, invocations: readonly Invocation[]): boolean {
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

/** Whether a failed command fails again unless something changes on this machine. */
function failsAgain(invocations: readonly Invocation[]): boolean {
  return (
    invocations.length > 0 &&
    invocations.every(({ program, args, place, isGuess }) => {
      if (isGuess || place !== "here" || elsewhere.has(program)) return false;
      return !(reachers.has(program) && args.some(({ text }) => reaching.has(text)));
    })
  );
}

/** Returns the state after a call. A possible change makes every failed command worth another try. */
export function afterCall(
  state: WasteState,
  event: EventNamed<"PostToolUse" | "PostToolUseFailure">,
  { invocations, chain, now }: { invocations: readonly Invocation[]; chain: string; now: number },
): WasteState {
  const call = toolCallOf(event);
  const command = call.kind === "command" ? call.command : null;
  const hasFailed = actionOf(event).outcome === "failed";
  const isStopped = event.hook_event_name === "PostToolUseFailure" && event.is_interrupt === true;
  const isFailure = command !== null && hasFailed && !isStopped && failsAgain(invocations);
  const changes = mayChange(call, invocations);
  if (!isFailure) return changes ? withoutFailures(state) : state;
  // Its own changes did not help before.
  const failures = changes ? sameCommand(state, command) : state.failures;
  const failed = { chain, command: textHash(plain(command)), exitCode: exitCodeOf(event), at: now };
  return withFailure({ ...state, failures }, failed);
}

/** Returns the failures of one command, in all contexts. */
function sameCommand({ failures }: WasteState, command: string): WasteState["failures"] {
  const hash = textHash(plain(command));
  return failures.filter((each) => each.command === hash);
}

/** Finds a command that failed before, without a change since. */
export function failedBefore({ failures }: WasteState, chain: string, command: string): Finding | null {
  const hash = textHash(plain(command));
  const before = failures.findLast((each) => each.chain === chain && each.command === hash);
  if (before === undefined) return null;
  const { id, family } = rulesOfWaste.failedAgain;
  const how = before.exitCode === null ? "failed" : `failed with exit code ${before.exitCode}`;
  return {
    rule: id,
    family,
    about: hash,
    excerpt: command,
    text:
      `this same command ${how} before, and no edit or other command of this session has changed anything since, so it will fail the ` +
      "same way. Work from the error above, or change its cause first.",
  };
}

function plain(command: string): string {
  return command.trim().replaceAll(/[ \t]+/gu, " ");
}

function exitCodeOf(event: EventNamed<"PostToolUse" | "PostToolUseFailure">): number | null {
  const code = /exit(?:ed with exit)? code:? (?<code>\d{1,3})\b/iu.exec(reportOf(event))?.groups?.["code"];
  return code === undefined ? null : Number(code);
}

function reportOf(event: EventNamed<"PostToolUse" | "PostToolUseFailure">): string {
  if (event.hook_event_name === "PostToolUseFailure") return (event.error ?? "").slice(0, 100);
  return typeof event.tool_response === "string" ? event.tool_response.slice(-300) : "";
}
