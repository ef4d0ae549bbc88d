import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import * as z from "zod";
import { noUsage, addUsage, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { seededRandom, textPool, type Random } from "./filler.ts";
import { newWriter, type SessionWriter, type Turn } from "./rows.ts";

/**
 * Facts of a synthetic corpus of transcripts with the proportions of a busy developer's: about 300 files, 420 MB, 76,000
 * responses in 230,000 lines, most bytes in tool results, one row per content block, forks, subagents, compactions, and
 * both generations of rows. The same seed gives the same bytes.
 */
const corpusFacts = z.strictObject({
  version: z.literal(2),
  seed: z.int(),
  files: z.int(),
  lines: z.int(),
  bytes: z.int(),
  /** API responses, each counted once. */
  responses: z.int(),
  usage: z.strictObject({
    input: z.int(),
    output: z.int(),
    cacheCreation5m: z.int(),
    cacheCreation1h: z.int(),
    cacheRead: z.int(),
  }),
});
type CorpusFacts = z.infer<typeof corpusFacts>;

export interface Corpus extends CorpusFacts {
  /** Path of a Claude Code configuration folder. */
  readonly root: string;
}

const version = 2;
const sessions = 176;
const forks = 12;
/** Target number of responses in all main chains; subagents add about a fifth. */
const mainTurns = 61_000;
const firstDay = Date.UTC(2026, 7, 1);
const day = 86_400_000;

/** Returns a seed's corpus, reusing the one on disk if any. */
export function ensureCorpus(seed: number, scratch = os.tmpdir()): Corpus {
  const root = path.join(scratch, `purser-corpus-v${version}-${seed}`);
  const factsFile = path.join(root, "facts.json");
  if (existsSync(factsFile))
    return { root, ...corpusFacts.parse(JSON.parse(readFileSync(factsFile, "utf8"))) };
  rmSync(root, { recursive: true, force: true });
  const facts = writeCorpus(root, seed);
  writeFileSync(`${factsFile}.new`, JSON.stringify(facts));
  renameSync(`${factsFile}.new`, factsFile);
  return { root, ...facts };
}

function writeCorpus(root: string, seed: number): CorpusFacts {
  const random = seededRandom(seed);
  const pool = textPool(random);
  const shares = Array.from({ length: sessions }, () => random.logNormal(1.1));
  const shareSum = shares.reduce((sum, share) => sum + share, 0);
  const tally = { files: 0, lines: 0, bytes: 0, responses: 0, usage: noUsage };
  for (const [number, share] of shares.entries()) {
    const turns = Math.max(3, Math.round((share / shareSum) * mainTurns));
    const session = newWriter({ random, pool, number, start: firstDay + random.below(90) * day });
    const folder = path.join(root, "projects", session.project.replaceAll(/[^A-Za-z0-9]/g, "-"));
    mkdirSync(folder, { recursive: true });
    const main = new TranscriptFile(path.join(folder, `${session.id}.jsonl`), tally);
    const kept: Turn[] = [];
    main.rows(session.opening());
    for (let turn = 0; turn < turns; turn += 1) {
      const { rows, usage } = session.turn();
      main.rows(rows);
      count(tally, usage);
      if (number < forks && turn < 60) kept.push({ rows, usage });
    }
    main.close();
    if (number < forks) writeFork(folder, session, kept, tally);
    if (random.chance(0.62)) writeSubagent(folder, session, random, tally);
  }
  return { version, seed, ...tally };
}

/** Writes a fork's file: its parent's first rows again, marked as copies, then its own turns. */
function writeFork(folder: string, session: SessionWriter, kept: readonly Turn[], tally: Tally): void {
  const fork = session.fork();
  const file = new TranscriptFile(path.join(folder, `${fork.id}.jsonl`), tally);
  for (const { rows } of kept) file.rows(rows.map((row) => fork.copied(row)));
  for (let turn = 0; turn < 40; turn += 1) {
    const { rows, usage } = fork.turn();
    file.rows(rows);
    count(tally, usage);
  }
  file.close();
}

function writeSubagent(folder: string, session: SessionWriter, random: Random, tally: Tally): void {
  const agent = session.subagent();
  const filePath = path.join(folder, session.id, "subagents");
  mkdirSync(filePath, { recursive: true });
  const file = new TranscriptFile(path.join(filePath, `agent-${agent.agentId}.jsonl`), tally);
  for (let turn = 20 + random.below(220); turn > 0; turn -= 1) {
    const { rows, usage } = agent.turn();
    file.rows(rows);
    count(tally, usage);
  }
  file.close();
}

interface Tally {
  files: number;
  lines: number;
  bytes: number;
  responses: number;
  usage: TokenUsage;
}

function count(tally: Tally, usage: TokenUsage): void {
  tally.responses += 1;
  tally.usage = addUsage(tally.usage, usage);
}

/** Writes rows in large chunks. */
class TranscriptFile {
  readonly #descriptor: number;
  readonly #tally: Tally;
  #pending: string[] = [];

  constructor(file: string, tally: Tally) {
    this.#descriptor = openSync(file, "w");
    this.#tally = tally;
    tally.files += 1;
  }

  rows(rows: readonly object[]): void {
    for (const row of rows) this.#pending.push(`${JSON.stringify(row)}\n`);
    this.#tally.lines += rows.length;
    if (this.#pending.length > 200) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#descriptor);
  }

  #flush(): void {
    this.#tally.bytes += writeSync(this.#descriptor, this.#pending.join(""));
    this.#pending = [];
  }
}
