import { addUsage, cacheCreation, noUsage } from "../../../../src/engine/usage/token-counts.ts";
import type { TokenUsage } from "../../../../src/engine/usage/token-counts.ts";
import type { CopilotAgent, PlayedCopilotTurn } from "../../copilot.ts";
import type { ReplyBlock } from "../../stand-in/reply.ts";
import type { Role } from "../../stand-in/role.ts";
import type { ExpectedRun } from "../expected-runs.ts";

interface Answer {
  readonly sessionId: string;
  readonly role: Role;
  readonly responseId: string;
  readonly model: string;
  readonly usage: TokenUsage;
  readonly blocks: readonly ReplyBlock[];
}

/** What a reader must find in one session, derived from what the stand-in sent. */
export interface CopilotExpected {
  readonly id: string;
  /** In the order they were sent, those of a subagent among them. */
  readonly responses: readonly (Pick<TokenUsage, "input" | "output" | "cacheCreation5m" | "cacheRead"> & {
    readonly responseId: string;
    readonly isSubagent: boolean;
  })[];
  /** Each compaction's own requests, which no row names one by one. */
  readonly compactions: readonly TokenUsage[];
  /** All that was sent. */
  readonly sum: TokenUsage;
}

/** The only type of subagent in the scenarios. */
export const copilotSubagent = "explore";

export function expectCopilot({ turns }: Pick<CopilotAgent, "turns">): CopilotExpected[] {
  const all = answersIn(turns);
  const ids = [...new Set(turns.map(({ sessionId }) => sessionId))];
  return ids.map((id) => {
    const own = all.filter(({ sessionId }) => sessionId === id);
    return {
      id,
      responses: own
        .filter(({ role }) => role !== "summary")
        .map(({ role, responseId, usage: { input, output, cacheCreation5m, cacheRead } }) => {
          return { responseId, isSubagent: role === "subagent", input, output, cacheCreation5m, cacheRead };
        }),
      compactions: own.filter(({ role }) => role === "summary").map(({ usage }) => usage),
      sum: own.map(({ usage }) => usage).reduce(addUsage, noUsage),
    };
  });
}

/** Tool calls that the model was scripted to make, by tool. */
export function callsOfCopilot({ turns }: Pick<CopilotAgent, "turns">): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const { blocks } of answersIn(turns))
    for (const block of blocks)
      if (block.type === "tool_use") calls[block.name] = (calls[block.name] ?? 0) + 1;
  return calls;
}

/** One run for each prompt, and one for each subagent. */
export function expectCopilotRuns({ turns }: Pick<CopilotAgent, "turns">): ExpectedRun[] {
  return turns.flatMap((turn) => {
    const answers = answersIn([turn]);
    const roles = (["main", "subagent"] as const).filter(
      (role) => role === "main" || answers.some((answer) => answer.role === role),
    );
    return roles.map((role) => {
      const own = answers.filter((answer) => answer.role === role);
      const last = own.at(-1);
      const calls = own.flatMap(({ blocks }) => blocks.filter(isCall));
      const used = own.map(({ usage }) => usage).reduce(addUsage, noUsage);
      return {
        sessionId: turn.sessionId,
        agent: role === "main" ? "main" : copilotSubagent,
        model: last?.model ?? null,
        processingTokens: used.input + used.output + cacheCreation(used),
        toolCalls: calls.length,
        // A command may read any file.
        filesReread: calls.some((call) => call.type === "tool_use" && call.name === "bash") ? null : 0,
        completed: last !== undefined && !last.blocks.some(isCall),
      };
    });
  });
}

function answersIn(turns: readonly PlayedCopilotTurn[]): Answer[] {
  return turns.flatMap(({ sessionId, exchanges }) =>
    exchanges.flatMap(({ role, exchange: { reply, request, messageId } }) =>
      reply.kind === "error" || messageId === null
        ? []
        : [{ ...reply, sessionId, role, responseId: messageId, model: request.model }],
    ),
  );
}

function isCall({ type }: ReplyBlock): boolean {
  return type === "tool_use";
}
