import fc from "fast-check";
import * as z from "zod";
import { sampleLines } from "../sample-lines.ts";

type Members = [key: string, value: string | Members][];

const anyObject = z.record(z.string(), z.unknown());

function membersOf(object: Readonly<Record<string, unknown>>): Members {
  return Object.entries(object).map(([key, value]) => {
    const nested = anyObject.safeParse(value);
    return [key, nested.success ? membersOf(nested.data) : JSON.stringify(value)];
  });
}

function textOf(members: Members): string {
  const each = members.map(
    ([key, value]) => `${JSON.stringify(key)}:${typeof value === "string" ? value : textOf(value)}`,
  );
  return `{${each.join(",")}}`;
}

function objectsIn(members: Members): Members[] {
  return [members, ...members.flatMap(([, value]) => (typeof value === "string" ? [] : objectsIn(value)))];
}

const values = fc.constantFrom(
  ...[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "7",
    "123456789012345",
    "1234567890123456",
    "1e2",
    '""',
    "[]",
    "{}",
  ],
  ...['"assistant"', '"user"', '"model"', '"<synthetic>"', '"m[1m]"', String.raw`"\u0061ssistant"`, '"auto"'],
  ...[
    '["context-1m"]',
    '["a","context-1"]',
    '[{},"context-1m-x"]',
    '{"type":"model"}',
    '{"output_tokens":4}',
  ],
  ...['{"id":"msg_9","usage":{"input_tokens":8}}', '{"message":{"id":"msg_8"}}', '{"trigger":"manual"}'],
);
const keys = fc.constantFrom(
  ...[
    "type",
    "message",
    "usage",
    "id",
    "model",
    "input_tokens",
    "cache_creation",
    "params",
    "betas",
    "trigger",
  ],
  ...[
    "attachment",
    "identity",
    "data",
    "forkedFrom",
    "requestSessionId",
    "isSidechain",
    "compactMetadata",
    "x",
  ],
);

/** A member copied to another place in its object, perhaps with another key or value. */
interface Edit {
  readonly object: number;
  readonly from: number;
  readonly to: number;
  readonly value: string | null;
  readonly key: string | null;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  object: fc.nat(),
  from: fc.nat(),
  to: fc.nat(),
  value: fc.option(values, { freq: 3 }),
  key: fc.option(keys, { freq: 3 }),
});

function apply(row: Members, { object, from, to, value, key }: Edit): void {
  const objects = objectsIn(row);
  const members = objects[object % objects.length] ?? row;
  const [ownKey, ownValue] = members[from % members.length] ?? ["x", "null"];
  members.splice(to % (members.length + 1), 0, [key ?? ownKey, value ?? ownValue]);
}

/** A row as agents write them, with members in other places, and with several of the same name. */
export const jumbledRow: fc.Arbitrary<string> = fc
  .record({ line: fc.constantFrom(...sampleLines), edits: fc.array(edit, { minLength: 1, maxLength: 4 }) })
  .map(({ line, edits }) => {
    const row = membersOf(anyObject.parse(JSON.parse(line)));
    for (const each of edits) apply(row, each);
    return textOf(row);
  });
