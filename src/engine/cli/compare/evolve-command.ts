import path from "node:path";
import { sentence, type Sentence, t } from "../../base/language.ts";
import { randomUUID } from "node:crypto";
import { wholeNumber } from "../../base/local-format.ts";
import { nodeFiles, writeAtomically } from "../../base/files.ts";
import { fail, succeed, type Result, errorCode } from "../../base/result.ts";
import { processingOf } from "../../bench/processes.ts";
import {
  type PromptProposal,
  evolvePrompt,
  writeProposal,
  readProposal,
  type ProposalFault,
} from "../../compare/evolve.ts";
import { measuredWaste } from "../../compare/leave-out.ts";
import { exitCodes } from "../../compare/compare-outcome.ts";
import { plannedComparison } from "../../compare/run-compare.ts";
import { purserPaths } from "../../base/paths.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { driverPorts, type BenchContext } from "../bench/bench-context.ts";
import {
  agree,
  withBenchContext,
  memoryNote,
  reportFailure,
  printComparison,
  type Comparing,
  type Ended,
  planToJson,
} from "./act.ts";
import { measure, prepare, showPlan } from "./run-compare.ts";
import type { CompareJson } from "./compare-schema.ts";
import { compareOptions, setUp, type Setup } from "./setup.ts";
import { keepTerminalOpen } from "../confirm.ts";
import { goldenSuite, goldenWorkspace } from "../bench/golden/target.ts";
import { humanOutput } from "../answer.ts";
import { flag } from "../args.ts";
import { command } from "../command.ts";
import { asLine } from "../terminal-text.ts";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { readBench } from "../../bench/execute.ts";
import type { BenchRun } from "../../bench/run-facts.ts";
import { askClaude, type Answer, type AskFault } from "../../bench/ask-claude.ts";
import type { AgentPorts } from "../../bench/drivers.ts";
import { sha256Hex } from "../../base/hash.ts";
import { suiteHash } from "../../bench/suite.ts";

const { model, ...others } = compareOptions;

export const evolveCommand = keepTerminalOpen(
  command({
    name: "shorten-prompt",
    title:
      "have a model rewrite an agent's prompt to use fewer tokens, and measure it against the current one",
    words: "AGENT",
    does: "propose a rewrite with one call of your own Claude Code, then measure it as purser compare prompt does",
    argument: { isMissing: sentence("missing AGENT; purser golden list shows them"), offers: "agents" },
    options: {
      model: {
        ...model,
        does: "model of both sides and of the call (default: the one in the agent's definition)",
      },
      preview: flag("print what the model would be asked, and exit"),
      ...others,
    },
    elsewhere: { does: "same as purser compare; a replay can't measure a new prompt", options: others },
    notes: `
A rewrite that changes the frontmatter (name, tools, model, memory; anything but the description), or that saves by checking less, is
rejected before anything is measured. A better one is written to .purser/proposals with its report; it is never applied automatically.

Exit codes: 0 a better prompt was found; 1 not better, or rejected; 2 usage error; 3 undecided or failed; 130 interrupted.
`,
    run: async ({ first: argument, options }, host) => {
      const invocation: Comparing = { command: "evolve", options, host };
      const suite = await goldenSuite(options, host);
      if (!suite.ok) return reportFailure(suite, invocation);
      const setup = await setUp(suite.value, argument, options, host);
      if (!setup.ok) return reportFailure(setup, invocation);
      if (setup.value.driver.name !== "claude") {
        const detail = sentence(
          "the rewrite needs Claude Code; {0} cannot be asked for it",
          setup.value.driver.name,
        );
        return reportFailure({ reason: "not-ready", detail }, invocation);
      }
      return await withBenchContext(setup.value, invocation, (context) =>
        evolve(setup.value, context, invocation),
      );
    },
  }),
);

