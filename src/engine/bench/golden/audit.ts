import { sentence, type Sentence, compose } from "../../base/language.ts";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { textIfThere } from "../../base/files.ts";
import type { Clock } from "../../base/timing.ts";
import type { Result } from "../../base/result.ts";
import { cleanText } from "../../base/text.ts";
import { applyPatch } from "../execute/apply-patch.ts";
import { copyFixture } from "../fixture/copy.ts";
import { defaultCheckTimeout, runCheck, type CheckResult } from "../execute/run-check.ts";
import { fixtureOf, type Fixture, type GoldenTask, type Suite } from "../suite/suite.ts";

/**
 * Kinds of faults in a task. The first two are the reason for the audit: such a check says nothing about any
 * work.
 */
type AuditFaultKind =
  | "always-passes"
  | "never-passes"
  | "wrong-passes"
  | "no-solution"
  | "few-wrong"
  | "does-not-apply"
  | "not-run";

interface AuditFault {
  readonly kind: AuditFaultKind;
  /** A description naming the faulty file. May contain a check's output: untrusted text. */
  readonly detail: Sentence;
}

interface Trial {
  /** `pristine`, or the name of the applied patch. */
  readonly with: string;
  readonly outcome: CheckResult["outcome"];
  readonly durationMs: number;
}

export interface TaskAudit {
  readonly taskId: string;
  readonly agent: string;
  readonly path: string;
  readonly faults: readonly AuditFault[];
  readonly trials: readonly Trial[];
}

export interface AuditPorts {
  /** Folder for copies of the fixture. */
  readonly scratch: string;
  /** Prepares a fixture's packages (`prepareFixtureModules`). */
  readonly modules: (fixture: Fixture) => Promise<Result<string | null>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly parallel: number;
  readonly onTask?: (audit: TaskAudit) => void;
}

/** Minimum wrong solutions per task in the built-in suite. A workspace's own suite may have any number. */
const minWrong = 2;

/**
 * Checks that every task's check can decide whether the work was done: it fails on the pristine fixture,
 * passes with the solution, and fails with each wrong one. When cancelled, returns what was found until then.
 */
export async function auditSuite(
  suite: Suite,
  tasks: readonly GoldenTask[],
  ports: AuditPorts,
): Promise<readonly TaskAudit[]> {
  const audits = new Map<string, TaskAudit>();
  const waiting = [...tasks];
  const isOver = () => ports.signal.aborted;
  const worker = async () => {
    for (let task = waiting.shift(); task !== undefined && !isOver(); task = waiting.shift()) {
      const audit = await auditTask(suite, task, ports);
      if (isOver()) return;
      audits.set(task.id, audit);
      ports.onTask?.(audit);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, ports.parallel) }, worker));
  return tasks.flatMap(({ id }) => audits.get(id) ?? []);
}

async function auditTask(suite: Suite, task: GoldenTask, ports: AuditPorts): Promise<TaskAudit> {
  const faults: AuditFault[] = [];
  const trials: Trial[] = [];
  const check = async (patch: string | null) => {
    const name = patch === null ? "pristine" : path.basename(patch);
    const tried = await tryWith(suite, task, patch, ports);
    if ("fault" in tried) {
      faults.push(tried.fault);
      return null;
    }
    const { outcome, durationMs } = tried.result;
    trials.push({ with: name, outcome, durationMs });
    if (outcome === "passed" || outcome === "failed") return tried.result;
    if (outcome !== "cancelled") faults.push(notRun(task, name, tried.result));
    return null;
  };

  const pristine = await check(null);
  if (pristine?.outcome === "passed")
    faults.push({
      kind: "always-passes",
      detail: sentence("{0}: its check passes although nothing was done", task.id),
    });
  if (task.solutionPath === null)
    faults.push({ kind: "no-solution", detail: sentence("{0} has no solution", task.id) });
  else {
    const solved = await check(task.solutionPath);
    if (solved?.outcome === "failed")
      faults.push({
        kind: "never-passes",
        detail: sentence(
          "{0}: its check fails with {1}: {2}",
          task.id,
          path.basename(task.solutionPath),
          endOf(solved.output),
        ),
      });
  }
  if (suite.origin === "built-in" && task.wrongPaths.length < minWrong)
    faults.push({
      kind: "few-wrong",
      detail: sentence(
        "{0} has {1} wrong solutions, and needs {2}",
        task.id,
        task.wrongPaths.length,
        minWrong,
      ),
    });
  for (const wrong of task.wrongPaths) {
    const passed = (await check(wrong))?.outcome === "passed";
    if (passed)
      faults.push({
        kind: "wrong-passes",
        detail: sentence("{0}: its check passes with {1}", task.id, path.basename(wrong)),
      });
  }
  return { taskId: task.id, agent: task.agent, path: task.path, faults, trials };
}

function notRun({ id }: GoldenTask, name: string, { outcome, output }: CheckResult): AuditFault {
  const values = { id, name, end: endOf(output) };
  const detail =
    outcome === "timeout"
      ? sentence("{id}: its check did not end in time ({name}): {end}", values)
      : sentence("{id}: its check could not be run ({name}): {end}", values);
  return { kind: "not-run", detail };
}

async function tryWith(
  suite: Suite,
  task: GoldenTask,
  patch: string | null,
  ports: AuditPorts,
): Promise<TriedPatch> {
  const fixture = fixtureOf(suite, task);
  if (patch === null) return await tryPatch({ task, fixture, patch: null }, ports);
  const name = path.basename(patch);
  const text = await textIfThere(patch);
  if (text !== null) return await tryPatch({ task, fixture, patch: { name, text } }, ports);
  const detail = compose`${task.id}: ${sentence("there is no {0}", name)}`;
  return { fault: { kind: "does-not-apply", detail } };
}

type TriedPatch = { readonly result: CheckResult } | { readonly fault: AuditFault };

interface PatchTrial {
  readonly task: Pick<GoldenTask, "id" | "check" | "checkFiles">;
  readonly fixture: Fixture;
  /** Null to try the fixture as it is. */
  readonly patch: { readonly name: string; readonly text: string } | null;
}

/** Runs a task's check in a copy of its fixture, with a patch or without. Leaves nothing behind. */
export async function tryPatch(
  { task, fixture, patch }: PatchTrial,
  {
    scratch,
    prefix = "purser-audit-",
    modules,
    env,
    clock,
    signal,
  }: Omit<AuditPorts, "parallel"> & { readonly prefix?: string },
): Promise<TriedPatch> {
  const folder = await mkdtemp(path.join(scratch, prefix));
  try {
    const copy = path.join(folder, "project");
    const installed = await modules(fixture);
    const copied = installed.ok
      ? await copyFixture({ fixture, to: copy, modules: installed.value })
      : installed;
    if (!copied.ok) return { fault: { kind: "not-run", detail: compose`${task.id}: ${copied.detail}` } };
    if (patch !== null) {
      const { name, text } = patch;
      const applied = await applyPatch(copy, text);
      if (!applied.ok) {
        const detail = sentence("{id}: {name} does not apply: {why}", {
          id: task.id,
          name,
          why: applied.detail,
        });
        return { fault: { kind: "does-not-apply", detail } };
      }
    }
    const mark = path.basename(folder);
    return { result: await runCheck(task, copy, { signal, env, clock, mark, timeout: defaultCheckTimeout }) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const shownOutput = 600; // characters

function endOf(output: string): string {
  return cleanText(output.slice(-shownOutput));
}
