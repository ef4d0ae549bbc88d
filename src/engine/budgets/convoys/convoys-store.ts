import path from "node:path";
import * as z from "zod/mini";
import { sentence, type Sentence } from "../../base/language.ts";
import { writeAtomically } from "../../base/files.ts";
import type { Clock } from "../../base/timing.ts";
import { type LockPorts, takeLock } from "../../base/lock.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import {
  budgetSchema,
  checkedBudget,
  newBudget,
  timeText,
  type Budget,
  type NewBudget,
  commonShape,
  maxLimit,
  periodNames,
  presentLevels,
  type FormerLevel,
  type GivenBudget,
  type Levels,
} from "../budget.ts";
import { onDisk, unusableFile, type Budgeted, type BudgetFailure } from "../faults.ts";
import { budgetPaths, readIfThere, makeSpendingFolder } from "../disk-layout.ts";
import { readConvoyId } from "./id.ts";
import { openSealed, openUnsealed, sealJson, sealOf, type SealFault } from "./sealed-json.ts";
import { insideProject } from "../../base/paths.ts";

/** Limits as they were before they had a unit: in tokens. */
function formerLevels<Period extends string>(periods: readonly Period[]) {
  const level = z.strictObject({
    limit: z.int().check(z.minimum(1), z.maximum(maxLimit)),
    period: z.enum(periods),
  });
  const one = z.exactOptional(level);
  return z
    .strictObject({ session: one, agent: one, convoy: one, project: one })
    .check(z.refine((levels) => Object.keys(levels).length > 0));
}

/** The first version of `.purser/budgets/<convoyId>.json`. Its files stay readable for ever. In it `run` meant the whole session. */
const firstBudgetSchema = z.strictObject({
  schema: z.literal(1),
  ...commonShape,
  levels: formerLevels(["run", "day", "week", "month"]),
});

type FirstBudget = z.infer<typeof firstBudgetSchema>;
type OldLevel = NonNullable<FirstBudget["levels"]["session"]>;

/** The second version, likewise. */
const secondBudgetSchema = z.strictObject({
  ...budgetSchema.shape,
  schema: z.literal(2),
  levels: formerLevels(periodNames),
});

/**
 * Converts a budget to the present version. A limit for a run used to apply to each session. For a session,
 * and for an agent in it, this becomes `total`. For a convoy it becomes the limit of each of its sessions,
 * unless they have another. Other limits, above all a project's, stay per run: a run is a part of a session,
 * so they never stop more than before.
 */
function fromFirstVersion({ convoyId, warnPercent, members, levels }: FirstBudget): Budget {
  const { session, agent, convoy, project } = levels;
  const isMoved = session === undefined && convoy?.period === "run";
  const present: [keyof Levels, FormerLevel | undefined][] = [
    ["session", wholeOf(isMoved ? convoy : session)],
    ["agent", wholeOf(agent)],
    ["convoy", isMoved ? undefined : convoy],
    ["project", project],
  ];
  const defined = present.filter(([, level]) => level !== undefined);
  const given = members === undefined ? {} : { members };
  return { schema: 3, convoyId, warnPercent, ...given, levels: presentLevels(Object.fromEntries(defined)) };
}

function wholeOf(level: OldLevel | undefined): FormerLevel | undefined {
  return level?.period === "run" ? { ...level, period: "total" } : level;
}

interface Ports extends LockPorts {
  readonly project: string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly noteUse?: () => Promise<void>;
}

/**
 * Changing a file takes milliseconds; after five seconds of waiting the person gets
 * an error.
 */
const [attempts, between] = [250, 20];

/**
 * Runs an action that only one process at a time may do to the project's budgets.
 * @throws the system's error
 */
