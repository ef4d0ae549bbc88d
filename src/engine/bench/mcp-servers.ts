import * as z from "zod/mini";
import { readJson } from "../base/parse.ts";

const servers = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

/**
 * Parses an .mcp.json; null if it is not JSON of that shape, which no agent would read either.
 */
export function readServers(text: string): z.infer<typeof servers> | null {
  return readJson(servers, text);
}

/** Returns the names of the MCP servers in an .mcp.json. */
export function serversIn(text: string): string[] {
  return Object.keys(readServers(text)?.mcpServers ?? {});
}
