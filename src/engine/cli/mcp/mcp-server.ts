import { PassThrough, Writable } from "node:stream";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import { mcpTools, type McpTool } from "./mcp-inputs.ts";

export interface McpCall {
  readonly name: string;
  readonly input: unknown;
  /** URIs of the folders that the client works in; empty if it names none. */
  readonly roots: readonly string[];
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
}

export interface McpAnswer {
  readonly text: string;
  readonly isError: boolean;
}

interface McpPorts {
  readonly version: string;
  readonly call: (call: McpCall) => Promise<McpAnswer>;
  readonly stdin: NodeJS.ReadableStream;
  readonly write: (bytes: Uint8Array) => unknown;
  readonly signal: AbortSignal;
  /** Called with what is wrong about the client. Its calls are answered nevertheless. */
  readonly onProblem: (problem: string) => void;
}

/**
 * Serves tools to one client, until its input ends or `signal` aborts. The only file that loads the protocol's library: it is a program of
 * its own, since that library has its own copy of zod.
 */
export async function serveMcp({ version, call, stdin, write, signal, onProblem }: McpPorts): Promise<void> {
  // The library's own list of tools would take a third more tokens.
  const { server } = new McpServer(
    { name: "context-purser", version },
    { capabilities: { tools: {} }, jsonSchemaValidator: noElicitation },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const hasRoots = server.getClientCapabilities()?.roots !== undefined;
    const roots = hasRoots ? await rootsOf(server, onProblem) : [];
    const { name, arguments: input = {} } = params;
    const { text, isError } = await call({ name, input, roots, signal: extra.signal });
    return { content: [{ type: "text", text }], isError };
  });
  const input = new PassThrough();
  const output = new Writable({
    write(bytes: Uint8Array, _encoding, done) {
      write(bytes);
      done();
    },
  });
  const transport = new StdioServerTransport(input, output);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  await server.connect(transport);
  const end = () => void transport.close();
  input.once("end", end);
  signal.addEventListener("abort", end, { once: true });
  stdin.pipe(input);
  await closed;
}

/** purser asks the client's user nothing. */
const noElicitation = {
  getValidator: () => {
    throw new Error("purser's MCP server validates no schema of a client");
  },
};

async function rootsOf(
  server: McpServer["server"],
  onProblem: (problem: string) => void,
): Promise<readonly string[]> {
  try {
    const { roots } = await server.listRoots();
    return roots.map(({ uri }) => uri);
  } catch (error) {
    onProblem(`the client's folders are unknown: ${String(error)}`);
    return [];
  }
}

function listedTools() {
  return Object.entries<McpTool>(mcpTools).map(([name, { description, input, changesSomething = false }]) => {
    const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
    return {
      name,
      description,
      inputSchema: { type: "object" as const, properties, ...(required.length === 0 ? {} : { required }) },
      annotations: { readOnlyHint: !changesSomething },
    };
  });
}
