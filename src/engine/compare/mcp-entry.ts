import { sentence } from "../base/text/sentence.ts";
import { getLocation } from "jsonc-parser";
import { fail, succeed, type Result } from "../base/result.ts";
import { readServers, serversIn } from "../bench/mcp-servers.ts";
import type { Ablation } from "./leave-out.ts";

/** Returns the MCP server with the entry at this offset in an .mcp.json. Null if there is none. */
export function serverAt(text: string, offset: number): string | null {
  const [root, name] = getLocation(text, offset).path;
  return root === "mcpServers" && typeof name === "string" && serversIn(text).includes(name) ? name : null;
}

/** Compares the unchanged project with the project without one of its MCP servers. */
export function withoutServer(text: string, name: string): Result<Ablation, "no_server"> {
  const read = readServers(text);
  if (read === null || !Object.hasOwn(read.mcpServers, name))
    return fail("no_server", sentence("it has no MCP server {0}", JSON.stringify(name)));
  const rest = Object.fromEntries(Object.entries(read.mcpServers).filter(([each]) => each !== name));
  const files = [{ path: ".mcp.json", text: JSON.stringify({ ...read, mcpServers: rest }, null, 2) }];
  return succeed({
    agent: null,
    change: { kind: "setting", name: sentence("all MCP servers but {0}", name), files },
    shared: [{ path: ".mcp.json", text }],
  });
}
