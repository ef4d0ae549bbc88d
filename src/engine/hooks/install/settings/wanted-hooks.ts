import { hookPath, toldVariables, type HookProgram } from "../../program.ts";
import { markHeader, type HookEntry } from "./entry.ts";
import { guardedLines, shimArguments, shimLine, type Shim } from "./shim-command.ts";

/** Where the service answers hooks over HTTP. */
export interface HookAddress {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly token: string;
}

export interface WantedInput {
  readonly program: HookProgram;
  readonly shim: Shim;
  /** Null where the token may not be written, or no address is known: then every hook is the shim's. */
  readonly address: HookAddress | null;
  /** Whether others read the file: those who share a repository, and other agents. */
  readonly isShared: boolean;
  /** Of this machine: a file that is not shared is read on no other kind. */
  readonly platform: NodeJS.Platform;
}

interface Event {
  /** Seconds until the agent gives up on it: less than the agent's own, and longer than purser takes at worst. */
  readonly timeout: number;
  readonly matcher?: string;
  /** Must be a command, whatever else is possible. */
  readonly isCommand?: true;
  /** Tells of the agent's environment: see `toldVariables`. */
  readonly tells?: true;
}

/** Seconds. Purser answers in milliseconds; its handlers have 3 s together, and the shim ends after 3.5 s where nobody is asked. */
const usual = 5;

/**
 * Claude Code's events of which purser makes use. Two may not be http (`SessionStart`, `Setup`). `UserPromptSubmit` could be, but a
 * service that is no more would be missed until a session starts: the shim begins it again, and a prompt is rare beside tools.
 * `PreModelSwitch` could be, but an answer that does not come in time would block the switch; the shim always ends in time. `SessionEnd`
 * shares 1.5 s among all hooks, which a longer timeout would stretch for the user too.
 */
const claudeEvents: Readonly<Record<string, Event>> = {
  SessionStart: { timeout: 10, isCommand: true },
  Setup: { timeout: 10, isCommand: true },
  UserPromptSubmit: { timeout: usual, isCommand: true },
  PreToolUse: { timeout: usual, tells: true },
  // Whether a message between agents was sent, or not; and while the agent asks, a window may answer for its user.
  PostToolUse: { timeout: usual, matcher: "SendMessage" },
  PermissionRequest: { timeout: 600, matcher: "SendMessage" },
  PermissionDenied: { timeout: usual, matcher: "SendMessage" },
  PostToolBatch: { timeout: usual },
  SubagentStart: { timeout: usual },
  SubagentStop: { timeout: usual },
  Stop: { timeout: usual },
  StopFailure: { timeout: usual },
  PreCompact: { timeout: usual },
  PostCompact: { timeout: usual },
  PreModelSwitch: { timeout: usual, isCommand: true },
  PostModelSwitch: { timeout: usual },
  SessionEnd: { timeout: 1 },
};

/** Codex's, all commands. */
const codexEvents: Readonly<Record<string, Event>> = {
  SessionStart: { timeout: 10 },
  UserPromptSubmit: { timeout: usual },
  PreToolUse: { timeout: usual },
  PostToolUse: { timeout: usual },
  SubagentStart: { timeout: usual },
  SubagentStop: { timeout: usual },
  PreCompact: { timeout: usual },
  PostCompact: { timeout: usual },
  Stop: { timeout: usual },
};

/** Copilot CLI's. A name in this case has it send what the other agents send, under the names they give it. */
const copilotEvents: Readonly<Record<string, Event>> = {
  SessionStart: { timeout: 10 },
  UserPromptSubmit: { timeout: usual },
  PreToolUse: { timeout: usual },
  PostToolUse: { timeout: usual },
  SubagentStop: { timeout: usual },
  PreCompact: { timeout: usual },
  Stop: { timeout: usual },
  SessionEnd: { timeout: usual },
  ErrorOccurred: { timeout: usual },
};

const eventsOf: Readonly<Record<HookProgram, Readonly<Record<string, Event>>>> = {
  "claude-code": claudeEvents,
  codex: codexEvents,
  copilot: copilotEvents,
};

/**
 * The hooks to be installed for an agent.
 *
 * **The token.** Whoever has it can tell the service made-up hooks and read its answers, so a file has it only where none but the
 * user reads the file. Claude Code can take a header from its environment (`allowedEnvVars`), but nobody would set the variable:
 * what starts the agent is not ours, and the settings' own `env` would put the token into the same file and hand it to every command
 * that the agent runs. So the user's own settings hold the header itself, in a file of mode 0600 outside of any repository, and
 * everything that is shared (a project's files, dotfiles under version control) names the shim, which reads the token where it is
 * kept.
 *
 * **Nothing that is missing is an error.** A hook whose program cannot be run is shown to the user at every event, and by Copilot CLI, which
 * reads a repository's `.claude/settings.json` too, taken for a denial of the tool. So every command succeeds also without the shim, and
 * without a Node. What others share is one line that their shells all understand. On Windows, where Claude Code would start a shell in a
 * window for a line, its own settings have the program with arguments: there a Node that is gone since is said by the agent.
 */
export function wantedHooks(input: WantedInput): HookEntry[] {
  return Object.entries(eventsOf[input.program]).map(([event, { matcher = null, isCommand, ...told }]) => ({
    event,
    matcher,
    handler: handlerFor(event, told, isCommand === true ? { ...input, address: null } : input),
  }));
}

function handlerFor(
  event: string,
  { timeout, tells }: Event,
  { program, shim, address, isShared, platform }: WantedInput,
): HookEntry["handler"] {
  switch (program) {
    case "claude-code": {
      if (address !== null) return httpHandler(address, timeout, tells === true);
      if (isShared) return { type: "command", command: shimLine(shim, program, event), timeout };
      if (platform !== "win32")
        return { type: "command", command: guardedLines(shim, program, event).bash, timeout };
      return { type: "command", command: shim.runtime, args: shimArguments(shim, program, event), timeout };
    }
    case "codex":
      return { type: "command", command: shimLine(shim, program, event), timeout };
    case "copilot":
      return { type: "command", ...guardedLines(shim, program, event), timeoutSec: timeout };
  }
}

/** Where Claude Code's hooks are posted to. */
export function claudeAddress({ port }: HookAddress): string {
  return `http://127.0.0.1:${port}${hookPath("claude-code")}`;
}

function httpHandler(address: HookAddress, timeout: number, tells: boolean): HookEntry["handler"] {
  const headers = { Authorization: `Bearer ${address.token}`, [markHeader]: "claude-code" };
  const common = { type: "http", url: claudeAddress(address) };
  if (!tells) return { ...common, headers, timeout };
  const told = Object.entries(toldVariables).map(([header, name]) => [header, `$${name}`]);
  return {
    ...common,
    headers: { ...headers, ...Object.fromEntries(told) },
    allowedEnvVars: Object.values(toldVariables),
    timeout,
  };
}
