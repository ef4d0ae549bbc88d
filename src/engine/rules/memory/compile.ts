import { fail, succeed, type Result } from "../../base/result.ts";
import type { LedgerEntry } from "../../ledger/entries/entry.ts";
import { compileMemory, memoryBody } from "./text.ts";
import { memoryPath, readMemory, writeMemory, type MemoryPorts } from "./file.ts";
import type { Rules, RulesLedger } from "../book/stored.ts";
import { nextVersion } from "../book/picture.ts";

interface MemoryAsked {
  readonly agent: string;
  /** Claude Code's configuration folder. */
  readonly root: string;
  /** The very text of a file that is not purser's, and may go; null where none may. */
  readonly replaces: string | null;
}

interface World extends MemoryPorts {
  readonly ledger: RulesLedger;
  readonly now: () => number;
}

/** A memory text that is longer is not kept as a version: an entry of the ledger has no room for it. Characters. */
const longestKept = 30_000;

/** What the ledger was told of a memory that was written; nothing where it was there already. */
type Written = Promise<Result<readonly LedgerEntry[]>>;

/** Writes an agent's memory as its active rules are, where that is not what is there. */
export async function compileInto(asked: MemoryAsked, known: Rules, world: World): Written {
  const rules = known.rules.filter(({ agent }) => agent === asked.agent);
  const version = nextVersion(known, asked.agent);
  const { text, ruleIds } = compileMemory(rules, version);
  return await put({ ...asked, text, ruleIds, version, madeBy: "purser" }, world);
}

/** Writes an agent's memory as an earlier version was. Its rules stay as they are. */
export async function undoInto(
  { version, ...asked }: MemoryAsked & { readonly version: string },
  known: Rules,
  world: World,
): Written {
  const earlier = known.book.memories.find((each) => each.agent === asked.agent && each.version === version);
  if (earlier === undefined)
    return fail("no_version", `the memory of ${asked.agent} has no version ${version}`);
  const next = nextVersion(known, asked.agent);
  const { text, ruleIds } = earlier;
  return await put({ ...asked, text, ruleIds, version: next, madeBy: `version ${version}` }, world);
}

interface Put extends MemoryAsked {
  readonly text: string;
  readonly ruleIds: readonly string[];
  readonly version: string;
  readonly madeBy: string;
}

async function put(asked: Put, { ledger, now, ...ports }: World): Written {
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
  // What may not be written over is refused by `writeMemory`, which says why.
  if (isOurs || replaces === found.text) {
    const memory = { kind: "memory", agent, at: now() } as const;
    // What is the user's is a version before it goes, so that it can be had again.
    const theirs = isOurs
      ? []
      : [{ ...memory, version: `${version}.found`, text: found.text, ruleIds: "", madeBy: "the user" }];
    if (theirs.some((each) => each.text.length > longestKept))
      return fail("too_large", `${file.value} is too large to be kept as a version; move it away yourself`);
    // Told first: a file without its version could not be undone, a version without its file does no harm.
    entries.push(...theirs, { ...memory, version, text, ruleIds: ruleIds.join(","), madeBy });
    const told = await ledger.append(entries);
    if (!told.ok) return told;
  }
  const written = await writeMemory({ file: file.value, text, replaces }, ports);
  return written.ok ? succeed(entries) : written;
}
