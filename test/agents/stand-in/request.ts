import { z } from "zod";

const blockSchema = z.looseObject({ type: z.string(), text: z.string().optional() });

const bodySchema = z.looseObject({
  model: z.string(),
  max_tokens: z.number().optional(),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(blockSchema)]).optional(),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(blockSchema)]) }),
  ),
  tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
});

type Content = string | readonly { readonly type: string; readonly text?: string | undefined }[];

/** A request as the stand-in saw it: enough to choose the reply and to compare with a transcript. */
export interface SeenRequest {
  /** 0 for the stand-in's first request. */
  readonly index: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  readonly betas: readonly string[];
  readonly stream: boolean;
  readonly maxTokens: number | null;
  readonly messageCount: number;
  readonly toolNames: readonly string[];
  readonly systemText: string;
  /** Text of the first message, which holds a subagent's own prompt. */
  readonly firstText: string;
  /** Text of the last message, which holds a compaction's summary request. */
  readonly lastText: string;
  /** All of the last message as JSON, including tool results and what hooks append to them. */
  readonly lastContent: string;
  /** All messages as JSON. */
  readonly allContent: string;
}

export function readRequest(
  index: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): SeenRequest {
  const request = bodySchema.parse(JSON.parse(body));
  return {
    index,
    path,
    headers,
    model: request.model,
    betas: (headers["anthropic-beta"] ?? "").split(",").filter((beta) => beta !== ""),
    stream: request.stream ?? false,
    maxTokens: request.max_tokens ?? null,
    messageCount: request.messages.length,
    toolNames: (request.tools ?? []).flatMap((tool) => (tool.name === undefined ? [] : [tool.name])),
    systemText: request.system === undefined ? "" : textOf(request.system),
    firstText: textOf(request.messages[0]?.content ?? ""),
    lastText: textOf(request.messages.at(-1)?.content ?? ""),
    lastContent: JSON.stringify(request.messages.at(-1)?.content ?? ""),
    allContent: JSON.stringify(request.messages),
  };
}

function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? `[${block.type}]`).join("\n");
}
