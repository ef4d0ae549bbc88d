import { isUtf8 } from "node:buffer";
import { sha256Hex } from "../../base/hash.ts";
import type * as z from "zod/mini";
import { sentence } from "../../base/language.ts";
import { issuePath, parseJson } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";

/** 64 bits: more than any accident needs. Hexadecimal digits. */
const sealLength = 16;

/**
 * Returns JSON with sorted keys, indented by two spaces, with a checksum of its content, which reveals damage and edits by hand.
 * Line ends and spaces do not count, since git may change them.
 */
export function sealJson(content: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(sorted({ ...content, checksum: sealOf(content) }), null, 2)}\n`;
}

/** Difference between a text and the written one: `unsealed` is valid except for its checksum. */
export type SealFault = "corrupt" | "unsealed";

/**
 * Parses the output of `sealJson`. A failure's detail describes the problem, and quotes nothing of the text.
 */
export function openSealed<Schema extends z.ZodMiniType<Readonly<Record<string, unknown>>>>(
  bytes: Uint8Array,
  schema: Schema,
): Result<z.infer<Schema>, SealFault> {
  const members = membersOf(bytes);
  if (!members.ok) return members;
  const { checksum, ...content } = members.value;
  const parsed = schema.safeParse(content);
  if (!parsed.success) {
    const at = issuePath(parsed.error);
    const words =
      at.length === 0
        ? sentence("its content is not what purser writes")
        : sentence("its content is not what purser writes at {0}", at.join("."));
    return fail("corrupt", words);
  }
  if (checksum !== sealOf(parsed.data))
    return fail("unsealed", sentence("its checksum does not fit its content"));
  return succeed(parsed.data);
}

/** Parses a text edited by a person: validates everything but the checksum. */
export function openUnsealed<Schema extends z.ZodMiniType<Readonly<Record<string, unknown>>>>(
  bytes: Uint8Array,
  schema: Schema,
): Result<z.infer<Schema>, SealFault> {
  const members = membersOf(bytes);
  if (!members.ok) return members;
  const { checksum: stale, ...content } = members.value;
  const checksum = sealOf(content);
  const bytesAsMeant = stale === checksum ? bytes : Buffer.from(JSON.stringify({ ...content, checksum }));
  return openSealed(bytesAsMeant, schema);
}

/** Returns the checksum, which is independent of the order of keys. */
export function sealOf(content: Readonly<Record<string, unknown>>): string {
  return sha256Hex(JSON.stringify(sorted(content)), sealLength);
}

function membersOf(bytes: Uint8Array): Result<Record<string, unknown>, "corrupt"> {
  const value = isUtf8(bytes) ? parseJson(new TextDecoder().decode(bytes)) : undefined;
  if (value === undefined)
    return fail("corrupt", bytes.length === 0 ? sentence("it is empty") : sentence("it is not JSON"));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return fail("corrupt", sentence("it is not a JSON object"));
  return succeed({ ...value });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
