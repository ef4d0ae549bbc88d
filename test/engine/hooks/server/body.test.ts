import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "node:test";
import { firstMembers } from "../../../../src/engine/hooks/server/body.ts";

it("A truncated text has its complete leading members, and no others", () => {
  const objects = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  fc.assert(
    fc.property(objects, fc.nat(), fc.constantFrom(0, 2), (value, at, space) => {
      const whole: unknown = JSON.parse(JSON.stringify(value));
      const text = JSON.stringify(whole, null, space);
      const members = firstMembers(text.slice(0, at % (text.length + 1)));
      if (members === undefined) return;
      assert.ok(typeof members === "object" && members !== null);
      assert.ok(typeof whole === "object" && whole !== null);
      const reported = Object.entries(whole);
      for (const [name, each] of Object.entries(members))
        assert.deepEqual(each, reported.find(([other]) => other === name)?.[1]);
    }),
  );
});

it("Anything but an object has no members, and a member counts once the next one starts", () => {
  for (const text of ["", "[1,", "x,", '"a,', '{"a":1', "{", '{"a" 1,', '{"a":"\\\\",'.slice(0, 7)])
    assert.equal(firstMembers(text), undefined, text);
  assert.deepEqual(firstMembers('{"a":"x,}\\\\","b":[{"c":2}],"d":{"e":3,'), { a: "x,}\\", b: [{ c: 2 }] });
});
