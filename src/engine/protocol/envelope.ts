import { plainSentence } from "../base/language.ts";
import * as z from "zod/mini";
import { fail, succeed, type Result } from "../base/result.ts";

/** Maximum message before and after a client has shown its token. Bytes. */
export const clientLimits = { stranger: 4096, known: 1024 * 1024 };
/** Maximum message from the service. Bytes. */
export const serviceLimit = 64 * 1024 * 1024;

const id = z.union([z.int(), z.string().check(z.maxLength(64))]);
const jsonrpc = z.literal("2.0");
/** Names that start with `$` are reserved by the library; of those only cancelling is supported. */
const method = z.string().check(z.regex(/^[a-z][A-Za-z]{0,63}$/u));
const members = z.record(z.string(), z.unknown());
const envelopeSchema = z.union([
  z.strictObject({ jsonrpc, id, method, params: members }),
  z.strictObject({ jsonrpc, method: z.literal("$/cancelRequest"), params: z.strictObject({ id }) }),
  z.strictObject({ jsonrpc, method, params: members }),
  z.strictObject({ jsonrpc, id, result: z.unknown() }),
  z.strictObject({
    jsonrpc,
    id,
    error: z.object({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) }),
  }),
]);
export type Envelope = z.infer<typeof envelopeSchema>;

export function readEnvelope(value: unknown): Result<Envelope, "malformed"> {
  const parsed = envelopeSchema.safeParse(value);
  return parsed.success
    ? succeed(parsed.data)
    : fail("malformed", plainSentence("a message is none of the protocol's"));
}
