import path from "node:path";
import { succeed, errorCode } from "../../base/result.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { onDisk, type Budgeted } from "../faults.ts";
import { budgetPaths, namesIn, readIfThere } from "../disk-layout.ts";
import { loadBudget, openBudget, type BudgetFilePorts, type StoredBudget } from "./convoys-store.ts";
import { idRule, readConvoyId } from "./id.ts";

interface BudgetListing {
  readonly file: string;
  /** A budget that cannot be read is listed as a failure, never left out. */
  readonly stored: Budgeted<StoredBudget>;
}

/**
 * A file in the budgets' folder that is not a budget. It limits nothing, and is reported wherever budgets are
 * shown.
 */
export interface StrayFile {
  readonly file: string;
  /** Why it is not a budget, and what to do, in a sentence. */
  readonly detail: Sentence;
}

export interface BudgetFolder {
  readonly budgets: readonly BudgetListing[];
  readonly strays: readonly StrayFile[];
}

/**
 * Lists every budget of the project. A file that only looks like a budget (a copy, a folder, a broken link)
 * is kept apart from a damaged budget: it stops nobody, and hides no other.
 */
export async function listBudgets(ports: BudgetFilePorts): Promise<Budgeted<BudgetFolder>> {
  const folder = budgetPaths(ports.project).budgets;
  return await onDisk(folder, async () => {
    const names = await namesIn(folder, ports.files);
    // Systems and editors leave hidden files everywhere; ours are hidden too while they are written.
    const shown = names.filter((name) => !name.startsWith(".") && /\.json$/iu.test(name)).toSorted();
    const found = await Promise.all(shown.map((name) => readListing(path.join(folder, name), ports)));
    return succeed({
      budgets: found.flatMap((each) => (each !== null && "stored" in each ? [each] : [])),
      strays: found.flatMap((each) => (each !== null && "detail" in each ? [each] : [])),
    });
  });
}

/** Returns null if the file was removed in between. */
async function readListing(file: string, ports: BudgetFilePorts): Promise<BudgetListing | StrayFile | null> {
  const name = path.basename(file);
  const id = readConvoyId(name.slice(0, -".json".length));
  if (!id.ok || !name.endsWith(".json"))
    return stray(file, sentence("its name is no group's id ({rule}); rename or remove it", { rule: idRule }));
  const kind = await kindOf(file, ports);
  if (kind === "folder") return stray(file, sentence("it is a folder; rename or remove it"));
  if (kind === "other") return stray(file, sentence("it is no file that could be read; remove it"));
  const stored = kind === "missing" ? null : await loadBudget(id.value, ports);
  if (stored === null || (!stored.ok && stored.reason === "not_found")) {
    const isThere = (await namesIn(path.dirname(file), ports.files)).includes(name);
    return isThere ? stray(file, sentence("it is a link that leads nowhere; remove it")) : null;
  }
  const isDamaged = !stored.ok && stored.reason === "corrupt";
  const original = isDamaged ? await originalOf(file, id.value, ports) : null;
  if (original !== null) return stray(file, sentence("it is a copy of {0}.json; remove it", original));
  return { file, stored };
}

function stray(file: string, why: Sentence): StrayFile {
  return { file, detail: sentence("{file} is no budget and limits nothing: {why}", { file, why }) };
}

async function kindOf(
  file: string,
  { files }: BudgetFilePorts,
): Promise<"file" | "folder" | "other" | "missing"> {
  try {
    return await files.kindOf(file);
  } catch (error) {
    // A link to itself counts as broken. Other errors are reported by the reader of the file.
    return ["ENOENT", "ELOOP"].includes(errorCode(error)) ? "missing" : "file";
  }
}

/**
 * Returns the convoy of the budget that this intact file copies, if that has its own file. Null if it is not
 * a copy.
 */
async function originalOf(file: string, id: string, ports: BudgetFilePorts): Promise<string | null> {
  const bytes = await readIfThere(file, ports.files);
  const opened = bytes === undefined ? null : openBudget(bytes);
  if (opened?.ok !== true || opened.value.convoyId === id) return null;
  const { convoyId } = opened.value;
  const names = await namesIn(path.dirname(file), ports.files);
  return names.includes(`${convoyId}.json`) ? convoyId : null;
}
