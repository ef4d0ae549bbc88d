import { sha256Hex } from "../../base/hash.ts";
import { english } from "../../base/text/english.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { ledgerTotalsSchema, type SessionTotals } from "./session-totals.ts";
import { spendingSchema, type Spending, type UsageRow } from "./spending.ts";

/**
 * The text around the content; the checksum covers its exact bytes. Nobody edits this file by hand, so nothing in it
 * may differ.
 */
const [before, between, after] = [`{"checksum":"`, `","content":`, "}\n"];
const checksumLength = 16;
const start = before.length + checksumLength + between.length;

/** Usage recorded by callers, stored in one file. */
export type CallerSpending = Omit<Spending, "totals">;

/** Returns the file's text for usage recorded by callers: JSON on one line. */
export function spendingText({ usage, leases, recorded }: CallerSpending): Buffer {
  return sealed({ schema: 2, usage, leases, recorded });
}

/** Parses `spendingText`. Fails with `corrupt` if any byte was cut or changed. */
export function readSpending(bytes: Buffer): Result<CallerSpending, "corrupt"> {
  const opened = opening(bytes);
  if (!opened.ok) return opened;
  const parsed = spendingSchema.safeParse(opened.value);
  if (!parsed.success) return unknownContent;
  const { schema, usage, leases, recorded } = parsed.data;
  return succeed({ usage: schema === 1 ? usage.flatMap(ofCallers) : usage, leases, recorded });
}

/** In the first version `observed` held the ledger's totals, which are now in a file of their own. */
function ofCallers(row: UsageRow): UsageRow[] {
  return row.settled === 0 ? [] : [{ ...row, observed: 0 }];
}

/** Returns the file's text for a ledger's totals of a project. */
export function totalsText(sessions: readonly SessionTotals[]): Buffer {
  return sealed({ schema: 1, sessions });
}

/** Parses `totalsText`, failing as `readSpending` does. */
export function readTotals(bytes: Buffer): Result<readonly SessionTotals[], "corrupt"> {
  const opened = opening(bytes);
  if (!opened.ok) return opened;
  const parsed = ledgerTotalsSchema.safeParse(opened.value);
  return parsed.success ? succeed(parsed.data.sessions) : unknownContent;
}

const unknownContent = fail("corrupt", english("its content is not what this version of purser writes"));

function sealed(value: object): Buffer {
  const content = Buffer.from(JSON.stringify(value));
  return Buffer.concat([
    Buffer.from(`${before}${checksumOf(content)}${between}`),
    content,
    Buffer.from(after),
  ]);
}

function opening(bytes: Buffer): Result<unknown, "corrupt"> {
  const content = bytes.subarray(start, Math.max(start, bytes.length - after.length));
  const head = `${before}${checksumOf(content)}${between}`;
  const isWhole =
    bytes.subarray(0, start).equals(Buffer.from(head)) &&
    bytes.subarray(start + content.length).equals(Buffer.from(after));
  if (!isWhole) return fail("corrupt", english("its checksum does not fit its content"));
  return succeed(JSON.parse(content.toString()));
}

function checksumOf(content: Buffer): string {
  return sha256Hex(content, checksumLength);
}
