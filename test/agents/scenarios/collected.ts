import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Freshness } from "../../../src/engine/ledger/ledger-answers.ts";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { startCollecting } from "../../../src/engine/ledger/collect/start-collecting.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { openLedger } from "../../../src/engine/ledger/store/open.ts";
import { ledgerPorts } from "../../engine/ledger/support/support.ts";

/** A ledger that holds only what was collected from agents' folders. */
export interface Collected {
  readonly ledger: Ledger;
  readonly freshness: Freshness;
  /** Complaints raised while collecting. */
  readonly complaints: readonly string[];
  /** Collects once more, after the files changed. */
  readonly collectAgain: () => Promise<Pick<Collected, "freshness" | "complaints">>;
  /** Every byte of the ledger on disk: journal and snapshot. */
  bytes(): Promise<Buffer>;
}

/**
 * Collects everything the agents wrote, the way the service does, into a real ledger in a scratch folder; removes it after `use`.
 */
export async function withCollected<Value>(
  place: { readonly env: Readonly<Record<string, string>>; readonly home: string },
  use: (collected: Collected) => Value | Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "purser-collected-"));
  try {
    const opened = await openLedger({ ...ledgerPorts(), folder });
    if (!opened.ok) throw new Error(`${opened.reason}: ${opened.detail.text}`);
    const ledger = opened.value;
    try {
      const { freshness, complaints } = await collect(ledger, place);
      const bytes = async (): Promise<Buffer> => {
        const journal = bytesBelow(folder);
        const made = await ledger.snapshot();
        if (!made.ok) throw new Error(`no snapshot: ${made.detail.text}`);
        return Buffer.concat([journal, bytesBelow(folder)]);
      };
      return await use({ ledger, freshness, complaints, bytes, collectAgain: () => collect(ledger, place) });
    } finally {
      await ledger.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function collect(
  ledger: Ledger,
  place: { readonly env: Readonly<Record<string, string>>; readonly home: string },
): Promise<Pick<Collected, "freshness" | "complaints">> {
  const complaints: string[] = [];
  const collecting = await startCollecting(place, {
    ledger,
    clock: systemClock,
    onFreshness: () => undefined,
    onProblem: (message) => complaints.push(message),
  });
  try {
    return { freshness: await collecting.catchUp(), complaints };
  } finally {
    await collecting.stop();
  }
}

function bytesBelow(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(files.map((entry) => readFileSync(join(entry.parentPath, entry.name))));
}
