import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { writeAtomically, nodeFiles } from "../../base/files.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { readBench } from "../../bench/execute.ts";
import type { BenchRun } from "../../bench/run-facts.ts";
import { askClaude, type Answer, type AskFault } from "../../bench/ask-claude.ts";
import type { AgentPorts } from "../../bench/drivers.ts";
import { sha256Hex } from "../../base/hash.ts";
import { suiteHash } from "../../bench/suite.ts";
import { readProposal, type PromptProposal, type ProposalFault } from "../../compare/evolve.ts";
import type { Setup } from "./setup.ts";

/** A rewrite stored while it is measured, so that an interrupted run needs no second call. */
export interface WaitingRewrite {
  readonly file: string;
  readonly proposal: PromptProposal | null;
}

export async function waitingRewrite({ agent, base }: Setup, folder: string): Promise<WaitingRewrite> {
  const name = sha256Hex([agent.name, agent.definition, base.model].join("\n")).slice(0, 16);
  const file = path.join(folder, `${name}.json`);
  try {
    // A stored rewrite is checked as strictly as a model's answer.
    const read = readProposal(await readFile(file, "utf8"), agent.definition);
    return { file, proposal: read.ok ? read.value : null };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { file, proposal: null };
    throw error;
  }
}

export async function keepRewrite(
  file: string,
  proposal: PromptProposal,
  unique: () => string,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const { definition, why } = proposal;
  await writeAtomically(file, Buffer.from(JSON.stringify({ definition, why })), { files: nodeFiles, unique });
}

export async function forgetRewrite(file: string): Promise<void> {
  await rm(file, { force: true });
}

const maxBenches = 200;

/** Stored runs of an agent's current tasks, from any bench. */
export async function keptRuns({ suite, agent, driver, base }: Setup, benches: string): Promise<BenchRun[]> {
  const wanted = suiteHash(suite, agent.name);
  const found: BenchRun[] = [];
  for (const name of (await namesIn(benches)).slice(-maxBenches)) {
    const bench = await readBench(path.join(benches, name));
    if (!bench.ok || bench.value === null) continue;
    const { configurations } = bench.value.request;
    found.push(
      ...bench.value.runs.filter(
        (run) =>
          run.agent === agent.name &&
          run.suiteHash === wanted &&
          run.driver === driver.name &&
          run.model === base.model &&
          configurations[run.side]?.definition === null,
      ),
    );
  }
  return found;
}

export interface Rewritten {
  readonly answer: Answer;
  readonly proposal: Result<PromptProposal, ProposalFault>;
}

/** Makes the only call. An invalid answer is refused; the agent is not asked again. */
export async function askForRewrite(
  { prompt, model, shipped }: { readonly prompt: string; readonly model: string; readonly shipped: string },
  ports: AgentPorts,
  signal: AbortSignal,
): Promise<Result<Rewritten, AskFault>> {
  const role = "You rewrite the definitions of coding agents. You answer with JSON and nothing else.";
  const answer = await askClaude({ prompt, role, model }, ports, signal);
  if (!answer.ok) return fail(answer.reason, answer.detail);
  return succeed({ answer: answer.value, proposal: readProposal(answer.value.text, shipped) });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
