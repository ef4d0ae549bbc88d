import { lineDiff } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { nextVersion } from "../book/rules-book-view.ts";
import type { Rules, RulesLedger } from "../book/rules-book-rows.ts";
import { compileMemory, memoryBody } from "../memory-text.ts";
import type { MemoryView } from "../rules-answers.ts";
import { blockPath, readBlockFile, writeBlockFile, type BlockFile, type BlockPorts } from "./block-file.ts";
import { readChosen, writeChosen } from "../chosen-files.ts";
import { mainAgent, type ChosenFile } from "../main-files.ts";
import type { FilePort } from "../../base/files.ts";

export interface MainPorts extends BlockPorts {
  readonly files: FilePort;
  /** Path of the file with the choices. */
  readonly chosenFiles: string;
}

interface Context extends MainPorts {
  readonly ledger: RulesLedger;
  readonly now: () => number;
}

interface Wanted {
  readonly text: string;
  readonly ruleIds: readonly string[];
  readonly version: string;
  readonly madeBy: string;
  /** Only in this project; null for all. */
  readonly project: string | null;
  /** The exact text of an edited block that may be replaced. */
  readonly replaces: string | null;
}

type Written = Promise<Result<readonly LedgerEntry[]>>;

/** Writes the active rules of the main conversation into the chosen files. */
export async function compileMain(
  asked: Pick<Wanted, "project" | "replaces">,
  known: Rules,
  context: Context,
): Written {
  const version = nextVersion(known, mainAgent);
  const { text, ruleIds } = compileMemory(ofMain(known), version);
  return await put({ ...asked, text, ruleIds, version, madeBy: "purser" }, context);
}

/** Writes an earlier version into the chosen files. Does not change the rules. */
export async function undoMain(
  asked: Pick<Wanted, "project" | "replaces"> & { readonly version: string },
  known: Rules,
  context: Context,
): Written {
  const earlier = known.book.memories.find(
    ({ agent, version }) => agent === mainAgent && version === asked.version,
  );
  if (earlier === undefined)
    return fail(
      "no_version",
      sentence("the rules of the main conversation have no version {0}", asked.version),
    );
  const version = nextVersion(known, mainAgent);
  const { text, ruleIds } = earlier;
  return await put({ ...asked, text, ruleIds, version, madeBy: `version ${asked.version}` }, context);
}

async function put(wanted: Wanted, { ledger, now, ...ports }: Context): Written {
  const { project, text, replaces, version } = wanted;
  const all = await readChosen(ports);
  if (!all.ok) return all;
  const chosen = all.value.filter((each) => project === null || each.project === project);
  if (chosen.length === 0 && text !== "")
    return fail(
      "no_file",
      sentence(
        "no file is chosen for them: Review Rules in VS Code, or purser rules file in the project, chooses one",
      ),
    );
  const found: BlockFile[] = [];
  const theirs: string[] = [];
  const refused: Sentence[] = [];
  for (const each of chosen) {
    const read = await readBlockFile(each, ports);
    if (!read.ok) {
      refused.push(read.detail);
      continue;
    }
    const { parts, is, file } = read.value;
    if (memoryBody(parts.memory ?? "") === memoryBody(text)) continue;
    if (is !== null && is.kind !== "ours") {
      if (replaces !== parts.memory) {
        refused.push(sentence("purser's rules in {0} were edited by hand; they are left as they are", file));
        continue;
      }
      theirs.push(parts.memory ?? "");
    }
    found.push(read.value);
  }
  const entries: LedgerEntry[] = [];
  if (found.length > 0) {
    const memory = { kind: "memory", agent: mainAgent, at: now() } as const;
    // The user's own text is first stored as a version, so that it can be restored.
    for (const edited of theirs)
      entries.push({ ...memory, version: `${version}.found`, text: edited, ruleIds: "", madeBy: "the user" });
    entries.push({ ...memory, version, text, ruleIds: wanted.ruleIds.join(","), madeBy: wanted.madeBy });
    // Appended before writing: a file without its version could not be undone; the reverse does no harm.
    const appended = await ledger.append(entries);
    if (!appended.ok) return appended;
  }
  for (const each of found) {
    const written = await writeBlockFile(each, text, ports);
    if (!written.ok) refused.push(written.detail);
  }
  const [first] = refused;
  return first === undefined ? succeed(entries) : fail("not_written", first);
}

/**
 * Chooses a project's file, or none. The rules move from the file before to the new one; text beside them stays. A block
 * that was edited by hand is left where it is, and nothing is chosen.
 */
export async function chooseMainFile(
  { project, name }: { readonly project: string; readonly name: ChosenFile["name"] | null },
  known: Rules,
  context: Context,
): Written {
  const all = await readChosen(context);
  if (!all.ok) return all;
  const before = all.value.find((each) => each.project === project);
  if (before !== undefined && before.name !== name) {
    const old = await readBlockFile(before, context);
    if (!old.ok) return old;
    if (old.value.is !== null && old.value.is.kind !== "ours")
      return fail(
        "not_ours",
        sentence("purser's rules in {0} were edited by hand; remove them there first", old.value.file),
      );
    if (old.value.is !== null) {
      const taken = await writeBlockFile(old.value, "", context);
      if (!taken.ok) return taken;
    }
  }
  if (name !== null) {
    // Refuse a file that could not be written later.
    const next = await readBlockFile({ project, name }, context);
    if (!next.ok) return next;
  }
  const stored = await writeChosen({ project, name }, context);
  if (!stored.ok) return stored;
  return name === null ? succeed([]) : await compileMain({ project, replaces: null }, known, context);
}

/** Returns the chosen files with what is in them, and what would be. */
export async function mainMemoryViews(known: Rules, ports: MainPorts): Promise<Result<MemoryView[]>> {
  const chosen = await readChosen(ports);
  if (!chosen.ok) return chosen;
  const { text: next, leftOut } = compileMemory(ofMain(known), nextVersion(known, mainAgent));
  const versions = known.book.memories
    .filter(({ agent }) => agent === mainAgent)
    .map(({ version, at, ruleIds, madeBy }) => ({ version, at, rules: ruleIds.length, madeBy }));
  const views: MemoryView[] = [];
  for (const each of chosen.value) {
    const read = await readBlockFile(each, ports);
    const text = read.ok ? (read.value.parts.memory ?? "") : "";
    const isCurrent = read.ok && memoryBody(text) === memoryBody(next);
    const kind = read.ok ? (read.value.is?.kind ?? "none") : "failed";
    views.push({
      agent: mainAgent,
      project: each.project,
      file: blockPath(each),
      state: kind === "foreign" ? "edited" : kind,
      text,
      next,
      isCurrent,
      diff: lineDiff(text, isCurrent ? text : next),
      leftOut: [...leftOut],
      versions,
    });
  }
  return succeed(views);
}

function ofMain({ rules }: Pick<Rules, "rules">) {
  return rules.filter(({ agent }) => agent === mainAgent);
}
