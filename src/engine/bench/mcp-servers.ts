import * as z from "zod";

const servers = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

/** What an .mcp.json says; null where it is not JSON of that shape, which no agent reads then. */
export function readServers(text: string): z.infer<typeof servers> | null {
  try {
    return servers.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The names of the MCP servers of an .mcp.json. */
export function serversIn(text: string): string[] {
  return Object.keys(readServers(text)?.mcpServers ?? {});
}
