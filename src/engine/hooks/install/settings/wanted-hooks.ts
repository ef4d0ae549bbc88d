import { hookPath, forwardedVariables, isJudgedBefore, type HookProgram } from "../../program.ts";
import {
  type HookEntry,
  markHeader,
  guardedLines,
  type OnFailure,
  patientTimeout,
  scriptLine,
  shimArguments,
  shimLine,
  type Shim,
} from "./install-settings-entry.ts";

export interface HookAddress {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly token: string;
}

export interface WantedInput {
  readonly program: HookProgram;
  readonly shim: Shim;
  /** The absolute path of `hook.sh`. Without it commands run the shim itself: on Windows, and in files that others read. */
  readonly script?: string | null;
  /** Whether a call that could not be judged runs (`open`, the default) or is denied (`closed`). */
  readonly onFailure?: OnFailure;
  /** Null if the token may not be written, or no address is known. Every hook is then a command. */
  readonly address: HookAddress | null;
  /** Whether others read the file: collaborators of a repository, and other agents. */
  readonly isShared: boolean;
  /** This machine's platform: a file that is not shared is never read on another. */
  readonly platform: NodeJS.Platform;
}

interface Event {
  /** Seconds until the agent abandons the hook: less than the agent's default, and longer than purser takes at worst. */
  readonly timeout: number;
  readonly matcher?: string;
  /** A matcher of earlier versions of purser. It is replaced, as no person chose it. */
  readonly formerMatcher?: string;
  readonly isCommand?: true;
  /** The agent does not wait for it. */
  readonly isUnawaited?: true;
  /** Sends facts from the agent's environment: see `forwardedVariables`. */
  readonly forwardsFacts?: true;
}

/**
 * Seconds. Purser answers in milliseconds. Its handlers have 3 s together, and the shim ends after 4.5 s
 * unless it waits for a person.
 */
const usual = 5;

/**
 * Claude Code events that purser uses. `SessionStart` may not be http. `UserPromptSubmit` could
 * be, but a command starts a stopped service again, and prompts are rare compared with tools. `PreCompact`
 * could be, but only a command's output is added to the instructions for the summary. All hooks share 1.5 s of
 * `SessionEnd`, which a longer timeout would also extend for the user.
 */
const claudeEvents: Readonly<Record<string, Event>> = {
  SessionStart: { timeout: 10, isCommand: true },
  UserPromptSubmit: { timeout: usual, isCommand: true },
  PreToolUse: { timeout: usual, forwardsFacts: true },
  PreSkillShellCommand: { timeout: usual },
  PostToolUse: { timeout: usual, formerMatcher: "SendMessage" },
  PostToolUseFailure: { timeout: usual },
  // While the agent asks whether a message may be sent, a window may answer for its user.
  PermissionRequest: { timeout: 600, matcher: "SendMessage" },
  PermissionDenied: { timeout: usual, matcher: "SendMessage" },
  PostToolBatch: { timeout: usual },
  SubagentStart: { timeout: usual },
  SubagentStop: { timeout: usual },
  Stop: { timeout: usual },
  StopFailure: { timeout: usual },
  PreCompact: { timeout: usual, isCommand: true },
  PostCompact: { timeout: usual },
  PostModelSwitch: { timeout: usual },
  SessionEnd: { timeout: 1 },
};

/**
 * Codex events, all commands. The model's usage is reported after each response; that hook has no answer, so
 * nothing waits.
 */
const codexEvents: Readonly<Record<string, Event>> = {
  SessionStart: { timeout: 10 },
  UserPromptSubmit: { timeout: usual },
  PreToolUse: { timeout: usual },
  PostToolUse: { timeout: usual },
  SubagentStart: { timeout: usual },
  SubagentStop: { timeout: usual },
  PreCompact: { timeout: usual },
  PostCompact: { timeout: usual },
  PostModelRequest: { timeout: usual, isUnawaited: true },
  Stop: { timeout: usual },
  Interrupt: { timeout: usual },
  SessionEnd: { timeout: 2 },
};

/** Copilot CLI events. With names in this case it sends the same input as the other agents, under their member names. */
const copilotEvents: Readonly<Record<string, Event>> = {
  SessionStart: { timeout: 10 },
  UserPromptSubmit: { timeout: usual },
  PreToolUse: { timeout: usual },
  PostToolUse: { timeout: usual },
  PostToolUseFailure: { timeout: usual },
  SubagentStart: { timeout: usual },
  SubagentStop: { timeout: usual },
  PreCompact: { timeout: usual },
  Stop: { timeout: usual },
  SessionEnd: { timeout: usual },
};

/**
 * Gemini CLI events, all commands, in its own names. Excludes `PreCompress`, which precedes every request,
 * and `AfterModel`, which reports a subagent as the session itself.
 */
