import { getLocation } from "jsonc-parser";
import { mean } from "../../base/numbers.ts";
import { isEvidence, type BenchRun } from "../../bench/run-facts.ts";
import type { EvolveFacts, MeasuredWaste } from "../evolve.ts";
import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { readServers, serversIn } from "../../bench/configuration.ts";
import type { Ablation } from "./leave-out.ts";

/** What a rewrite of an agent's prompt should avoid. */
export function measuredWaste(
  runs: readonly BenchRun[],
): Pick<EvolveFacts, "tokensPerRun"> & { readonly waste: MeasuredWaste[] } {
  const seen = runs.filter(isEvidence);
  const passed = seen.filter(({ outcome }) => outcome === "passed");
  const sum = (value: (run: BenchRun) => number) => seen.reduce((all, run) => all + value(run), 0);
  const of = `in ${seen.length} runs`;
  const found: MeasuredWaste[] = [
    {
      what: `Files that were read again after they had been read, ${of}`,
      times: sum((run) => run.filesReread),
    },
    { what: `Runs that ended without the work being done, ${of}`, times: count(seen, "failed") },
    { what: `Runs that were ended at a limit of time, turns or tokens, ${of}`, times: count(seen, "limit") },
  ];
  return {
    tokensPerRun: passed.length === 0 ? null : mean(passed.map((run) => run.processingTokens)),
    waste: found.filter(({ times }) => times > 0),
  };
}

function count(runs: readonly BenchRun[], outcome: BenchRun["outcome"]): number {
  return runs.filter((run) => run.outcome === outcome).length;
}

export function serverAt(text: string, offset: number): string | null {
  const [root, name] = getLocation(text, offset).path;
  return root === "mcpServers" && typeof name === "string" && serversIn(text).includes(name) ? name : null;
}

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