async function evolve(setup: Setup, context: BenchContext, invocation: Comparing): Promise<Result<Ended>> {
  const { options, host } = invocation;
  const { agent } = setup;
  const facts = measuredWaste(await storedRuns(setup, context.ports.folder));
  const prompt = evolvePrompt({ agent: agent.name, definition: agent.definition, ...facts });
  if (options.has("preview")) {
    host.stdout.write(`${prompt}\n`);
    return succeed({ exitCode: 0, isOpen: true });
  }
  const waiting = await waitingRewrite(setup, path.join(purserPaths(host).folder, "evolve"));
  // The rewrite is not known yet, but the number of runs does not depend on it.
  const stand = { kind: "prompt", name: "rewritten prompt", definition: `${agent.definition}\n` } as const;
  const before = await prepare(setup, { change: stand, kind: "evolution" }, context);
  if (!before.ok) return before;
  const made = await plannedComparison(before.value, context.ports);
  if (!made.ok) return made;
  const { plan } = made.value;
  const call =
    waiting.proposal === null
      ? sentence(
          "First, one call of {0} for the rewrite: about {1} input tokens, and output as long as the file.",
          setup.base.model,
          wholeNumber(prompt.length / 3),
        )
      : sentence("A rewrite is already waiting to be measured, so no model is called.");
  showPlan(plan, { ...before.value, notes: [memoryNote(setup), call] }, humanOutput(invocation).stdout);
  const refusal = await agree({ ...plan, made: 0 }, invocation);
  if (refusal !== null) return succeed({ exitCode: refusal, isOpen: true });
  const proposal = await proposalOf(waiting, { prompt, setup }, invocation);
  if (!proposal.ok)
    return proposal.reason === "refused"
      ? succeed({ exitCode: refused(proposal.detail, plan, invocation, agent.name), isOpen: false })
      : proposal;
  const change = { ...stand, definition: proposal.value.definition };
  const prepared = await prepare(setup, { change, kind: "evolution" }, context);
  if (!prepared.ok) return prepared;
  const { tokenCap } = made.value.request;
  const own = { ...prepared.value, request: { ...prepared.value.request, tokenCap } };
  const measured = await measure(own, context, host);
  if (!measured.ok) return measured;
  const { settled } = measured.value.outcome;
  if (settled !== null) await forgetRewrite(waiting.file);
  const workspace = goldenWorkspace(options, host);
  const written =
    settled?.receipt.verdict.kind === "saves"
      ? await writeProposal({ workspace, definition: change.definition, receipt: settled.receipt }, nodeFiles)
      : null;
  if (written?.ok === false) return written;
  const definition = written?.value.definition ?? null;
  return succeed(
    printComparison({ plan, prepared: own, measured: measured.value, proposal: definition }, invocation),
  );
}

/** `refused`: the answer may not be measured. */
async function proposalOf(
  waiting: Awaited<ReturnType<typeof waitingRewrite>>,
  { prompt, setup }: { readonly prompt: string; readonly setup: Setup },
  invocation: Comparing,
): Promise<Result<PromptProposal>> {
  if (waiting.proposal !== null) return succeed(waiting.proposal);
  const { host } = invocation;
  const named = host.env["PURSER_CLAUDE"] ?? "";
  const ports = { ...driverPorts(host), program: named === "" ? "claude" : named };
  const about = { prompt, model: setup.base.model, shipped: setup.agent.definition };
  const reply = await askForRewrite(about, ports, host.signal);
  if (!reply.ok) return reply;
  const { answer, proposal } = reply.value;
  const { stdout } = humanOutput(invocation);
  stdout.write(`${t("The call used {0} new tokens", wholeNumber(processingOf(answer)))}\n`);
  if (!proposal.ok) return fail("refused", proposal.detail);
  await keepRewrite(waiting.file, proposal.value, randomUUID);
  stdout.write(`${cleanText(proposal.value.why)}\n`);
  return proposal;
}

function refused(
  detail: Sentence,
  plan: Parameters<typeof planToJson>[0],
  { options, host }: Comparing,
  agent: string,
): number {
  const exitCode = exitCodes.notBetter;
  host.stderr.write(`purser shorten-prompt: ${t("rejected without measuring: {0}", asLine(detail))}\n`);
  if (options.has("json")) {
    const files = { bench: null, receipt: null, receiptText: null, proposal: null };
    const json: CompareJson = {
      schema: 1,
      command: "evolve",
      agent,
      state: "refused",
      detail,
      exitCode,
      plan: planToJson(plan),
      sentence: null,
      verdict: null,
      sides: [],
      arms: [],
      files,
    };
    host.stdout.write(`${printedJson(json, 2)}\n`);
  }
  return exitCode;
}

/** A rewrite stored while it is measured, so that an interrupted run needs no second call. */
interface WaitingRewrite {
  readonly file: string;
  readonly proposal: PromptProposal | null;
}

async function waitingRewrite({ agent, base }: Setup, folder: string): Promise<WaitingRewrite> {
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

async function keepRewrite(file: string, proposal: PromptProposal, unique: () => string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const { definition, why } = proposal;
  await writeAtomically(file, Buffer.from(JSON.stringify({ definition, why })), { files: nodeFiles, unique });
}

async function forgetRewrite(file: string): Promise<void> {
  await rm(file, { force: true });
}

const maxBenches = 200;

/** Stored runs of an agent's current tasks, from any bench. */
async function storedRuns({ suite, agent, driver, base }: Setup, benches: string): Promise<BenchRun[]> {
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

interface Rewritten {
  readonly answer: Answer;
  readonly proposal: Result<PromptProposal, ProposalFault>;
}

/** Makes the only call. An invalid answer is refused; the agent is not asked again. */
async function askForRewrite(
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
