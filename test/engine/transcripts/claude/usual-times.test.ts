import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { UsualTimes } from "../../../../src/engine/transcripts/claude/usual-times.ts";

const padded = (most: number, length = 2) =>
  fc.nat({ max: most }).map((value) => String(value).padStart(length, "0"));
/** Times as agents write them, and similar ones: days and hours that do not exist, other separators. */
const written = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("2026-11-21", "2026-11-22", "2026-02-30") },
      fc.string(),
    ),
    fc.tuple(padded(13), padded(32)),
    padded(25),
    padded(61),
    padded(61),
    padded(999, 3),
    fc.constantFrom("Z", "Z", "Z", "", "+01:00"),
  )
  .map(
    ([day, [month, other], hour, minute, second, part, zone]) =>
      `${day.length === 10 ? day : `20${other}-${month}-${other}`}T${hour}:${minute}:${second}.${part}${zone}`,
  );

test("reads a usual time as Date.parse does, whatever the time before", () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 20 }), (texts) => {
      const times = new UsualTimes();
      for (const text of texts) {
        const at = times.read(text);
        if (!Number.isNaN(at)) assert.equal(at, Date.parse(text), text);
      }
    }),
  );
});

test("does not need Date.parse for a time as agents write it", () => {
  const times = new UsualTimes();
  for (const text of ["2026-11-21T20:47:49.182Z", "2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00.000Z"])
    assert.equal(times.read(text), Date.parse(text));
});
