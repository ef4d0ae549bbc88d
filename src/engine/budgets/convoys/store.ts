import path from "node:path";
import * as z from "zod";
import { writeAtomically } from "../../base/disk/atomic-file.ts";
import type { Clock } from "../../base/timing/clock.ts";
import type { LockPorts } from "../../base/lock/numbered.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { budgetSchema, checkedBudget, newBudget, timeText, type Budget, type NewBudget } from "../budget.ts";
import { firstBudgetSchema, fromFirstVersion } from "./first-schema.ts";
import { onDisk, type Budgeted, type BudgetFailure } from "../faults.ts";
import { budgetPlaces, readIfThere } from "../places.ts";
import { readConvoyId } from "./id.ts";
import { openSealed, openUnsealed, sealJson, sealOf, type SealFault } from "./sealed-json.ts";
import { whileLocked } from "./while-locked.ts";

/** What the files of budgets need of the world. */
export interface BudgetFilePorts extends LockPorts {
  /** The project's folder; budgets are in `.purser/budgets` there. */
  readonly project: string;
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** A budget as it is in its file. `revision` tells this content from any other. */
export interface StoredBudget {
  readonly budget: Budget;
  readonly revision: string;
  readonly file: string;
}

/**
 * Writes a new budget's file. Fails with `exists` when the convoy has one, also a damaged one. Never throws for what a disk or
 * another process does.
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
    if (found !== undefined) return fail("exists", `${file} is there already; purser budget set changes it`);
    return await write(made.value, ports);
  });
}

/**
 * Reads a convoy's budget. `not_found` is said only when there is no file; a file that was cut, damaged or edited by hand is
 * `corrupt`, and whoever would spend must stop. A file of an earlier version is read as what it means now.
 */
export async function loadBudget(convoyId: string, ports: BudgetFilePorts): Promise<Budgeted<StoredBudget>> {
  const id = readConvoyId(convoyId);
  if (!id.ok) return id;
  const file = fileOf(id.value, ports);
  return await onDisk(file, () => read(id.value, ports));
}

/**
 * Writes a changed budget, if the file still is what was loaded: else `changed`, and nothing is written. Reading, comparing and
 * writing happen under one lock, so that of two processes that change the same budget none overwrites the other. When it was made stays
 * what the file says; `updatedAt` is now.
 *
 * @param loaded the revision that was changed
 */
export async function saveBudget(
  budget: Budget,
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
      return fail("changed", `${file} was changed by another process meanwhile; load it again`);
    return await write(updated(madeAt(checked.value, found.value.budget.createdAt), ports), ports);
  });
}

/** Takes what a person edited by hand for what is meant: all of it is checked but the checksum, which is written anew. */
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

/** Removes a convoy's budget, also a damaged one. What was spent stays known. */
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

/** The budget in a file's bytes, whatever its name; the failure's reason tells damage from an edit by hand. */
export function openBudget(bytes: Uint8Array): Result<Budget, SealFault> {
  const opened = openSealed(bytes, anyVersion);
  return opened.ok ? succeed(presentVersion(opened.value)) : opened;
}

const anyVersion = z.discriminatedUnion("schema", [firstBudgetSchema, budgetSchema]);

function presentVersion(stored: z.infer<typeof anyVersion>): Budget {
  return stored.schema === 1 ? fromFirstVersion(stored) : stored;
}

/** The budget as one that was made then, whatever its caller says. */
function madeAt(budget: Budget, createdAt: string | undefined): Budget {
  const { schema, convoyId, levels, warnPercent, members } = budget;
  const given = {
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

/** Where there are no budgets, nothing is left behind by asking for one. */
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
  return path.join(budgetPlaces(project).budgets, `${id}.json`);
}

function notFound(id: string, file: string): BudgetFailure {
  return fail("not_found", `there is no budget at ${file}; purser budget create ${id} makes one`);
}

function misnamed(file: string, id: string): BudgetFailure {
  return fail("corrupt", `${file} is the budget of ${id}: give it back its name, or remove it`);
}

function damaged(file: string, what: string, id?: string): BudgetFailure {
  const remedy =
    id === undefined
      ? "get it back from git, or remove it and create it anew"
      : `if you edited it by hand, purser budget set ${id} --accept takes it as it is; else get it back from git`;
  return fail("corrupt", `${file} cannot be used: ${what}; nothing may be spent until then: ${remedy}`);
}
