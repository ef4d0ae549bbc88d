import path from "node:path";
import type * as z from "zod/mini";
import type { BenchPorts } from "../../bench/bench-request.ts";
import type { RuleView } from "../../rules/rules-answers.ts";
import {
  type GroupStore,
  storedGroup,
  type SetPorts,
  type FoundStore,
  type SettledSet,
  foundRules,
} from "../../rules/selection.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { readReceipt, type Receipt } from "../../verdict/receipt.ts";
import type { Requester } from "../all-requests.ts";
import { readFile, rm } from "node:fs/promises";
import { writeAtomically, nodeFiles } from "../../base/files.ts";
import { errorCode } from "../../base/result.ts";
import { readJson } from "../../base/parse.ts";

interface RecordedSet extends SettledSet {
  readonly rules: readonly Pick<RuleView, "id" | "status">[];
  /** Why the agent's memory was not written. */
  readonly memory: Sentence | null;
}

export interface SetContext {
  readonly name: string;
  readonly disk: Pick<BenchPorts, "folder" | "unique">;
  readonly service: Requester<"rulesRead" | "rulesReceipt" | "rulesConfirmed" | "rulesFoundAlone">;
  readonly root: string;
  /** Rules at the start of the selection. */
  readonly views: readonly RuleView[];
  /** Rules that pass go into the agent's memory without asking. */
  readonly isActivated: boolean;
  readonly onProgress: SetPorts["onProgress"];
  readonly onConfirmed: (set: RecordedSet) => void;
  readonly onLetIn: (letIn: { readonly rule: RuleView; readonly memory: Sentence | null }) => void;
  readonly onLost: (detail: Sentence) => void;
}

export function setPorts(context: SetContext): SetPorts {
  const { service, root, isActivated, onLost } = context;
  return {
    found: unconfirmed(foundFile(context.name, context.disk), context.views),
    onProgress: context.onProgress,
    receipts: (ruleIds) => newestReceipts(ruleIds, service, root),
    confirm: async (set) => {
      const { receipt, evidence } = set;
      const body = { receipt: JSON.stringify(receipt), evidence, isActivated, root };
      const done = await service.ask("rulesConfirmed", body);
      if (done.ok) context.onConfirmed({ ...set, ...done.value });
      else onLost(sentence("the verdict on the set is not kept: {why}", { why: done.detail }));
    },
    letIn: async (ruleId) => {
      const done = await service.ask("rulesFoundAlone", { ruleId, isActivated, root });
      if (!done.ok) onLost(sentence("{ruleId} is not let in: {why}", { ruleId, why: done.detail }));
      else if (done.value.rule !== null) context.onLetIn({ ...done.value, rule: done.value.rule });
    },
  };
}

/** Whether found rules are not yet confirmed as a whole. */
export async function isInterrupted({ name, disk, views }: Pick<SetContext, "name" | "disk" | "views">) {
  return (await unconfirmed(foundFile(name, disk), views).load()) !== null;
}

/**
 * Forgets rules with a set that the ledger already has: the process was killed between recording and
 * forgetting.
 */
function unconfirmed(store: FoundStore, views: readonly RuleView[]): FoundStore {
  const isConfirmed = (ruleId: string) =>
    views.some(({ id, set }) => id === ruleId && set !== undefined && set.decision !== null);
  return {
    ...store,
    load: async () => {
      const stored = await store.load();
      return stored?.rules.every(isConfirmed) === true ? null : stored;
    },
  };
}

/** Leaves out an unreadable receipt: the set's receipt then names none for that rule. */
async function newestReceipts(
  ruleIds: readonly string[],
  service: SetContext["service"],
  root: string,
): Promise<ReadonlyMap<string, Receipt>> {
  const found = new Map<string, Receipt>();
  const read = await service.ask("rulesRead", { root });
  if (!read.ok) return found;
  for (const { id, receipts } of read.value.view.rules) {
    const newest = ruleIds.includes(id) ? receipts.find(({ isDemo }) => !isDemo) : undefined;
    if (newest === undefined) continue;
    const answer = await service.ask("rulesReceipt", { id: newest.id });
    const receipt = answer.ok ? readReceipt(answer.value.json ?? "") : answer;
    if (receipt.ok) found.set(id, receipt.value);
  }
  return found;
}

type Disk = Pick<BenchPorts, "folder" | "unique">;

/** Stored next to its benches. An unreadable file starts again. */
export function groupFile(name: string, disk: Disk): GroupStore {
  return jsonFile(`${name}.group.json`, storedGroup, disk);
}

/** Stored until the rules are confirmed as a whole. */
function foundFile(name: string, disk: Disk): FoundStore {
  return jsonFile(`${name}.found.json`, foundRules, disk);
}

function jsonFile<Value>(name: string, schema: z.ZodMiniType<Value>, { folder, unique }: Disk) {
  const file = path.join(folder, name);
  return {
    load: async (): Promise<Value | null> => {
      try {
        return readJson(schema, await readFile(file, "utf8"));
      } catch (error) {
        if (errorCode(error) === "ENOENT") return null;
        throw error;
      }
    },
    save: async (value: Value | null): Promise<void> => {
      if (value === null) {
        await rm(file, { force: true });
        return;
      }
      await nodeFiles.makeFolder(folder);
      await writeAtomically(file, Buffer.from(`${JSON.stringify(value)}\n`), { files: nodeFiles, unique });
    },
  };
}
