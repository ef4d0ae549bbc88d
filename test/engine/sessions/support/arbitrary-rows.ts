import fc from "fast-check";
import {
  compaction,
  officialTotal,
  prompt,
  request,
  response,
  sonnet,
  syntheticError,
  type Row,
} from "./rows.ts";

const minute = fc.nat(90);

/** Any row a figure may depend on, with few ids so that copies are common, and unknown rows. */
export const anyRow: fc.Arbitrary<Row> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record(
        {
          id: fc.constantFrom("a", "b", "c", "d", "e", "f"),
          minute,
          requestId: fc.constantFrom("r1", "r2", null),
          input: fc.nat(300_000),
          read: fc.nat(300_000),
          write5m: fc.constantFrom(0, 700),
          write1h: fc.constantFrom(0, 500),
          output: fc.nat(9000),
          sidechain: fc.boolean(),
          model: fc.constantFrom(sonnet, "claude-haiku-5-5", "quay-1"),
          requested: fc.constantFrom(sonnet, `${sonnet}[1m]`),
          copiedFrom: fc.constant("another"),
        },
        { requiredKeys: ["id", "minute", "input"] },
      )
      .map(response),
  },
  fc.record({ minute, pre: fc.nat(300_000), post: fc.nat(9000) }).map(compaction),
  fc.record({ minute, trigger: fc.constant("manual") }).map(compaction),
  minute.map(prompt),
  minute.map(syntheticError),
  fc.constant(request(sonnet, ["context-1m-2025-08-07"])),
  fc.nat(900).map((cents) => officialTotal(cents / 100, { [`${sonnet}[1m]`]: cents })),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
);
