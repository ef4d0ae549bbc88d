import { sumSent } from "./case.ts";

export const session = "5e55101e-0000-4000-8000-000000000001";
export const otherSession = "5e55101e-0000-4000-8000-000000000002";

type Used = Parameters<typeof sumSent>[0] extends Iterable<infer Item> ? Item : never;

interface RowFacts {
  readonly id: string;
  readonly used: Used;
  readonly of?: string;
  /** Null when the row has none. */
  readonly request?: string | null;
  readonly second?: number;
  /** The subagent with the row in its file. */
  readonly agentId?: string;
  readonly cwd?: string;
  readonly model?: string;
  /** Further fields of the usage. */
  readonly more?: object;
}

/** One row of a response; Claude Code writes one for each content block. */
export function responseRow(facts: RowFacts): object {
  const { id, used, of = session, request = `req_${id}`, second = 0, agentId } = facts;
  const { cwd = "/home/dev/harbor", model = "claude-sonnet-4-6", more = {} } = facts;
  const { input, output, cacheCreation, cacheRead } = sumSent([used]);
  return {
    type: "assistant",
    uuid: `${id}-${of}-${second}-${output}`,
    parentUuid: null,
    isSidechain: agentId !== undefined,
    ...(agentId === undefined ? {} : { agentId }),
    sessionId: of,
    cwd,
    version: "2.1.330",
    timestamp: new Date(Date.UTC(2026, 10, 2, 9, 0, second)).toISOString(),
    ...(request === null ? {} : { requestId: request }),
    message: {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model,
      content: [{ type: "text", text: "Said." }],
      usage: {
        input_tokens: input,
        output_tokens: output,
        cache_creation_input_tokens: cacheCreation,
        cache_read_input_tokens: cacheRead,
        cache_creation: { ephemeral_5m_input_tokens: cacheCreation, ephemeral_1h_input_tokens: 0 },
        ...more,
      },
    },
  };
}
