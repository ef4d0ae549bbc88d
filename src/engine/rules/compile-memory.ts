import { type Result, succeed, fail } from "../base/result.ts";
import { sentence } from "../base/language.ts";
import type { LedgerEntry } from "../ledger/entries.ts";
import type { Rules, RulesLedger } from "./book/rules-book-rows.ts";
import { nextVersion } from "./book/rules-book-view.ts";
import { type MemoryPorts, memoryPath, readMemory, writeMemory } from "./memory.ts";
import { mainAgent } from "./main-files.ts";
import { compileMain, undoMain, type MainPorts } from "./main/main-memory.ts";
import { compileMemory, memoryBody } from "./memory-text.ts";

interface MemoryRequest {
  readonly agent: string;
  /** Only in this project, for the main conversation; all by default. */
  readonly project?: string | null | undefined;
  readonly root: string;
  readonly replaces: string | null;
}

interface MemoryContext extends MemoryPorts {
  readonly main: Pick<MainPorts, "disk" | "chosenFiles">;
  readonly ledger: RulesLedger;
  readonly now: () => number;
}

/** A longer memory text is not stored as a version: it does not fit in a ledger entry. Characters. */
const maxKeptLength = 30_000;

/** Entries appended to the ledger for a written memory. Empty if the file was up to date. */
type Written = Promise<Result<readonly LedgerEntry[]>>;

export async function compileInto(asked: MemoryRequest, known: Rules, context: MemoryContext): Written {
  if (asked.agent === mainAgent)
    return await compileMain({ ...asked, project: asked.project ?? null }, known, {
      ...context,
      ...context.main,
    });
  const rules = known.rules.filter(({ agent }) => agent === asked.agent);
  const version = nextVersion(known, asked.agent);
  const { text, ruleIds } = compileMemory(rules, version);
  return await put({ ...asked, text, ruleIds, version, madeBy: "purser" }, context);
}

/** Restores an earlier version of an agent's memory. Does not change its rules. */
export async function undoInto(
  { version, ...asked }: MemoryRequest & { readonly version: string },
  known: Rules,
  context: MemoryContext,
): Written {
  if (asked.agent === mainAgent)
    return await undoMain({ ...asked, project: asked.project ?? null, version }, known, {
      ...context,
      ...context.main,
    });
  const earlier = known.book.memories.find((each) => each.agent === asked.agent && each.version === version);
  if (earlier === undefined)
    return fail("no_version", sentence("the memory of {0} has no version {1}", asked.agent, version));
  const next = nextVersion(known, asked.agent);
  const { text, ruleIds } = earlier;
  return await put({ ...asked, text, ruleIds, version: next, madeBy: `version ${version}` }, context);
}

interface Put extends MemoryRequest {
  readonly text: string;
  readonly ruleIds: readonly string[];
  readonly version: string;
  readonly madeBy: string;
}

async function put(asked: Put, { ledger, now, ...ports }: MemoryContext): Written {
  const { agent, root, text, version, madeBy, ruleIds, replaces } = asked;
  const file = memoryPath(root, agent);
  if (!file.ok) return file;
  const before = await readMemory(file.value, ports);
  if (!before.ok) return before;
  const found = before.value;
  if (found?.is.kind === "ours" && memoryBody(found.text) === memoryBody(text)) return succeed([]);
  if (found === null && text === "") return succeed([]);
  const isOurs = found === null || found.is.kind === "ours";
  const entries: LedgerEntry[] = [];
  // `writeMemory` refuses what may not be overwritten, with the reason.
  if (isOurs || replaces === found.text) {
    const memory = { kind: "memory", agent, at: now() } as const;
    // The user's own text is first stored as a version, so that it can be restored.
    const theirs = isOurs
      ? []
      : [{ ...memory, version: `${version}.found`, text: found.text, ruleIds: "", madeBy: "the user" }];
    if (theirs.some((each) => each.text.length > maxKeptLength))
      return fail(
        "too_large",
        sentence("{0} is too large to be kept as a version; move it away yourself", file.value),
      );
    // Appended before writing: a file without its version could not be undone; the reverse does no harm.
    entries.push(...theirs, { ...memory, version, text, ruleIds: ruleIds.join(","), madeBy });
    const appended = await ledger.append(entries);
    if (!appended.ok) return appended;
  }
  const written = await writeMemory({ file: file.value, text, replaces }, ports);
  return written.ok ? succeed(entries) : written;
}
