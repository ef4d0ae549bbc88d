import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { localZone } from "../../../src/engine/usage/local-zone.ts";

const day = 86_400_000;

/** Checks every day. */
function dayByDay(): string {
  const offsets = createHash("sha256");
  let before = NaN;
  for (let at = Date.UTC(2015); at < Date.UTC(2045); at += day) {
    const offset = new Date(at).getTimezoneOffset();
    if (offset !== before) offsets.update(`${at} ${offset} `);
    before = offset;
  }
  return offsets.digest("base64url").slice(0, 12);
}

describe("the identity of a time zone", () => {
  it("includes every change of its offset", (t) => {
    const { TZ } = process.env;
    t.after(() => {
      if (TZ === undefined) delete process.env["TZ"];
      else process.env["TZ"] = TZ;
    });
    const seen = new Set<string>();
    // They include two halves of a year, a month's summer time that ends in Ramadan, half an hour, and a country that
    // reversed its decision.
    const zones = [
      "UTC",
      "Europe/Berlin",
      "America/New_York",
      "Africa/Casablanca",
      "Australia/Lord_Howe",
      "Asia/Beirut",
      "Asia/Pyongyang",
    ];
    for (const zone of zones) {
      process.env["TZ"] = zone;
      assert.equal(localZone(), dayByDay(), zone);
      seen.add(localZone());
    }
    assert.equal(seen.size, zones.length);
  });
});
