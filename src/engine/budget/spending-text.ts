import { createHash } from "node:crypto";
import { fail, succeed, type Result } from "../base/result.ts";
import { spendingSchema, type Spending } from "./spending.ts";

/** Around the content; the checksum is of its very bytes. Nobody edits this file, so nothing about it may differ. */
const [before, between, after] = [`{"checksum":"`, `","content":`, "}\n"];
const checksumLength = 16;
const start = before.length + checksumLength + between.length;

/** What was spent, as it is in its file: JSON on one line. */
export function spendingText({ usage, leases, recorded }: Spending): Buffer {
  const content = Buffer.from(JSON.stringify({ schema: 1, usage, leases, recorded }));
  return Buffer.concat([
    Buffer.from(`${before}${checksumOf(content)}${between}`),
    content,
    Buffer.from(after),
  ]);
}

/** Reads it again. A text that was cut or changed in any byte is `corrupt`. */
export function readSpending(bytes: Buffer): Result<Spending, "corrupt"> {
  const content = bytes.subarray(start, Math.max(start, bytes.length - after.length));
  const head = `${before}${checksumOf(content)}${between}`;
  const isWhole =
    bytes.subarray(0, start).equals(Buffer.from(head)) &&
    bytes.subarray(start + content.length).equals(Buffer.from(after));
  if (!isWhole) return fail("corrupt", "its checksum does not fit its content");
  const parsed = spendingSchema.safeParse(JSON.parse(content.toString()));
  if (!parsed.success) return fail("corrupt", "its content is not what this version of purser writes");
  const { usage, leases, recorded } = parsed.data;
  return succeed({ usage, leases, recorded });
}

function checksumOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex").slice(0, checksumLength);
}