async function whileLocked<Value>(
  ports: Ports,
  act: () => Promise<Budgeted<Value>>,
): Promise<Budgeted<Value>> {
  const { budgets, spending: folder, lock: name } = budgetPaths(ports.project);
  for (const each of [budgets, folder]) {
    const inside = insideProject(each, ports.project);
    if (!inside.ok) return fail("unusable", inside.detail);
  }
  await ports.noteUse?.();
  await makeSpendingFolder(folder, ports.files);
  const paths = { folder, name, older: `${name}.lock` };
  let taken = await takeLock(paths, ports);
  for (let attempt = 1; !taken.ok && attempt < attempts; attempt += 1) {
    await ports.pause(between);
    taken = await takeLock(paths, ports);
  }
  if (!taken.ok) return fail("busy", sentence("{why}; try again when it has ended", { why: taken.detail }));
  try {
    return await act();
  } finally {
    await taken.value.release();
  }
}

export interface BudgetFilePorts extends LockPorts {
  /** The project's folder, which has its budgets in `.purser/budgets`. */
  readonly project: string;
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** See `PlacedSpending.noteUse`. */
  readonly noteUse?: () => Promise<void>;
}

/** A budget as stored in its file. `revision` identifies this content. */
export interface StoredBudget {
  readonly budget: Budget;
  readonly revision: string;
  readonly file: string;
}

/**
 * Writes a new budget's file. Fails with `exists` if the convoy has one, even a damaged one. Never throws for errors of the disk or
 * changes by another process.
 */
export async function createBudget(
  wanted: NewBudget,
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  const made = newBudget(wanted, ports.clock.now());
  if (!made.ok) return made;
  const file = fileOf(made.value.convoyId, ports);
  return await changing(file, ports, async () => {
    const found = await readIfThere(file, ports.files);
    if (found !== undefined)
      return fail("exists", sentence("{0} already exists; change it with purser budget set", file));
    return await write(made.value, ports);
  });
}

/**
 * Reads a convoy's budget. Fails with `not_found` only if there is no file; a file that was cut, damaged or edited by hand is
 * `corrupt`, and nothing may be spent. A file of an earlier version is converted to the present one.
 */
export async function loadBudget(convoyId: string, ports: BudgetFilePorts): Promise<Budgeted<StoredBudget>> {
  const id = readConvoyId(convoyId);
  if (!id.ok) return id;
  const file = fileOf(id.value, ports);
  return await onDisk(file, () => read(id.value, ports));
}

/**
 * Writes a changed budget if the file is still as loaded; otherwise fails with `changed` and writes nothing. Reading, comparing and
 * writing happen under one lock, so that concurrent changes never overwrite each other. `createdAt` stays as in the file; `updatedAt`
 * becomes now.
 *
 * @param loaded the revision that was changed
 */
export async function saveBudget(
  budget: GivenBudget,
  loaded: string,
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  const checked = checkedBudget(budget);
  if (!checked.ok) return checked;
  const file = fileOf(checked.value.convoyId, ports);
  return await changingThere({ id: checked.value.convoyId, file }, ports, async () => {
    const found = await read(checked.value.convoyId, ports);
    if (!found.ok) return found;
    if (found.value.revision !== loaded)
      return fail("changed", sentence("{0} was changed by another process meanwhile; load it again", file));
    return await write(updated(madeAt(checked.value, found.value.budget.createdAt), ports), ports);
  });
}

/** Accepts a budget that was edited by hand: validates everything but the checksum, which is computed again. */
export async function acceptBudget(
  convoyId: string,
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  const id = readConvoyId(convoyId);
  if (!id.ok) return id;
  const file = fileOf(id.value, ports);
  return await changingThere({ id: id.value, file }, ports, async () => {
    const bytes = await readIfThere(file, ports.files);
    if (bytes === undefined) return notFound(id.value, file);
    const opened = openUnsealed(bytes, anyVersion);
    if (!opened.ok) return damaged(file, opened.detail);
    const budget = presentVersion(opened.value);
    if (budget.convoyId !== id.value) return misnamed(file, budget.convoyId);
    return await write(updated(budget, ports), ports);
  });
}

