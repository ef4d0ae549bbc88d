import path from "node:path";
import { sha256Hex } from "../../../src/engine/base/hash.ts";
import { scheduleRound } from "../../../src/engine/bench/execute/schedule.ts";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import type { Suite } from "../../../src/engine/bench/suite.ts";
import type { Rule } from "../../../src/engine/rules/rule.ts";
import type { SelectOutcome, SelectRequest } from "../../../src/engine/rules/rules-selection.ts";
import { selectRules, type SelectPorts } from "../../../src/engine/rules/selection.ts";
import type { RuleGroup } from "../../../src/engine/rules/together/group.ts";
import type { FoundRules, SettledSet } from "../../../src/engine/rules/together/set.ts";
import { retain } from "../../../src/engine/verdict/retention.ts";
import { rule } from "../../engine/rules/support/support.ts";
import type { SuiteWorld } from "./suite-worlds.ts";

const agent = "scout";

/** A suite that names as many tasks as the world has, without any files. */
function suiteOf({ tasks }: Pick<SuiteWorld, "tasks">): Suite {
  const folder = path.resolve("suite");
  const definition = `---\nname: ${agent}\ndescription: Works\nmemory: user\n---\nYou work.\n`;
  return {
    origin: "workspace",
    folder,
    fixture: { folder, hash: "0", files: 0, manifest: new Map(), installScripts: false },
    agents: [
      {
        name: agent,
        description: "Works",
        model: "claude-sonnet-4-6",
        memory: "user",
        definition,
        path: path.join(folder, `${agent}.md`),
        hash: sha256Hex(definition),
      },
    ],
    tasks: tasks.map((_, index) => ({
      id: taskId(index),
      agent,
      title: `Task ${index}`,
      prompt: `Do ${index}`,
      check: "true",
      checkFiles: [],
      weight: 1,
      solutionPath: null,
      wrongPaths: [],
      fixture: null,
      path: path.join(folder, `${index}.md`),
      hash: String(index),
    })),
  };
}

function taskId(index: number): string {
  return `${agent}-task-${index}`;
}

/** The text of a rule, by which a run's memory shows which rules it has. */
function textOf(place: number): string {
  return `Do the thing with the number ${place}.`;
}

export function rulesOf(count: number, over: Partial<Rule> = {}): Rule[] {
  return Array.from({ length: count }, (_, place) =>
    rule({
      id: `r${place}`,
      agent,
      sentence: textOf(place),
      status: "approved",
      decidedAt: place + 1,
      rent: 27,
      ...over,
    }),
  );
}

export interface SelectedLife extends SelectOutcome {
  /** Places of the rules that a person would be asked to let in, or that got in. */
  readonly admitted: readonly number[];
}

/**
 * Measures all rules of a world through the engine's own selection, up to the confirmation of what it finds.
 * @param more of the request, for example its token cap
 */
export async function selectInWorld(
  world: SuiteWorld,
  seed: number,
  more: Partial<SelectRequest> = {},
): Promise<SelectedLife> {
  const suite = suiteOf(world);
  const rules = more.rules ?? rulesOf(world.saves.length);
  let group: RuleGroup | null = null;
  let found: FoundRules | null = null;
  let rounds = 0;
  const refused = new Set<string>();
  const ports: SelectPorts = {
    round: (bench, round) => {
      rounds += 1;
      const request = { suite, taskIds: suite.tasks.map(({ id }) => id), seed, ...bench };
      const seen = new Set<string>();
      const runs = scheduleRound(request, round, null).map((cell): BenchRun => {
        const { memory } = bench.configurations[cell.side] ?? { memory: null };
        const isFirst = !seen.has(cell.taskId);
        seen.add(cell.taskId);
        const own = world.saves.flatMap((_, place) =>
          memory?.includes(textOf(place)) === true ? [place] : [],
        );
        const task = suite.tasks.findIndex(({ id }) => id === cell.taskId);
        const made = world.run({ round: rounds, task, isFirst, rules: own });
        return runOf(cell, { benchId: bench.benchId, ...made });
      });
      return Promise.resolve({ kind: "made", runs });
    },
    group: {
      load: () => Promise.resolve(group),
      save: (next) => {
        group = next;
        return Promise.resolve();
      },
    },
    rent: (each) => each.rent,
    now: () => 1,
    price: () => null,
    onProgress: () => undefined,
    settle: ({ rule: settled, receipt: { verdict } }) => {
      if (settled.status !== "active")
        return Promise.resolve({ ...settled, status: verdict.kind === "saves" ? "measured" : "shelved" });
      const isOut = retain(verdict, 0).action === "evict";
      return Promise.resolve(isOut ? { ...settled, status: "evicted" } : settled);
    },
    sets: {
      found: {
        load: () => Promise.resolve(found),
        save: (next) => {
          found = next;
          return Promise.resolve();
        },
      },
      receipts: () => Promise.resolve(new Map()),
      onProgress: () => undefined,
      confirm: ({ found: ids, decision }: SettledSet) => {
        if (decision === "refused") for (const id of ids) refused.add(id);
        return Promise.resolve();
      },
      letIn: () => Promise.resolve(),
    },
  };
  const grades = more.grade === "worth" ? ["worth", "proved"] : ["proved"];
  const outcome = await selectRules(
    {
      id: "select",
      agent,
      suite,
      rules,
      ruleIds: null,
      audits: 0,
      seed,
      evidence: [],
      model: "claude-sonnet-4-6",
      driver: "claude",
      tokenCap: null,
      tokensPerRun: 71_000,
      ...more,
    },
    ports,
    new AbortController().signal,
  );
  const admitted = outcome.settled.flatMap(({ rule: { id }, receipt }) =>
    receipt.expected !== undefined && grades.includes(receipt.expected.grade) && !refused.has(id)
      ? [placeOf(id)]
      : [],
  );
  return { ...outcome, admitted };
}

function placeOf(ruleId: string): number {
  return Number(ruleId.slice(1));
}

type Made = ReturnType<SuiteWorld["run"]> & Pick<BenchRun, "benchId">;

function runOf(
  cell: Pick<BenchRun, "agent" | "taskId" | "side" | "configurationHash" | "round">,
  { benchId, tokens, passed, isLost }: Made,
): BenchRun {
  return {
    ...cell,
    id: `${benchId}-${cell.round}-${cell.taskId}-${cell.side}`,
    benchId,
    role: "candidate",
    taskHash: "",
    suiteHash: "",
    fixtureHash: "",
    model: "",
    driver: "claude",
    recordedBy: null,
    outcome: isLost ? "environment" : passed ? "passed" : "failed",
    detail: null,
    usage: { input: tokens, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 },
    processingTokens: tokens,
    turns: 2,
    toolCalls: 1,
    filesReread: 0,
    sessionId: null,
    startedAt: 1,
    durationMs: 1,
    overheadMs: 1,
    checkMs: 1,
    trajectory: null,
  };
}
