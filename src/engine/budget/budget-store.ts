import path from "node:path";
import { writeAtomically } from "../base/atomic-file.ts";
import type { LockPorts } from "../base/lock-file.ts";
import { fail, succeed } from "../base/result.ts";
import { budgetSchema, checkedBudget, newBudget, type Budget, type NewBudget } from "./budget.ts";
import { onDisk, type Budgeted, type BudgetFailure } from "./budget-faults.ts";
import { budgetPlaces, namesIn, readIfThere } from "./budget-places.ts";
import { readConvoyId } from "./convoy-id.ts";
import { openSealed, openUnsealed, sealJson, sealOf } from "./sealed-json.ts";
import { whileLocked } from "./while-locked.ts";

/** What the files of budgets need of the world. */
export interface BudgetFilePorts extends LockPorts {
  /** The project's folder; budgets are in `.purser/budgets` there. */
  readonly project: string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** A budget as it is in its file. `revision` tells this content from any other. */
export interface StoredBudget {
  readonly budget: Budget;
  readonly revision: string;
  readonly file: string;
}

/** A file of the folder, and what is in it. */
export interface BudgetListing {
  readonly file: string;
  /** A file that cannot be read is told here: it is never left out. */
  readonly stored: Budgeted<StoredBudget>;
}

/**
 * Writes a new budget's file. Fails with `exists` when the convoy has one, also a damaged one. Never throws for what a disk or
 * another process does.
 */
export async function createBudget(
  wanted: NewBudget,
  ports: BudgetFilePorts,
): Promise<Budgeted<StoredBudget>> {
  const made = newBudget(wanted);
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
 * `corrupt`, and whoever would spend must stop.
 */
export async function loadBudget(convoyId: string, ports: BudgetFilePorts): Promise<Budgeted<StoredBudget>> {
  const id = readConvoyId(convoyId);
  if (!id.ok) return id;
  const file = fileOf(id.value, ports);
  return await onDisk(file, () => read(id.value, ports));
}

/**
 * Writes a changed budget, if the file still is what was loaded: else `changed`, and nothing is written. Reading, comparing and
 * writing happen under one lock, so that of two processes that change the same budget none overwrites the other.
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
    return await write(checked.value, ports);
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
    const opened = openUnsealed(bytes, budgetSchema);
    if (!opened.ok) return damaged(file, opened.detail);
    if (opened.value.convoyId !== id.value) return misnamed(file, opened.value.convoyId);
    return await write(opened.value, ports);
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

/** Every budget of the project, by id. A file that cannot be read has its failure in its place. */
export async function listBudgets(ports: BudgetFilePorts): Promise<Budgeted<BudgetListing[]>> {
  const folder = budgetPlaces(ports.project).budgets;
  return await onDisk(folder, async () => {
    const names = await namesIn(folder, ports.files);
    const ids = names.filter((name) => !name.startsWith(".") && /\.json$/iu.test(name)).toSorted();
    const listed = ids.map(async (name): Promise<BudgetListing[]> => {
      const file = path.join(folder, name);
      const stored = await loadBudget(name.replace(/\.json$/u, ""), ports);
      // Somebody removed it between the two looks.
      if (!stored.ok && stored.reason === "not_found") return [];
      return [{ file, stored }];
    });
    return succeed((await Promise.all(listed)).flat());
  });
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
  const opened = openSealed(bytes, budgetSchema);
  if (!opened.ok) return damaged(file, opened.detail, opened.reason === "unsealed" ? id : undefined);
  if (opened.value.convoyId !== id) return misnamed(file, opened.value.convoyId);
  return succeed({ budget: opened.value, revision: sealOf(opened.value), file });
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
