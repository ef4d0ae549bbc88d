import { plainSentence, sentence } from "../../base/language.ts";
import * as z from "zod/mini";
import { allowedTools, lastJson, messageOf, printedIn } from "../../bench/drivers.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import {
  asArgument,
  failedWith,
  ownCommand,
  type AgentProgram,
  type Invocation,
  type Printed,
} from "./program.ts";

const named = z.looseObject({ session_id: z.string() });

/** Claude Code, headless. Seen with 2.1.332. */
export const claude: AgentProgram = {
  word: "claude",
  arguments: argumentsOf,
  environment: ({ cache }) => (cache === "1h" ? { ENABLE_PROMPT_CACHING_1H: "1" } : {}),
  read(ended): Printed {
    const printed = printedIn(ended.output);
    if (printed === undefined) return { sessionId: null, raw: null, end: failedWith(ended) };
    const { usage } = printed;
    return {
      sessionId: named.safeParse(lastJson(ended.output)).data?.session_id ?? null,
      raw:
        usage === undefined
          ? null
          : {
              input: usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
              output: usage.output_tokens,
            },
      ...(printed.result === undefined ? {} : { reply: printed.result }),
      end:
        printed.subtype === "error_max_turns"
          ? { kind: "limit", detail: sentence("turns") }
          : printed.is_error
            ? { kind: "failed", detail: plainSentence(messageOf(printed)) }
            : { kind: "ended" },
    };
  },
  isGone: ({ exitCode, output }) =>
    exitCode !== 0 && /No conversation found with session ID|--resume requires a valid session/u.test(output),
};

function argumentsOf({
  agent,
  prompt,
  resume,
  sessionId,
  turns,
  desk,
  settings,
  mcpConfig,
}: Invocation): string[] {
  const { model, tools, permissions, mcp } = agent;
  const servers = mcp.map((name) => `mcp__${name.replaceAll(/[^\w-]/gu, "_")}`);
  return [
    "-p",
    asArgument(prompt),
    ...(resume === null ? ["--session-id", sessionId] : ["--resume", resume]),
    "--model",
    model,
    "--output-format",
    "json",
    "--max-turns",
    String(turns),
    "--permission-mode",
    "acceptEdits",
    "--allowedTools",
    [allowedTools, `Bash(${ownCommand}:*)`, ...servers, ...permissions.allow].join(","),
    ...(tools === "all" ? [] : ["--tools", offered(agent, servers).join(",")]),
    "--settings",
    settings,
    "--add-dir",
    desk,
    "--strict-mcp-config",
    ...(mcpConfig === null ? [] : ["--mcp-config", mcpConfig]),
  ];
}

/** Skills are called through their own tool. */
function offered({ tools, skills }: RecurringAgent, servers: readonly string[]): readonly string[] {
  const own = tools === "all" ? [] : tools;
  const needsSkill = (skills === "all" || skills.length > 0) && !own.includes("Skill");
  return [...own, ...(needsSkill ? ["Skill"] : []), ...servers];
}

/**
 * A denied `Skill(name)` stays in the list of skills; only `skillOverrides` removes it. Bundled skills are turned off together with the tool
 * Workflow: alone, it would grow by 16 kB. `known` are the user's and the project's own skills.
 */
export function claudeSettings({ skills, instructions }: RecurringAgent, known: readonly string[]): object {
  const off = skills === "all" ? [] : known.filter((name) => !skills.includes(name));
  const wantsBundled = skills === "all" || skills.some((name) => !known.includes(name));
  return {
    ...(off.length === 0
      ? {}
      : { skillOverrides: Object.fromEntries(off.toSorted().map((name) => [name, "off"])) }),
    ...(wantsBundled ? {} : { disableBundledSkills: true }),
    ...(skills === "all" ? {} : { enableWorkflows: false }),
    ...(instructions === "none" ? { claudeMdExcludes: ["**/*"] } : {}),
  };
}