export async function deleteBudget(convoyId: string, ports: BudgetFilePorts): Promise<Budgeted<string>> {
  const id = readConvoyId(convoyId);
  if (!id.ok) return id;
  const file = fileOf(id.value, ports);
  return await changingThere({ id: id.value, file }, ports, async () => {
    if ((await readIfThere(file, ports.files)) === undefined) return notFound(id.value, file);
    await ports.files.remove(file);
    await ports.files.flushFolder(path.dirname(file));
    return succeed(file);
  });
}

/** Parses a budget's file of any name. The failure's reason distinguishes damage from an edit by hand. */
export function openBudget(bytes: Uint8Array): Result<Budget, SealFault> {
  const opened = openSealed(bytes, anyVersion);
  return opened.ok ? succeed(presentVersion(opened.value)) : opened;
}

const anyVersion = z.discriminatedUnion("schema", [firstBudgetSchema, secondBudgetSchema, budgetSchema]);

function presentVersion(stored: z.infer<typeof anyVersion>): Budget {
  switch (stored.schema) {
    case 1:
      return fromFirstVersion(stored);
    case 2:
      return { ...stored, schema: 3, levels: presentLevels(stored.levels) };
    case 3:
      return stored;
  }
}

function madeAt(budget: Budget, createdAt: string | undefined): Budget {
  const { schema, convoyId, levels, warnPercent, members, fanOut } = budget;
  const given = {
    ...(fanOut === undefined ? {} : { fanOut }),
    ...(members === undefined ? {} : { members }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
  return { schema, convoyId, levels, warnPercent, ...given };
}

function updated(budget: Budget, { clock }: BudgetFilePorts): Budget {
  return { ...budget, updatedAt: timeText(clock.now()) };
}

function changing<Value>(
  file: string,
  ports: BudgetFilePorts,
  act: () => Promise<Budgeted<Value>>,
): Promise<Budgeted<Value>> {
  return onDisk(file, () => whileLocked(ports, act));
}

/** Changes an existing budget. If there is none, it fails without creating a lock or a folder. */
function changingThere<Value>(
  { id, file }: { readonly id: string; readonly file: string },
  ports: BudgetFilePorts,
  act: () => Promise<Budgeted<Value>>,
): Promise<Budgeted<Value>> {
  return onDisk(file, async () => {
    const found = await readIfThere(file, ports.files);
    return found === undefined ? notFound(id, file) : await whileLocked(ports, act);
  });
}

async function read(id: string, ports: BudgetFilePorts): Promise<Budgeted<StoredBudget>> {
  const file = fileOf(id, ports);
  const bytes = await readIfThere(file, ports.files);
  if (bytes === undefined) return notFound(id, file);
  const opened = openSealed(bytes, anyVersion);
  if (!opened.ok) return damaged(file, opened.detail, opened.reason === "unsealed" ? id : undefined);
  if (opened.value.convoyId !== id) return misnamed(file, opened.value.convoyId);
  return succeed({ budget: presentVersion(opened.value), revision: sealOf(opened.value), file });
}

async function write(budget: Budget, ports: BudgetFilePorts): Promise<Budgeted<StoredBudget>> {
  const file = fileOf(budget.convoyId, ports);
  await ports.files.makeFolder(path.dirname(file));
  await writeAtomically(file, Buffer.from(sealJson(budget)), ports);
  return succeed({ budget, revision: sealOf(budget), file });
}

function fileOf(id: string, { project }: BudgetFilePorts): string {
  return path.join(budgetPaths(project).budgets, `${id}.json`);
}

function notFound(id: string, file: string): BudgetFailure {
  return fail(
    "not_found",
    sentence("there is no budget at {0}; create one with purser budget create {1}", file, id),
  );
}

function misnamed(file: string, id: string): BudgetFailure {
  return fail("corrupt", sentence("{0} is the budget of {1}: give it back its name, or remove it", file, id));
}

function damaged(file: string, what: Sentence, id?: string): BudgetFailure {
  const remedy =
    id === undefined
      ? sentence("get it back from git, or remove it and create it again")
      : sentence(
          "if you edited it by hand, purser budget set {0} --accept takes it as it is; else get it back from git",
          id,
        );
  return unusableFile({ file, what, remedy });
}
