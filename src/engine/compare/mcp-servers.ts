import { getLocation } from "jsonc-parser";
import * as z from "zod";
import { fail, succeed, type Result } from "../base/result.ts";
import type { LeftOut } from "./leave-out.ts";

const servers = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

/** The MCP server whose entry in an .mcp.json is at a place of its text; null where there is none. */
export function serverAt(text: string, offset: number): string | null {
  const [root, name] = getLocation(text, offset).path;
  return root === "mcpServers" && typeof name === "string" && serversIn(text).includes(name) ? name : null;
}

/** The names of the MCP servers of an .mcp.json; none where it is not JSON, which no agent reads then. */
export function serversIn(text: string): string[] {
  const read = servers.safeParse(parsed(text));
  return read.success ? Object.keys(read.data.mcpServers) : [];
}

/** The project as it is, and without one of its MCP servers. */
export function withoutServer(text: string, name: string): Result<LeftOut, "no-server"> {
  const read = servers.safeParse(parsed(text));
  if (!read.success || !Object.hasOwn(read.data.mcpServers, name))
    return fail("no-server", `it has no MCP server ${JSON.stringify(name)}`);
  const rest = Object.fromEntries(Object.entries(read.data.mcpServers).filter(([each]) => each !== name));
  const files = [{ path: ".mcp.json", text: JSON.stringify({ ...read.data, mcpServers: rest }, null, 2) }];
  return succeed({
    agent: null,
    change: { kind: "setting", name: `all MCP servers but ${name}`, files },
    shared: [{ path: ".mcp.json", text }],
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