const geminiEvents: Readonly<Record<string, Event>> = {
  SessionStart: { timeout: 10 },
  BeforeAgent: { timeout: usual },
  BeforeTool: { timeout: usual },
  AfterTool: { timeout: usual },
  AfterAgent: { timeout: usual },
  SessionEnd: { timeout: 2 },
};

/** The name under which Gemini CLI lists purser's hooks, and by which its user can disable them. */
export const geminiHookName = "purser";

const eventsOf: Readonly<Record<HookProgram, Readonly<Record<string, Event>>>> = {
  "claude-code": claudeEvents,
  codex: codexEvents,
  copilot: copilotEvents,
  gemini: geminiEvents,
};

export function eventsFor(program: HookProgram): string[] {
  return Object.keys(eventsOf[program]);
}

/**
 * Returns the hooks to install for an agent.
 *
 * **The token.** Whoever has it can send the service made-up hooks and read its answers, so only files that nobody but the user reads
 * contain it. Claude Code can take a header from its environment (`allowedEnvVars`), but nobody would set the variable: what starts the
 * agent is not ours, and the settings' own `env` would put the token into the same file and pass it to every command that the agent runs. So
 * the user's own settings contain the header itself, in a file of mode 0600 outside of any repository, and everything that is shared (a
 * project's files, dotfiles under version control) refers to the shim, which reads the token from purser's own file.
 *
 * **Nothing missing causes an error.** A hook whose program cannot be run is shown to the user at every event; Copilot CLI, which reads
 * a repository's `.claude/settings.json` too, treats it as a denial of the tool, and Gemini CLI as one of the prompt too. So every command succeeds also without the shim,
 * Node and curl. The script itself denies a call that must be judged and was not; Claude Code also denies one where a hook fails (`onFailure`). Shared files use one line that all shells understand. On Windows, where Claude Code would open a window with a shell for a
 * line, the user's own settings contain the program with arguments: there the agent reports a Node that has disappeared since.
 */
export function wantedHooks(input: WantedInput): HookEntry[] {
  return Object.entries(eventsOf[input.program]).map(
    ([event, { matcher = null, formerMatcher = null, isCommand, ...rest }]) => ({
      event,
      matcher,
      formerMatcher,
      // A posted hook cannot start a service: every call would be denied until a prompt does.
      handler: handlerFor(
        event,
        rest,
        isCommand === true || (input.onFailure === "closed" && isJudgedBefore(event))
          ? { ...input, address: null }
          : input,
      ),
    }),
  );
}

function handlerFor(
  event: string,
  { timeout: usualTimeout, forwardsFacts: tells, isUnawaited }: Event,
  { program, shim, script = null, onFailure = "open", address, isShared, platform }: WantedInput,
): HookEntry["handler"] {
  const isPosix = platform !== "win32" && !isShared;
  const scripted = script === null || !isPosix ? null : scriptLine(script, program, event);
  const timeout =
    scripted !== null && address === null && isJudgedBefore(event) ? patientTimeout : usualTimeout;
  switch (program) {
    case "claude-code": {
      const block = onFailure === "closed" && isJudgedBefore(event) ? { onFailure: "block" } : {};
      if (address !== null) return { ...httpHandler(address, timeout, tells === true), ...block };
      const about = { type: "command", timeout, ...(isShared ? {} : block) };
      if (isShared) return { ...about, command: shimLine(shim, program, event) };
      if (isPosix) return { ...about, command: scripted ?? guardedLines(shim, program, event).bash };
      return { ...about, command: shim.runtime, args: shimArguments(shim, program, event) };
    }
    case "codex": {
      const command = scripted ?? shimLine(shim, program, event);
      const hook = { type: "command", command, timeout };
      return isUnawaited === true ? { ...hook, async: true } : hook;
    }
    case "copilot": {
      const lines = scripted === null ? guardedLines(shim, program, event) : { bash: scripted };
      return { type: "command", ...lines, timeoutSec: timeout };
    }
    case "gemini": {
      const line = isPosix ? guardedLines(shim, program, event).bash : shimLine(shim, program, event);
      const command = scripted ?? line;
      return { type: "command", name: geminiHookName, command, timeout: timeout * 1000 };
    }
  }
}

/** URL to which Claude Code posts its hooks. */
export function claudeAddress({ port }: HookAddress): string {
  return `http://127.0.0.1:${port}${hookPath("claude-code")}`;
}

function httpHandler(address: HookAddress, timeout: number, forwardsFacts: boolean): HookEntry["handler"] {
  const headers = { Authorization: `Bearer ${address.token}`, [markHeader]: "claude-code" };
  const common = { type: "http", url: claudeAddress(address) };
  if (!forwardsFacts) return { ...common, headers, timeout };
  const forwarded = Object.entries(forwardedVariables).map(([header, name]) => [header, `$${name}`]);
  return {
    ...common,
    headers: { ...headers, ...Object.fromEntries(forwarded) },
    allowedEnvVars: Object.values(forwardedVariables),
    timeout,
  };
}
