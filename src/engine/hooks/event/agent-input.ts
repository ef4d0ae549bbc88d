import type { HookCaller } from "../program.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Translates a hook's input into Claude Code's names, which most agents follow. Events, handlers and ledger
 * use only these names. Values are only moved; the schema in `event.ts` reads them. Returns the value itself
 * if there is nothing to translate. Loaded by the hook program: imports nothing.
 */
export function agentInput(value: unknown, caller: HookCaller): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = { ...value };
  switch (caller) {
    case "claude-code":
      return value;
    case "codex":
      return codexInput(members);
    case "gemini":
      return geminiInput(members);
    case "copilot":
      return copilotInput(inSnakeCase(members));
    case "vscode":
      return inSnakeCase(members);
  }
}

/** Codex names its turns, as Claude Code names its prompts. */
function codexInput(members: Members): Members {
  return { ...members, prompt_id: members["prompt_id"] ?? members["turn_id"] };
}

const geminiEvents: Readonly<Record<string, string>> = {
  BeforeAgent: "UserPromptSubmit",
  AfterAgent: "Stop",
  BeforeTool: "PreToolUse",
  AfterTool: "PostToolUse",
  // `PreCompress` is unchanged: it precedes every request, whether or not anything is compressed.
};

/** Hooks in a Gemini CLI subagent look like those of the session itself. */
function geminiInput(members: Members): Members {
  const name = members["hook_event_name"];
  return {
    ...members,
    hook_event_name: mapped(geminiEvents, name) ?? name,
    last_assistant_message: members["prompt_response"],
    ...(name === "AfterTool" ? { tool_response: textOf(members["tool_response"], "llmContent") } : {}),
  };
}

/**
 * Copilot CLI uses Claude Code's event names if its settings do: see `wanted-hooks.ts`. It continues after a
 * recoverable error. In a subagent, the session id is the subagent's, and the session is its parent. The
 * transcript of both is in the folder named after the session.
 */
function copilotInput(members: Members): Members {
  const agentId = members["agent_id"];
  const session =
    agentId === undefined ? undefined : (sessionInPath(members) ?? filled(members["parent_agent_id"]));
  const result = members["tool_result"];
  return {
    ...members,
    hook_event_name: copilotEvent(members),
    session_id: session ?? members["session_id"],
    tool_response: members["tool_response"] ?? textOf(result, "text_result_for_llm", "textResultForLlm"),
    error: textOf(members["error"], "message"),
  };
}

function copilotEvent(members: Members): unknown {
  const { hook_event_name: name, agent_id: agentId, agent_name: agentName } = members;
  if (name === undefined && agentId !== undefined && agentName !== undefined) return "SubagentStart";
  return name === "ErrorOccurred" && members["recoverable"] !== true ? "StopFailure" : name;
}

function sessionInPath(members: Members): string | undefined {
  const path = members["transcript_path"];
  if (typeof path !== "string") return undefined;
  return /[\\/]session-state[\\/](?<id>[^\\/]{1,256})[\\/]/u.exec(path)?.groups?.["id"];
}

function filled(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the text under one of these names, or the value itself if there is none. */
function textOf(value: unknown, ...names: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  const texts = names.map((name): unknown => Reflect.get(value, name));
  return texts.find((text) => typeof text === "string") ?? value;
}

function mapped(names: Readonly<Record<string, string>>, name: unknown): string | undefined {
  return typeof name === "string" && Object.hasOwn(names, name) ? names[name] : undefined;
}

/** Names that differ in more than their spelling. */
const otherNames: Readonly<Record<string, string>> = { tool_args: "tool_input" };

/** A name in snake case wins over the same one in camel case. */
function inSnakeCase(members: Members): Members {
  const renamed = Object.entries(members).map(([name, value]) => {
    const snake = name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
    return [mapped(otherNames, snake) ?? snake, value] as const;
  });
  return { ...Object.fromEntries(renamed), ...members };
}
